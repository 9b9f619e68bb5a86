import { bigint, openDatabase, raw, row, sql } from '@svc/db';
import { compare, type Row } from '../rows.ts';
import { recordStatements, replay } from './record-statements.ts';
import { each, openStage, tickAt } from './setup.ts';
import { splitRent } from './split-rent.ts';

const tenants = 200;
const rounds = 3;
const remindAt = new Date('2026-02-06T16:00:00Z');
const collectAt = new Date('2026-02-09T16:00:00Z');

/** Compares the tick's reminders and collections with its recorded SQL in a loop, on copies of one database. */
export async function measureDueActions(url: string): Promise<Row[]> {
  const stage = await openStage(url);
  const now = new Date('2026-02-01T12:00:00Z');
  await each(tenants, 8, (index) => splitRent(stage, `t-${index}`, { dueDate: '2026-02-01', now }));
  await stage.db.run(raw('vacuum analyze'));
  await stage.db.close();
  const recorded = await onCopy(url, 'recorded', async (db) => {
    const recording = recordStatements(db);
    await runTicks(recording.db);
    return recording.transactions;
  });
  const measured: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await onCopy(url, `bare_${round}`, (db) => rate(() => replay(db, recorded))));
    measured.push(await onCopy(url, `tick_${round}`, (db) => rate(() => runTicks(db))));
  }
  return compare('due actions of the tick', 'per second', { floor: 0.25 }, measured, bare);
}

type Db = Awaited<ReturnType<typeof openDatabase>>;

async function runTicks(db: Db): Promise<void> {
  await tickAt(db, remindAt);
  await tickAt(db, collectAt);
  const { done } = await db.one(
    row('done actions', { done: bigint }),
    sql`
    select /* all partners */ count(*) as done from webhook_messages
    where type in ('installment.upcoming', 'installment.paid')`,
  );
  // One reminder and two payments for each tenant; the first payment was made before.
  if (done !== tenants * 3) throw new Error(`${done} events of ${tenants * 3}`);
}

async function rate(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (tenants * 2 * 1_000) / (performance.now() - began);
}

/** Runs `work` on a fresh copy of the database, so that every run begins with the same rows and a warm cache. */
async function onCopy<T>(url: string, name: string, work: (db: Db) => Promise<T>): Promise<T> {
  const source = new URL(url).pathname.slice(1);
  const urlOf = (database: string) => url.replace(`/${source}?`, `/${database}?`);
  const admin = await openDatabase({ url: urlOf('postgres') });
  await admin.run(raw(`create database ${source}_${name} template ${source}`));
  await admin.close();
  const db = await openDatabase({ url: urlOf(`${source}_${name}`) });
  await db.run(raw('select count(*) from installment'));
  const result = await work(db);
  await db.close();
  return result;
}
