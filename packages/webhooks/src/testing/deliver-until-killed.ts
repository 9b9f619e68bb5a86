import type { DatabaseTarget } from '@svc/db';
import { openDatabase } from '@svc/db';
import { createEngine } from '../engine.ts';
import { silentLog, testVault } from './harness.ts';

// Run as a process: delivers what is due, on real time, until it is killed or its input ends.
const target = JSON.parse(process.argv[2] ?? '') as DatabaseTarget;
const tuning = JSON.parse(process.argv[3] ?? '{}') as object;
const db = await openDatabase(target);
const engine = createEngine({
  db,
  clock: {
    now: () => new Date(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  vault: testVault,
  log: silentLog,
  policy: { allowPrivate: true, allowHttp: true },
  operational: async () => {},
  tuning,
});
await engine.start();
process.stdout.write('started\n');
process.stdin.resume().on('end', async () => {
  await engine.stop();
  await db.close();
  process.exit();
});
