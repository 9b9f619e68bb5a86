import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationChanged } from './errors.ts';

/** A folder of numbered, immutable files `0001_name.sql`. Its `name` is stored in databases, so never rename it. */
export interface MigrationSource {
  readonly name: string;
  readonly folder: string | URL;
}

/** How a file runs: in one transaction, as one statement outside of any, or in batches of rows. */
type MigrationKind = 'transaction' | 'no-transaction' | 'backfill';

/** The declarations in the comment lines at the top of a file. */
export interface MigrationHeader {
  /** `-- oldest-service: 0.4.0`: older versions cannot run once this file is applied. */
  readonly oldestService: string | undefined;
  /** `-- contract: <reason>`: takes something away that services before `oldestService` need. */
  readonly contract: string | undefined;
  readonly kind: MigrationKind;
  /** `-- backfill: tenant by id, 500 rows`: the statement runs for each `id between $1 and $2`. */
  readonly backfill: Backfill | undefined;
}

export interface Backfill {
  readonly table: string;
  /** An indexed column without nulls. Rows with the same value are always in one batch. */
  readonly key: string;
  readonly rows: number;
}

export interface Migration extends MigrationHeader {
  /** The name of its source. */
  readonly source: string;
  readonly number: number;
  /** The file's name without `.sql`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text in hex, with line ends as `\n` whatever git made of them. */
  readonly checksum: string;
}

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const VERSION = /^\d+\.\d+\.\d+$/;
const BACKFILL = /^([a-z_]+) by ([a-z_]+)(?:, (\d+) rows)?$/;
// Each batch locks its rows until it commits: 1,000 updated rows take some 20 ms.
const BATCH_ROWS = 1_000;

/** Reads the files in order. @throws MigrationChanged unless they are numbered 0001, 0002, … */
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
      const header = readHeader(`${source.name}/${file}`, text);
      return {
        source: source.name,
        number,
        name: file.slice(0, -'.sql'.length),
        text,
        checksum,
        ...header,
      };
    }),
  );
}

/** Reads the declarations at the top of a file. @throws MigrationChanged when one is malformed */
export function readHeader(file: string, text: string): MigrationHeader {
  const top = /^(?:\s*--.*\n|\s*\n)*/.exec(text)?.[0] ?? '';
  const declared = (name: string) =>
    new RegExp(`^-- ${name}(?:: *(.*?))? *$`, 'm').exec(top)?.map((part) => part ?? '')[1];
  const oldestService = declared('oldest-service');
  if (oldestService !== undefined && !VERSION.test(oldestService)) {
    throw new MigrationChanged(
      `${file}: write "-- oldest-service: 1.2.3", with the version of the oldest service that can run after this step.`,
    );
  }
  const contract = declared('contract');
  if (contract === '') {
    throw new MigrationChanged(`${file}: give the reason after "-- contract:".`);
  }
  const rule = declared('backfill');
  if (rule === undefined) {
    const kind = declared('no-transaction') === undefined ? 'transaction' : 'no-transaction';
    return { oldestService, contract, kind, backfill: undefined };
  }
  const [, table, key, rows = String(BATCH_ROWS)] = BACKFILL.exec(rule) ?? [];
  if (table === undefined || key === undefined) {
    throw new MigrationChanged(
      `${file}: write "-- backfill: <table> by <column>", and ", 500 rows" for the size of a batch.`,
    );
  }
  return {
    oldestService,
    contract,
    kind: 'backfill',
    backfill: { table, key, rows: Number(rows) },
  };
}

/** Orders versions such as 0.10.0 and 0.9.3: negative when the first is older. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => version.split(/[.-]/).map(Number));
  const at = [0, 1, 2].find((index) => first?.[index] !== second?.[index]);
  return at === undefined ? 0 : (first?.[at] ?? 0) - (second?.[at] ?? 0);
}
