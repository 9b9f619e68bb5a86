import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder with a file for each mail, which any mail program opens. */
export interface MailFiles {
  /** Writes or replaces one; the file has the mail's date. */
  keep(id: string, date: Date, message: Buffer): Promise<void>;
  /** Removes those of an earlier date. Answers how many. */
  forget(before: Date): Promise<number>;
}

export function openMailFiles(folder: string): MailFiles {
  return {
    async keep(id, date, message) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${id}${ending}`);
      await writeFile(path, message, { mode: 0o600 });
      await utimes(path, date, date);
    },
    async forget(before) {
      const names = await readdir(folder).catch(nothingThere);
      let forgotten = 0;
      for (const name of names.filter((it) => it.endsWith(ending))) {
        const path = join(folder, name);
        const { mtime } = await stat(path);
        if (mtime >= before) continue;
        await rm(path, { force: true });
        forgotten += 1;
      }
      return forgotten;
    },
  };
}

const ending = '.eml';

function nothingThere(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
