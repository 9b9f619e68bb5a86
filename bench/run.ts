import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openDatabase, raw } from '@svc/db';
import { startPostgres } from '@svc/db/testing';
import { describeLoad } from './describe-load.ts';
import { boundOf, drawRows } from './draw-rows.ts';
import { formatNumber, judge } from './judge.ts';
import type { Bench, Row } from './rows.ts';

// Run by scripts/bench.mjs: runs one bench, prints its table and the machine's load, and writes .bench/.
// Exits with 1 when a ratio is out of bounds, and with 2 when the machine was too busy to judge one.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
});
const name = positionals[0] ?? '';
const { bench } = (await import(`./${name}.ts`)) as { bench: Bench };
const loadBefore = describeLoad();
console.log(`before: ${loadBefore}`);
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
const load = { before: loadBefore, after: describeLoad() };
print(rows);
console.log(`after: ${load.after}`);
await mkdir('.bench', { recursive: true });
await writeFile(`.bench/${name}.json`, `${JSON.stringify({ load, rows }, null, 2)}\n`);
await writeFile(`.bench/${name}.svg`, drawRows(rows));
const { lines, exitCode } = judge(rows);
for (const line of lines) console.error(line);
process.exit(exitCode);

function print(table: readonly Row[]): void {
  const cells = table.map((row) => ({
    name: row.name,
    value: `${formatNumber(row.value)} ${row.unit}`,
    ratio: row.ratio?.toFixed(2) ?? '',
    bound: boundOf(row),
    spread: row.spread.map(formatNumber).join(' – '),
  }));
  console.table(cells);
}
