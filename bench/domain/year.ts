import { bigint, type Database, raw, row, sql } from '@svc/db';
import { verifyLedger } from '../../apps/server/src/domain/ledger/verify.ts';
import { plainRow, type Row } from '../rows.ts';
import { each, openStage, tickAt } from './setup.ts';
import { splitRent } from './split-rent.ts';

const fullCount = 10_000;
const maxMinutes = 15;
const readTimeoutMs = 900_000;
const months = Array.from(
  { length: 12 },
  (_, index) => `2026-${String(index + 1).padStart(2, '0')}`,
);

/** Lets every tenant split each month's rent for a year, and runs the tick each day. Scaled to 10,000 tenants. */
export async function measureYear(url: string, tenants: number): Promise<Row[]> {
  const stage = await openStage(url);
  const { db } = stage;
  const ids: string[] = [];
  const began = performance.now();
  for (const month of months) {
    const dueDate = `${month}-01`;
    const now = new Date(`${dueDate}T12:00:00Z`);
    const split = async (index: number) => {
      ids[index] = await splitRent(stage, `t-${index}`, { dueDate, now, known: ids[index] });
    };
    // The first one runs alone, because it opens the partner's accounts and all others would wait.
    await split(0);
    await each(tenants - 1, 8, (index) => split(index + 1));
    for (let day = 1; day < 31; day += 1) {
      await tickAt(db, new Date(now.getTime() + day * 86_400_000 + 4 * 3_600_000));
    }
    // A run with few tenants ends before autovacuum would analyze the tables.
    if (month === months[0]) await db.run(raw('analyze'));
    console.log(`${month}: ${((performance.now() - began) / 60_000).toFixed(1)} min`);
  }
  const minutes = (performance.now() - began) / 60_000;
  await check(db, tenants, minutes);
  await db.close();
  const scaled = minutes * (fullCount / tenants);
  const name = `10,000 tenants through 12 months${tenants === fullCount ? '' : `, from ${tenants}`}`;
  const measured = plainRow(name, scaled, 'min');
  // With few tenants the 360 ticks dominate, so the bound applies to the full count only.
  const ratio = scaled / maxMinutes;
  return [tenants === fullCount ? { ...measured, ceiling: 1, ratio } : measured];
}

const countsRow = row('counts', { completed: bigint, actions: bigint, messages: bigint });

/** Checks that every plan is completed and that the ledger has no fault. */
async function check(db: Database, tenants: number, minutes: number): Promise<void> {
  const { completed, actions, messages } = await db.transaction(
    (tx) =>
      tx.one(
        countsRow,
        sql`
        select /* all partners */ (select count(*) from plan where state = 'completed') as completed,
          (select count(*) from webhook_messages
            where type in ('installment.upcoming', 'installment.paid')) as actions,
          (select count(*) from webhook_messages) as messages`,
      ),
    { timeoutMs: readTimeoutMs },
  );
  if (completed !== tenants * months.length)
    throw new Error(`Only ${completed} plans are completed.`);
  const ledger = await db.transaction(verifyLedger, { timeoutMs: readTimeoutMs });
  if (ledger.faults.length > 0) throw new Error(ledger.faults.join(' '));
  console.log(
    `${tenants} tenants, ${completed} plans, ${actions} reminders and payments, ` +
      `${messages} webhooks in ${minutes.toFixed(1)} min; ` +
      `ledger: ${ledger.transfers} transfers in ${ledger.seals} seals, no fault`,
  );
}
