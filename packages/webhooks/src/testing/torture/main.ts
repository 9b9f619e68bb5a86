import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate, openDatabase } from '@svc/db';
import { migrations } from '../harness.ts';
import { openDurableServer } from './durable-server.ts';
import { type Report, torture } from './torture.ts';

// `npm run torture -- [--seed 1] [--rounds 3] [--blows 12] [--rest 1500] [--database postgres]`: so
// many rounds, each with the next seed; prints a table, and exits 1 if a round lost anything.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '3' },
    blows: { type: 'string', default: '12' },
    rest: { type: 'string', default: '1500' },
    database: { type: 'string', default: 'both' },
  },
});
const [first, rounds, blows, rest] = [values.seed, values.rounds, values.blows, values.rest].map(
  Number,
) as [number, number, number, number];
const kinds = values.database === 'both' ? ['postgres', 'pglite'] : [values.database];

const reports: (Report & { database: string })[] = [];
for (const database of kinds) {
  for (let round = 0; round < rounds; round += 1) {
    const seed = first + round;
    console.log(`${database}, seed ${seed} …`);
    const report = await (database === 'postgres' ? onServer(seed) : onFolder(seed));
    reports.push({ database, ...report });
  }
}
console.table(reports.map(plainFields));
console.log('failed attempts of the misbehaving receivers, by error class:');
console.table(reports.at(-1)?.failures);
const bad = reports.filter(
  ({ lost, phantoms, unexplained, wrongBytes, open }) =>
    lost + phantoms + unexplained + wrongBytes + open > 0,
);
for (const { database, seed } of bad) {
  const again = `--database ${database} --seed ${seed} --rounds 1 --blows ${blows} --rest ${rest}`;
  console.error(`not in order: npm run torture -- ${again}`);
}
process.exit(bad.length > 0 ? 1 : 0);

function plainFields(report: Report): object {
  return Object.fromEntries(
    Object.entries(report).filter(([, value]) => typeof value !== 'object'),
  );
}

async function onServer(seed: number): Promise<Report> {
  const { target, restart, stop } = await openDurableServer();
  const options = { target, seed, processes: 3, blows, rest };
  const report = await torture({ ...options, restartDatabase: restart });
  await stop();
  return report;
}

async function onFolder(seed: number): Promise<Report> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-torture-'));
  const db = await openDatabase({ dataDir });
  await migrate(db, [migrations]);
  await db.close();
  const report = await torture({ target: { dataDir }, seed, processes: 1, blows, rest });
  await rm(dataDir, { recursive: true });
  return report;
}
