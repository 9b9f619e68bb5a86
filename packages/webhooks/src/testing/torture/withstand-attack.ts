import { bigint, openDatabase, raw, row, text } from '@svc/db';
import { createEndpoint } from '../../endpoints/create-endpoint.ts';
import { createEngine } from '../../engine.ts';
import { newId } from '../../kernel/ids.ts';
import { silentLog, testVault } from '../harness.ts';
import type { AttackReport, AttackTask } from './attack.ts';
import { bodyOf } from './random.ts';

// Run as a process: delivers to all receivers of the task and writes a report as one line of JSON.
const task = JSON.parse(process.argv[2] ?? '') as AttackTask;
const owner = 'partner_attacked';
const megabyte = 1024 ** 2;
const db = await openDatabase(task.target);
const clock = {
  now: () => new Date(),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const policy = { allowPrivate: true, allowHttp: true };
const engine = createEngine({
  db,
  clock,
  vault: testVault,
  log: silentLog,
  policy,
  operational: async () => {},
  // One attempt for each delivery.
  tuning: { deadlineMs: 3_000, retrySchedule: [0] },
});
for (const [path, url] of Object.entries(task.urls)) {
  const input = { url, event_types: [`attack.${path.replaceAll('-', '_')}`] };
  await db.transaction((tx) =>
    createEndpoint(tx, { vault: testVault, policy }, owner, input, clock.now()),
  );
}
await engine.start();
// Warm-up: code is compiled and pools are filled before memory is measured.
await send(['good'], 10 * task.count);
globalThis.gc?.();
const baselineRss = process.memoryUsage.rss();
let peakRss = baselineRss;
const sampling = setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, 10);
await send(Object.keys(task.urls), task.count);
clearInterval(sampling);
const report: AttackReport = {
  restingMb: Math.round(baselineRss / megabyte),
  highestMb: Math.round(peakRss / megabyte),
  attempts: await attemptsByPath(),
};
await engine.stop();
await db.close();
console.log(JSON.stringify(report));
process.exit();

async function send(paths: readonly string[], count: number): Promise<void> {
  const messages = paths.flatMap((path) =>
    Array.from({ length: count }, () => {
      const id = newId('evt', clock.now());
      const type = `attack.${path.replaceAll('-', '_')}`;
      return { id, owner, subject: null, type, body: bodyOf(id) };
    }),
  );
  await engine.publish(messages);
  await engine.idle();
}

async function attemptsByPath(): Promise<AttackReport['attempts']> {
  const rows = await db.many(
    row('outcomes', { path: text, outcome: text, count: bigint }),
    raw(`select regexp_replace(e.url, '^.*/', '') as path,
      coalesce(a.error_class, 'delivered') as outcome, count(*) as count
      from webhook_attempts a
      join webhook_endpoints e on e.owner = a.owner and e.id = a.endpoint_id
      group by 1, 2 order by 1, 2`),
  );
  const paths: Record<string, Record<string, number>> = {};
  for (const { path, outcome, count } of rows) {
    paths[path] = { ...paths[path], [outcome]: count };
  }
  return paths;
}
