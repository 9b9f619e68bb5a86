import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate, openDatabase } from '@svc/db';
import { migrations } from '../harness.ts';
import { attack } from './attack.ts';
import { canFillDisk, openDurableServer } from './durable-server.ts';
import { drawFaults } from './faults.ts';
import { createRandom } from './random.ts';
import { type Report, torture } from './torture.ts';

// `npm run torture -- [--seed 1] [--rounds 3] [--faults 12] [--rest 1500] [--database postgres]`: runs
// the rounds, each with the next seed, prints a table, and exits with 1 if a round lost anything.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '3' },
    faults: { type: 'string', default: '12' },
    rest: { type: 'string', default: '1500' },
    database: { type: 'string', default: 'both' },
  },
});
const [first, rounds, faults, rest] = [values.seed, values.rounds, values.faults, values.rest].map(
  Number,
) as [number, number, number, number];
const kinds = values.database === 'both' ? ['postgres', 'pglite'] : [values.database];

if (!canFillDisk) console.log('no full disks: this system has no /dev/full; crashes instead');
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
for (const { database, seed, byKill } of reports) {
  console.log(`${database}, seed ${seed}: in flight at each kill, and sent twice because of it`);
  console.table(byKill);
}
if (kinds.includes('postgres')) await attackSender();
console.log('failed attempts of the misbehaving receivers, by error class:');
console.table(reports.at(-1)?.failures);
const failedReports = reports.filter(
  ({ lost, phantoms, unexplained, wrongBytes, open, byKill }) =>
    lost + phantoms + unexplained + wrongBytes + open > 0 ||
    byKill.some(({ inFlight, duplicated }) => inFlight !== null && duplicated > inFlight),
);
for (const { database, seed } of failedReports) {
  const again = `--database ${database} --seed ${seed} --rounds 1 --faults ${faults} --rest ${rest}`;
  console.error(`failed; repeat with: npm run torture -- ${again}`);
}
process.exit(failedReports.length > 0 ? 1 : 0);

async function attackSender(): Promise<void> {
  const { target, stop } = await openDurableServer();
  const { restingMb, highestMb, attempts } = await attack(target, 64);
  await stop();
  console.log(`hostile receivers, 64 messages each: ${restingMb} MB at rest, ${highestMb} at most`);
  console.table(attempts);
}

function plainFields(report: Report): object {
  return Object.fromEntries(
    Object.entries(report).filter(([, value]) => typeof value !== 'object'),
  );
}

async function onServer(seed: number): Promise<Report> {
  const server = await openDurableServer();
  const { target, stop } = server;
  const drawn = drawFaults(createRandom(seed), faults, true);
  const report = await torture({ target, server, seed, processes: 3, faults: drawn, rest });
  await stop();
  return report;
}

async function onFolder(seed: number): Promise<Report> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-torture-'));
  const db = await openDatabase({ dataDir });
  await migrate(db, [migrations]);
  await db.close();
  const drawn = drawFaults(createRandom(seed), faults, false);
  const report = await torture({ target: { dataDir }, seed, processes: 1, faults: drawn, rest });
  await rm(dataDir, { recursive: true });
  return report;
}
