import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TABLE_OWNERS, WRITE_EXCEPTIONS } from './import-rules.ts';
import { isTest, type SourceFile, sourceFiles } from './source-files.ts';
import { statementsOf } from './sql-statements.ts';

const SERVER = 'apps/server/src/';
const WRITE = /\b(?:insert into|update|delete from)\s+(?:only\s+)?([a-z_]+)\b/g;

/**
 * Finds each `sql` statement of the server that writes a table of another folder, and each table without an
 * owner. Statements that take the table's name at run time, such as those that delete expired rows, are not seen.
 */
export function findForeignWrites(files: readonly SourceFile[], schema: string): string[] {
  const owners = new Map(
    Object.entries(TABLE_OWNERS).flatMap(([path, tables]) => tables.map((it) => [it, path])),
  );
  const tables = tablesOf(schema).filter((it) => !it.startsWith('webhook_'));
  if (tables.length === 0) throw new Error('There is no table. The search is broken.');
  const unowned = tables.filter((it) => !owners.has(it));
  const gone = [...owners.keys()].filter((it) => !tables.includes(it));
  const foreign = files
    .filter(({ path }) => path.startsWith(SERVER) && !isTest(path))
    .flatMap((file) =>
      statementsOf(file).flatMap(({ line, text }) =>
        [...text.matchAll(WRITE)].flatMap(([, table = '']) => {
          const owner = owners.get(table);
          const path = file.path.slice(SERVER.length);
          if (owner === undefined || isIn(path, owner) || isException(path, table)) return [];
          return [`${file.path}:${line}: ${table} is written by ${owner} only`];
        }),
      ),
    );
  return [
    ...unowned.map((it) => `${it} has no owner in TABLE_OWNERS of import-rules.ts`),
    ...gone.map((it) => `${it} of TABLE_OWNERS in import-rules.ts is no table`),
    ...foreign,
  ];
}

/** Returns the tables of schema.sql, without partitions. */
export function tablesOf(schema: string): string[] {
  return [...schema.matchAll(/^create table (\w+) \(/gm)].map(([, name = '']) => name);
}

function isException(path: string, table: string): boolean {
  return WRITE_EXCEPTIONS.some((it) => isIn(path, it.path) && (it.tables?.includes(table) ?? true));
}

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

if (process.argv[1] === import.meta.filename) {
  const root = process.cwd();
  const schema = readFileSync(join(root, 'apps/server/schema.sql'), 'utf8');
  const found = findForeignWrites(sourceFiles(root, /\.ts$/), schema);
  for (const problem of found) console.log(problem);
  console.log(`${found.length} writes to tables of another folder`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
