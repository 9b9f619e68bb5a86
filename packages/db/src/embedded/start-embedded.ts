import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import { DataFolderUnusable } from '../errors.ts';
import type { FolderTarget } from '../types.ts';
import { createCluster } from './create-cluster.ts';
import { lockFolder } from './lock-folder.ts';
import { unpackSnapshot } from './snapshot.ts';

const SOCKET_NAME = '.s.PGSQL.5432';
const SOCKET_FOLDER = 'svc-db-';
// A socket path may have 103 bytes on macOS, whose temporary folder has about 50.
const LONGEST_PARENT = 70;

export interface Embedded {
  /** The folder of the PostgreSQL socket: `host` of node-postgres. */
  readonly host: string;
  stop(): Promise<void>;
  /** Terminates the thread, even in the middle of a statement. `lost` is called afterwards. */
  kill(): void;
}

/**
 * Opens PGlite on `dataDir/postgres` in a worker thread, behind a socket in a folder that only this
 * user can enter. A folder without a database gets a copy of the snapshot, or an empty one. `lost` is
 * called if the thread dies. Acknowledged commits survive kill -9 but not a power loss, because PGlite
 * never calls fsync.
 * @throws DataFolderLocked, DataFolderUnusable
 */
export async function startEmbedded(
  { dataDir, snapshot }: FolderTarget,
  lost: (cause: Error) => void,
): Promise<Embedded> {
  // PGlite creates its files with mode 0666. Only the main thread can set the umask.
  if (isMainThread) process.umask(0o077);
  const files = join(dataDir, 'postgres');
  await withFolderErrors(dataDir, makePrivate(dataDir));
  const lock = await withFolderErrors(dataDir, lockFolder(dataDir));
  let host: string | undefined;
  const release = async () => {
    if (host !== undefined) await rm(host, { recursive: true, force: true });
    await lock.release();
  };
  try {
    if (snapshot !== undefined) await withFolderErrors(dataDir, unpackSnapshot(snapshot, files));
    await withFolderErrors(dataDir, createCluster(files));
    await withFolderErrors(dataDir, makePrivate(files));
    host = await withFolderErrors(dataDir, makeSocketFolder(dataDir));
    const worker = await startThread(dataDir, files, join(host, SOCKET_NAME));
    const stop = watch(worker, lost);
    return { host, stop: () => stop().then(release), kill: () => void worker.terminate() };
  } catch (error) {
    await release();
    throw error;
  }
}

async function makePrivate(...folders: string[]): Promise<void> {
  for (const folder of folders) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
  }
}

/**
 * Creates a folder with a short path, and removes the one that a killed process left behind. It is in
 * the data folder if that has a short path, so that removing the data folder leaves nothing.
 */
async function makeSocketFolder(dataDir: string): Promise<string> {
  const noteFile = join(dataDir, 'socket-folder');
  const parents = [dataDir, tmpdir(), '/tmp'];
  const parent = parents.find((it) => Buffer.byteLength(it) <= LONGEST_PARENT) ?? '/tmp';
  const leftover = await readFile(noteFile, 'utf8').catch(() => '');
  if (parents.includes(dirname(leftover)) && basename(leftover).startsWith(SOCKET_FOLDER)) {
    await rm(leftover, { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(parent, SOCKET_FOLDER));
  await writeFile(noteFile, folder, { mode: 0o600 });
  return folder;
}

function startThread(dataDir: string, files: string, socketPath: string): Promise<Worker> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { dataDir: files, socketPath },
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    const refuse = (cause: unknown) =>
      reject(
        new DataFolderUnusable(dataDir, `PostgreSQL does not start in it (${String(cause)})`, {
          cause,
        }),
      );
    worker.once('message', () => {
      worker.removeAllListeners('error').removeAllListeners('exit');
      resolve(worker);
    });
    worker.once('error', refuse);
    worker.once('exit', (code) => refuse(`exit code ${code}`));
  });
}

/** Calls `lost` if the thread ends unexpectedly. The returned function stops it and waits for its end. */
function watch(worker: Worker, lost: (cause: Error) => void): () => Promise<void> {
  let stopping = false;
  worker.on('error', lost);
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      resolve();
      if (!stopping) lost(new Error(`its thread ended with code ${code}`));
    });
  });
  return () => {
    stopping = true;
    worker.postMessage('stop');
    return ended;
  };
}

/** Waits for `work`, and turns errors of the file system into a sentence about the folder. */
async function withFolderErrors<T>(dataDir: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === undefined) throw cause;
    throw new DataFolderUnusable(dataDir, REASONS[code] ?? `the system reports ${code}`, { cause });
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'this user may not write to it; change its owner or choose another folder',
  EPERM: 'this user may not change its permissions; change its owner or choose another folder',
  EROFS: 'it is on a read-only disk; choose another folder',
  ENOTDIR: 'a file is in its place; choose another folder',
  EEXIST: 'a file is in its place; choose another folder',
  ENOSPC: 'the disk is full; free some space or choose another folder',
};
