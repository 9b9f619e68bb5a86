import { openDatabase } from '../open.ts';
import { integer, row } from '../row.ts';
import { sql } from '../sql.ts';

// Runs as a process: appends rows to `line` and prints each number once its commit is acknowledged.
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('usage: write-until-killed <data folder>');
const db = await openDatabase({ dataDir });
await db.run(sql`create table if not exists line (n int primary key)`);
const { last } = await db.one(
  row('last line', { last: integer }),
  sql`select coalesce(max(n), 0) as last from line`,
);
for (let n = last + 1; ; n += 1) {
  await db.transaction((tx) => tx.run(sql`insert into line values (${n})`));
  process.stdout.write(`${n}\n`);
}
