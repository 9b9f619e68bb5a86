import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openDatabase, raw } from '@svc/db';
import { startPostgres } from '@svc/db/testing';
import { boundOf, drawRows } from './draw-rows.ts';
import type { Bench, Row } from './rows.ts';

// Run by scripts/bench.mjs: runs one bench, prints its table and writes .bench/. Exits with 1 when a
// ratio is out of bounds.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
});
const name = positionals[0] ?? '';
const { bench } = (await import(`./${name}.ts`)) as { bench: Bench };
const server = await startPostgres({ durable: true });
let databases = 0;
const rows = await bench({
  full: values.full,
  async databaseUrl() {
    databases += 1;
    const admin = await openDatabase({ url: server.url('postgres') });
    await admin.run(raw(`create database bench_${databases}`));
    await admin.close();
    return server.url(`bench_${databases}`);
  },
});
await server.stop();
print(rows);
await mkdir('.bench', { recursive: true });
await writeFile(`.bench/${name}.json`, `${JSON.stringify({ rows }, null, 2)}\n`);
await writeFile(`.bench/${name}.svg`, drawRows(rows));
const failed = rows.filter(
  ({ ratio, floor, ceiling }) =>
    (ratio ?? 1) < (floor ?? 0) || (ratio ?? 0) > (ceiling ?? Infinity),
);
for (const row of failed) console.error(`out of bounds: ${row.name}`);
process.exit(failed.length > 0 ? 1 : 0);

function print(table: readonly Row[]): void {
  const cells = table.map((row) => ({
    name: row.name,
    value: `${row.value < 100 ? row.value.toFixed(2) : Math.round(row.value)} ${row.unit}`,
    ratio: row.ratio?.toFixed(2) ?? '',
    bound: boundOf(row),
    spread: row.spread.map((end) => (end < 100 ? end.toFixed(2) : Math.round(end))).join(' – '),
  }));
  console.table(cells);
}
