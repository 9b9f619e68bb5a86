import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../service-settings.ts';
import { largestNachaBytes } from './parse-nacha.ts';

/**
 * The folder through which files go to the bank and come from it. A program of the operator moves them:
 * it takes files out of `outbox` and puts files into `inbox`. All of it must be one file system, because
 * files appear under their names by a rename, with all of their content.
 */
export interface AchFolder {
  /** Writes the content that may be sent, and a copy to keep. Returns when both are on the disk. */
  stage(file: {
    readonly name: string;
    readonly stagedAs: string;
    readonly text: string;
  }): Promise<void>;
  /** Removes a content that may not be sent, because another process staged one first. */
  unstage(stagedAs: string): Promise<void>;
  /** Moves a staged file to the outbox, once: if it is gone, it was moved before. */
  publish(file: { readonly name: string; readonly stagedAs: string }): Promise<void>;
  /** Removes the contents that dead processes have staged for a file that was published. */
  clear(name: string): Promise<void>;
  /** Takes a file out of the outbox that must no longer be sent. It is usually gone already. */
  withdraw(name: string): Promise<void>;
  /** The names of files that are complete as far as their names say, in order. */
  incoming(): Promise<string[]>;
  /**
   * Reads an incoming file; of one that is too large, only enough to say so. Undefined if it is gone, or is
   * something other than a file by now.
   * @throws UnreadableFile
   */
  read(name: string): Promise<Buffer | undefined>;
  /** Moves a file out of the inbox. `id` makes its new name unique. */
  putAway(name: string, to: 'archive' | 'rejected', id: string): Promise<void>;
  /** Reads a file that was sent or put away; undefined if there is none. Pass `id` for a file from the bank. */
  stored(name: string, id?: string): Promise<Buffer | undefined>;
  /** Puts a file into the inbox, complete from the first moment. False if one with this name waits there. */
  deliver(name: string, content: Buffer): Promise<boolean>;
}

/** A file that exists and cannot be read, for example because of its permissions. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  /** The operating system's error code, such as EACCES. */
  readonly code: string;

  constructor(code: string) {
    super(`the file cannot be read (${code}).`);
    this.code = code;
  }
}

const folders = ['outbox', 'inbox', 'archive', 'rejected', 'staging'] as const;

/** File systems allow 255 bytes, and an id comes before it. */
const longestName = 100;

export function openAchFolder(root: string): AchFolder {
  const path = (folder: (typeof folders)[number], name: string) => join(root, folder, name);

  /** The root must exist: if it is a mount that is missing, files must not go elsewhere. */
  async function ensureFolders(): Promise<void> {
    await access(root, constants.W_OK);
    for (const it of folders) await mkdir(join(root, it), { recursive: true, mode: 0o700 });
  }

  async function writeToDisk(
    target: string,
    content: string | Buffer,
    flags: 'wx' | 'w',
  ): Promise<void> {
    const file = await open(target, flags, 0o600);
    try {
      await file.writeFile(content, 'latin1');
      await file.sync();
    } finally {
      await file.close();
    }
  }

  return {
    async stage({ name, stagedAs, text }) {
      await ensureFolders();
      await writeToDisk(path('archive', name), text, 'w');
      await writeToDisk(path('staging', stagedAs), text, 'wx');
      await syncFolder(join(root, 'archive'));
      await syncFolder(join(root, 'staging'));
    },

    async unstage(stagedAs) {
      await rm(path('staging', stagedAs), { force: true });
    },

    async publish({ name, stagedAs }) {
      // Without the copy, this is not the folder in which the file was staged.
      await access(path('archive', name));
      await rename(path('staging', stagedAs), path('outbox', name)).catch(ignoreMissing);
      await syncFolder(join(root, 'outbox'));
    },

    async clear(name) {
      const left = (await readdir(join(root, 'staging'))).filter((it) => it.startsWith(`${name}.`));
      for (const it of left) await rm(path('staging', it), { force: true });
    },

    async withdraw(name) {
      await rm(path('outbox', name), { force: true });
    },

    async incoming() {
      await ensureFolders();
      const found = await readdir(join(root, 'inbox'), { withFileTypes: true });
      // Symbolic links are not followed, and programs use these names while they copy a file.
      const names = found.filter((it) => it.isFile()).map((it) => it.name);
      return names.filter((it) => !/^\.|\.(part|filepart|tmp)$/i.test(it)).sort();
    },

    async read(name) {
      // Something else may have taken the file's place since it was listed: a link is not followed, and a pipe
      // is not waited for.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      try {
        const file = await open(path('inbox', name), flags);
        try {
          return (await file.stat()).isFile() ? await readStart(file) : undefined;
        } finally {
          await file.close();
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // ELOOP is a link; ENXIO is a socket.
        if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO') return undefined;
        if (code === undefined) throw error;
        throw new UnreadableFile(code);
      }
    },

    async putAway(name, to, id) {
      await rename(path('inbox', name), path(to, putAwayName(name, id))).catch(ignoreMissing);
    },

    async stored(name, id) {
      if (id === undefined) return readFile(path('archive', name)).catch(ignoreMissing);
      const found = await readFile(path('archive', putAwayName(name, id))).catch(ignoreMissing);
      return found ?? readFile(path('rejected', putAwayName(name, id))).catch(ignoreMissing);
    },

    async deliver(name, content) {
      await ensureFolders();
      const staged = path('staging', `inbox-${randomBytes(8).toString('hex')}`);
      await writeToDisk(staged, content, 'wx');
      try {
        // A link, unlike a rename, replaces no other file.
        await link(staged, path('inbox', name));
        await syncFolder(join(root, 'inbox'));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        return false;
      } finally {
        await rm(staged, { force: true });
      }
    },
  };
}

/** The name of a file of the bank once it was read. */
function putAwayName(name: string, id: string): string {
  return `${id}-${name.slice(-longestName)}`;
}

/** Reads the content of a file, up to one byte more than the largest file that is accepted. */
async function readStart(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const start = Buffer.alloc(Math.min(size, largestNachaBytes) + 1);
  let length = 0;
  while (length < start.length) {
    const { bytesRead } = await file.read(start, length, start.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return start.subarray(0, length);
}

/**
 * Tries everything that the exchange of files needs, before the service takes a plan that it could never
 * collect.
 * @throws ConfigError with one sentence for the operator
 */
export async function checkAchFolder(root: string): Promise<void> {
  const place = (name: string) => (name === '' ? root : join(root, name));
  const device = await check(root, root, async () => {
    const found = await stat(root);
    if (!found.isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    return found.dev;
  });
  for (const name of ['', ...folders]) {
    await check(root, place(name), async () => {
      await mkdir(place(name), { recursive: true, mode: 0o700 });
      await access(place(name), constants.R_OK | constants.W_OK | constants.X_OK);
      const { dev } = await stat(place(name));
      if (dev !== device) throw Object.assign(new Error(), { code: 'EXDEV' });
    });
  }
  // A full disk, a quota or a file system that cannot sync shows only when something is written.
  const probe = join(root, 'staging', `probe-${randomBytes(8).toString('hex')}`);
  await check(root, place('staging'), async () => {
    const file = await open(probe, 'wx', 0o600);
    try {
      await file.writeFile('probe\n'.repeat(100));
      await file.sync();
    } finally {
      await file.close();
      await rm(probe, { force: true });
    }
    await syncFolder(place('staging'));
  });
}

async function check<T>(root: string, at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const reason = reasons[code] ?? `it cannot be written (${code}).`;
    const where = at === root ? '' : ` In it, ${at} is the problem.`;
    throw new ConfigError(`SVC_ACH_FOLDER names ${root}, but ${reason}${where}`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist. Create it, or mount it, and let the user of the service write to it.',
  ENOTDIR: 'a file is in its place. Name a folder.',
  EEXIST: 'a file is in its place. Name a folder.',
  EACCES: 'the user of the service may not write to it. Change its owner or mode.',
  EPERM: 'the user of the service may not write to it. Change its owner or mode.',
  EROFS: 'it is on a read-only file system. Mount it writable, or list it in ReadWritePaths.',
  ENOSPC: 'its disk is full. Free some space, or name a folder on another disk.',
  EDQUOT: 'the quota of its user is used up. Raise it, or free some space.',
  EXDEV:
    'its folders are on different file systems, so a file cannot appear in one step. Mount all of it as one.',
};

/** Ignores a missing file, because another process was faster. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Syncs a folder, because a rename is on the disk only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
