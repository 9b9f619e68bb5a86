import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { bigint, isUniqueViolation, openDatabase, raw, row, type Sql, sql } from '@svc/db';
import { createEngine } from '../../engine.ts';
import { newId } from '../../kernel/ids.ts';
import type { NewMessage } from '../../publishing/store-messages.ts';
import { silentLog, testVault } from '../harness.ts';
import type { ChaosTask } from './chaos-process.ts';
import { bodyOf, createRandom } from './random.ts';

// Run as a process: publishes and delivers until it is killed. Writes `accepted <ids>` after each
// commit and `refused` after each failed one. On the input `drain` it stops publishing, and writes
// `drained` when nothing is left to deliver. On `clock <ms>` it sets its clock that far from the system's.
const task = JSON.parse(process.argv[2] ?? '') as ChaosTask;
const random = createRandom(task.seed);
const db = await openDatabase(task.target);
let { skewMs } = task;
const clock = {
  now: () => new Date(Date.now() + skewMs),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const engine = createEngine({
  db,
  clock,
  vault: testVault,
  log: silentLog,
  policy: { allowPrivate: true, allowHttp: true },
  operational: async () => {},
  userAgent: task.name,
  tuning: task.tuning,
});
printLine(`leased ${await countLeased()}`);
await engine.start();
printLine('started');

let draining = false;
createInterface(process.stdin)
  .on('line', (line) => {
    const [word, value] = line.split(' ');
    if (word === 'clock') skewMs = Number(value);
    else draining = true;
  })
  .on('close', () => void stop());
// Several publishers, so that some calls share a commit.
await Promise.all(Array.from({ length: 4 }, publishUntilDraining));
await drain();
printLine('drained');

async function publishUntilDraining(): Promise<void> {
  while (!draining) {
    const messages = Array.from({ length: 1 + random(20) }, newMessage);
    if (await accepted(messages)) printLine(`accepted ${messages.map(({ id }) => id).join(' ')}`);
    while (!draining && engine.stats().waiting > task.ahead) await pause(5);
  }
}

function newMessage(): NewMessage {
  const id = newId('evt', clock.now());
  const type = random(task.oneHostileIn) === 0 ? 'torture.hostile' : 'torture.good';
  return { id, owner: task.owner, subject: null, type, body: bodyOf(id) };
}

/** Repeats the publish until the result is known, as a careful caller does. */
async function accepted(messages: readonly NewMessage[]): Promise<boolean> {
  const inTransaction = random(2) === 0;
  for (;;) {
    try {
      if (inTransaction) await publishInTransaction(messages);
      else await engine.publish(messages);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return true;
      printLine('refused');
      await pause(20);
    }
  }
}

async function publishInTransaction(messages: readonly NewMessage[]): Promise<void> {
  const tx = await db.transaction(async (tx) => {
    await engine.publishIn(tx, messages, clock.now());
    return tx;
  });
  // Sometimes leave out wake(), like a caller that dies after its commit.
  if (random(10) > 0) engine.wake(tx);
}

async function drain(): Promise<void> {
  while ((await countOpen().catch(() => -1)) !== 0) await pause(20);
}

/** Deliveries leased when the last process was killed, and due ones: a claim may be lost in a crash. */
async function countLeased(): Promise<number> {
  return countOpen(sql`where node is not null or due_at <= ${clock.now()}::timestamptz`);
}

async function countOpen(where: Sql = raw('')): Promise<number> {
  const { count } = await db.one(
    row('count of open deliveries', { count: bigint }),
    sql`
    select /* all partners */ (select count(*) from webhook_deliveries_open ${where})
      + (select count(*) from webhook_deliveries_leased) as count`,
  );
  return count;
}

async function stop(): Promise<void> {
  await engine.stop();
  await db.close();
  process.exit();
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
