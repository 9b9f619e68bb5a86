import { randomBytes } from 'node:crypto';
import { link, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join, relative } from 'node:path';
import { DataFolderLocked, DataFolderUnusable } from '../errors.ts';

const LOCK_NAME = /^lock\.(\d+)$/;
// sun_path holds 108 bytes on Linux and 104 on macOS. Node 20 silently truncates a longer path.
const LONGEST_SOCKET_PATH = 103;
const ANSWER_MS = 1_000;

/**
 * Makes this process the only owner of `folder` until it calls `release` or ends.
 *
 * The lock is a listening socket: the kernel frees it when the process ends, and no process id can be
 * confused with a reused one. Sockets are numbered, and the one with the highest number is the lock. It
 * is never removed, so when several processes find it dead, only one can create the next number.
 * @throws DataFolderLocked, DataFolderUnusable
 */
export async function lockFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const own = join(folder, `lock-${process.pid}-${randomBytes(4).toString('hex')}`);
  const server = await listen(own, folder);
  try {
    await takeHighest(folder, own);
  } catch (error) {
    await close(server);
    throw error;
  }
  return { release: () => close(server) };
}

/** Returns whether a process holds the lock of the folder. */
export async function isFolderLocked(folder: string): Promise<boolean> {
  const highest = await highestLock(folder);
  return highest > 0 && (await probeOwner(join(folder, `lock.${highest}`))).alive;
}

async function takeHighest(folder: string, own: string): Promise<void> {
  for (;;) {
    const highest = await highestLock(folder);
    if (highest > 0) await assertDead(folder, highest);
    const mine = highest + 1;
    if (!(await tryLink(own, join(folder, `lock.${mine}`)))) continue;
    // Between our look and our link, another process may have taken this number, died or released it,
    // and been succeeded by a higher one, whose owner removed the lower numbers. Then ours is stale.
    if ((await highestLock(folder)) !== mine) {
      await rm(join(folder, `lock.${mine}`), { force: true });
      continue;
    }
    await rm(own, { force: true });
    await removeOlder(folder, mine);
    return;
  }
}

async function assertDead(folder: string, number: number): Promise<void> {
  const answer = await probeOwner(join(folder, `lock.${number}`));
  if (answer.alive) throw new DataFolderLocked(folder, answer.pid);
}

/**
 * Asks the owner of a lock for its process id. A refused connection means a dead owner. An owner that hangs or
 * cannot be reached counts as alive.
 */
function probeOwner(path: string): Promise<{ alive: boolean; pid?: number }> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(shortestPath(path));
    const owner = () =>
      received === '' ? { alive: true } : { alive: true, pid: Number(received) };
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('data', (data) => {
      received += data.toString();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve({ alive: false });
    });
    socket.on('close', () => resolve(owner()));
  });
}

function listen(path: string, folder: string): Promise<Server> {
  const address = shortestPath(path);
  if (Buffer.byteLength(address) > LONGEST_SOCKET_PATH) {
    throw new DataFolderUnusable(folder, `its path is too long for a socket; choose a shorter one`);
  }
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(String(process.pid));
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new DataFolderUnusable(folder, `no socket can be created in it (${error.code})`, {
          cause: error,
        }),
      );
    });
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function highestLock(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)));
}

async function removeOlder(folder: string, mine: number): Promise<void> {
  for (const number of await lockNumbers(folder)) {
    if (number < mine) await rm(join(folder, `lock.${number}`), { force: true });
  }
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.map((name) => Number(LOCK_NAME.exec(name)?.[1] ?? 0)).filter((number) => number > 0);
}

function shortestPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}
