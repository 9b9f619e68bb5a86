import { instant, nullable, type Queryable, row, sql, type Tx, text } from '@svc/db';
import { eachPartner } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import { makeDueNow } from '../tenants/due.ts';

// The key of the advisory lock: an arbitrary number that no other advisory lock of the database uses.
const moneyLock = 7_150_001;

/**
 * Takes the controls' shared lock for the rest of the transaction. Call it before reading a control: a
 * control changes only while no transaction has this lock. So a transaction that has read that money may
 * move commits before "money stop" does, and a later one reads that it is stopped.
 * The read must be another statement, because a statement sees what was committed before it began to
 * wait. It is an advisory lock, because a shared lock on a row would write that row in each transaction.
 */
export async function lockControls(tx: Queryable): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${moneyLock}::bigint)`);
}

/** Waits for all transactions that have read the controls, and lets no other read them until the commit. */
export async function lockControlsExclusively(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${moneyLock}::bigint)`);
}

export interface MoneyState {
  readonly stopped_at: string | null;
  readonly stopped_by: string | null;
  readonly reason: string | null;
}

const switchRow = row('money switch', {
  stopped_at: nullable(instant),
  stopped_by: nullable(text),
  reason: nullable(text),
});

export async function readMoney(q: Queryable): Promise<MoneyState> {
  const { stopped_at, ...by } = await q.one(
    switchRow,
    sql`select stopped_at, stopped_by, reason from money_switch`,
  );
  return { stopped_at: stopped_at?.toISOString() ?? null, ...by };
}

/**
 * Returns whether money may begin to move. Money that begins in this transaction does so before any "money
 * stop" commits.
 */
export async function mayBeginMoney(tx: Queryable): Promise<boolean> {
  const [, { stopped_at }] = await Promise.all([lockControls(tx), readMoney(tx)]);
  return stopped_at === null;
}

/**
 * Call it in the transaction that begins a charge, a refund or a plan, before anything is written.
 * @throws Refusal `payments_paused` while money is stopped
 */
export async function requireMoneyRunning(tx: Queryable): Promise<void> {
  if (!(await mayBeginMoney(tx))) throw new Refusal('payments_paused');
}

/**
 * From the commit on, no process begins a charge, a refund or a plan. What has begun is finished.
 * Returns false if money was stopped already.
 */
export async function stopMoney(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { user, reason }: { readonly user: string; readonly reason: string },
): Promise<boolean> {
  await lockControlsExclusively(tx);
  const changed = await tx.run(sql`
    update money_switch set stopped_at = ${now}, stopped_by = ${user}, reason = ${reason}
    where stopped_at is null`);
  return changed > 0;
}

/** Lets money move again. The next pass of the lanes does what fell due during the stop. */
export async function startMoney({
  tx,
  now,
}: Pick<Ctx, 'tx' | 'now'>): Promise<{ changed: boolean; tenants_resumed: number }> {
  await lockControlsExclusively(tx);
  const changed = await tx.run(sql`
    update money_switch set stopped_at = null, stopped_by = null, reason = null
    where stopped_at is not null`);
  if (changed === 0) return { changed: false, tenants_resumed: 0 };
  const due = sql`
    /* all partners */
    from tenant_due d
      join collection_hold h on h.partner_id = d.partner_id and h.tenant_id = d.tenant_id
    where h.held`;
  let tenants_resumed = 0;
  for (const among of await eachPartner(tx, { of: 'd', due })) {
    // Locked rows belong to a transaction that reads the controls after this commit.
    const held = sql`${among} and (d.partner_id, d.tenant_id) in (
      select d.partner_id, d.tenant_id ${due} and ${among} for update of d skip locked)`;
    tenants_resumed += await makeDueNow(tx, now, held);
  }
  return { changed: true, tenants_resumed };
}
