import type { DatabaseTarget } from '@svc/db';
import { openDatabase, startDatabaseClock } from '@svc/db';
import { createEngine } from '../engine.ts';
import { silentLog, testVault } from './harness.ts';

// Run as a process: delivers what is due, by the system's clock, until it is killed or its input ends. Its
// clock is off by some milliseconds. Writes `started`, then each warning as a line of JSON.
const target = JSON.parse(process.argv[2] ?? '') as DatabaseTarget;
const tuning = JSON.parse(process.argv[3] ?? '{}') as object;
const skewMs = Number(process.argv[4] ?? 0);
const db = await openDatabase(target);
const log = {
  ...silentLog,
  warn: (fields: object, message: string) =>
    process.stdout.write(`${JSON.stringify({ ...fields, message })}\n`),
};
const processClock = {
  now: () => new Date(Date.now() + skewMs),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const clock = await startDatabaseClock({ db, clock: processClock, log });
const engine = createEngine({
  db,
  clock,
  vault: testVault,
  log,
  policy: { allowPrivate: true, allowHttp: true },
  operational: async () => {},
  tuning,
});
await engine.start();
process.stdout.write('started\n');
process.stdin.resume().on('end', async () => {
  clock.stop();
  await engine.stop();
  await db.close();
  process.exit();
});
