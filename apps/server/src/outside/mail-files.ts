import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder with one file per mail, which any mail program can open. */
export interface MailFiles {
  /** Writes or replaces a mail's file and sets the file's time to the mail's date. */
  write(id: string, date: Date, message: Buffer): Promise<void>;
  /** Deletes the files of mails with an earlier date. Returns how many. */
  deleteOlderThan(before: Date): Promise<number>;
}

export function openMailFiles(folder: string): MailFiles {
  return {
    async write(id, date, message) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${id}${extension}`);
      await writeFile(path, message, { mode: 0o600 });
      await utimes(path, date, date);
    },
    async deleteOlderThan(before) {
      const names = await readdir(folder).catch(emptyIfMissing);
      let deleted = 0;
      for (const name of names.filter((it) => it.endsWith(extension))) {
        const path = join(folder, name);
        const { mtime } = await stat(path);
        if (mtime >= before) continue;
        await rm(path, { force: true });
        deleted += 1;
      }
      return deleted;
    },
  };
}

const extension = '.eml';

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
