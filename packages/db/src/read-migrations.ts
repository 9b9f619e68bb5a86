import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationChanged } from './errors.ts';

/** A folder of numbered, immutable files `0001_name.sql`; its `name` is stored, never rename it. */
export interface MigrationSource {
  readonly name: string;
  readonly folder: string | URL;
}

export interface Migration {
  readonly number: number;
  /** The file's name without `.sql`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text in hex, with line ends as `\n` whatever git made of them. */
  readonly checksum: string;
}

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

/** The files in order. @throws MigrationChanged unless they are numbered 0001, 0002, … */
export async function readMigrations(source: MigrationSource): Promise<Migration[]> {
  const folder = typeof source.folder === 'string' ? source.folder : fileURLToPath(source.folder);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(FILE_NAME.exec(file)?.[1]);
      if (number !== index + 1) {
        const expected = String(index + 1).padStart(4, '0');
        throw new MigrationChanged(`${source.name}/${file} should be named ${expected}_….sql.`);
      }
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { number, name: file.slice(0, -'.sql'.length), text, checksum };
    }),
  );
}
