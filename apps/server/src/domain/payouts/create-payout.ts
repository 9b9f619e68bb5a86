import {
  type PayoutLineKind,
  type PayoutOutput,
  payoutLineKinds,
  settlementStatuses,
} from '@svc/contract';
import {
  bigint,
  integer,
  nullable,
  oneOf,
  type RowOf,
  recordset,
  row,
  type Sql,
  sql,
  type Tx,
  text,
} from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import { emitEligibilityOf } from '../eligibility/emit-eligibility.ts';
import { emitForPartner } from '../events/emit.ts';
import type { PayoutSetting } from '../partners/payout-setting.ts';
import { giveToPayout, moveWithPayout } from '../settlements/move-with-payout.ts';
import { findPayout, payoutData } from './read.ts';

interface Input extends PayoutSetting {
  readonly partnerId: string;
  readonly pms: string;
  /** The banking day of the cut-off. */
  readonly day: string;
}

/**
 * Puts all that we owe a portal into one payout: settlements, minus refunds, and adjustments. The
 * lines of a failed or returned payout are carried forward. If nothing is left to pay, it returns null and
 * everything waits. The portal's `payout_setting` is locked, so no other payout is created at the same time.
 */
export async function createPayout(uow: UnitOfWork, input: Input): Promise<PayoutOutput | null> {
  const { tx, now, service } = uow;
  const { partnerId, pms, method, destination, day } = input;
  const lines = await linesDue(tx, partnerId);
  const amount = lines.reduce((sum, it) => sum + it.amountInCents, 0);
  if (amount <= 0) return null;
  const id = newId('pyt', now);
  const isSent = method === 'credit' && service.payoutRail?.takes(destination);
  const rail = isSent ? (service.payoutRail?.name ?? null) : null;
  await tx.run(sql`
    insert into payout (partner_id, id, method, status, day, amount_in_cents, line_count, destination,
      rail, check_at, created_at, updated_at)
    values (${partnerId}, ${id}, ${method}, 'pending', ${day}, ${amount}, ${lines.length},
      ${destination}, ${rail}::text, case when ${rail}::text is not null then ${now}::timestamptz end,
      ${now}, ${now})`);
  const numbered = lines.map((it, index) => ({ ...it, number: index + 1 }));
  await tx.run(sql`
    insert into payout_line (partner_id, payout_id, number, kind, source_id, amount_in_cents,
      carried_from)
    select ${partnerId}, ${id}, l.number, l.kind, l.source_id, l.amount_in_cents, l.carried_from
    from ${recordset(numberedRow, numbered, 'l')}`);
  await takeSettlements(uow, { partnerId, pms, payoutId: id, day });
  const payout = await findPayout(tx, { partnerId, id });
  const { version } = payout;
  emitForPartner(uow, { partnerId, pms }, [
    { type: 'payout.created', version, data: payoutData(payout) },
  ]);
  return payout;
}

const lineRow = row('line due', {
  kind: oneOf(...payoutLineKinds),
  sourceId: text,
  amountInCents: bigint,
  carriedFrom: nullable(text),
});
const numberedRow = row('new payout line', {
  number: integer,
  kind: oneOf(...payoutLineKinds),
  sourceId: text,
  amountInCents: bigint,
  carriedFrom: nullable(text),
});

/** Reads the lines to pay. Locks the settlements, so that no report of a debit comes in between. */
async function linesDue(tx: Tx, partnerId: string): Promise<RowOf<typeof lineRow>[]> {
  const carriedFrom = (sourceId: Sql) => sql`
    (select max(l.payout_id) from payout_line l
      where l.partner_id = ${partnerId} and l.source_id = ${sourceId})`;
  const isOpen = (sourceId: Sql) => sql`
    not exists (select from payout_line l
      where l.partner_id = ${partnerId} and l.source_id = ${sourceId} and not l.released)`;
  const settlements = await tx.many(
    lineRow,
    sql`
    /* many rows: all that is owed to the partner */
    select 'settlement' as kind, s.id as source_id, s.amount_in_cents,
      ${carriedFrom(sql`s.id`)} as carried_from
    from settlement s
      join tenant t on t.partner_id = s.partner_id and t.id = s.tenant_id
      join plan p on p.partner_id = s.partner_id and p.id = s.plan_id
    where s.partner_id = ${partnerId} and ((s.status = 'unsettled' and s.payout_id is null
        and p.state <> 'canceled')
      or (s.status in ('failed', 'returned') and s.payout_id is not null and ${isOpen(sql`s.id`)}))
    order by t.partner_id, t.id, s.id for update of t, s`,
  );
  const others = await tx.many(
    lineRow,
    sql`
    /* many rows: all that is owed to the partner */
    select 'refund' as kind, f.id as source_id, -f.amount_in_cents as amount_in_cents,
      ${carriedFrom(sql`f.id`)} as carried_from
    from refund f
    where f.partner_id = ${partnerId} and f.deducted and ${isOpen(sql`f.id`)}
    union all
    select 'adjustment', a.id, a.amount_in_cents, ${carriedFrom(sql`a.id`)}
    from payout_adjustment a
    where a.partner_id = ${partnerId} and ${isOpen(sql`a.id`)}
    order by 2`,
  );
  return [...settlements.sort(byId), ...others.sort(byKind)];
}

const byId = (one: { sourceId: string }, other: { sourceId: string }) =>
  one.sourceId < other.sourceId ? -1 : 1;
const kindPosition = (kind: PayoutLineKind) => payoutLineKinds.indexOf(kind);
const byKind = (one: RowOf<typeof lineRow>, other: RowOf<typeof lineRow>) =>
  kindPosition(one.kind) - kindPosition(other.kind) || byId(one, other);

interface Taken {
  readonly partnerId: string;
  readonly pms: string;
  readonly payoutId: string;
  readonly day: string;
}

/** Assigns the settlements to the payout. Those of a failed or returned one are unsettled again. */
async function takeSettlements(uow: UnitOfWork, taken: Taken): Promise<void> {
  const { partnerId, pms, payoutId, day } = taken;
  await giveToPayout(uow, { partnerId, payoutId, day });
  const again = await moveWithPayout(uow, {
    partnerId,
    pms,
    payoutId,
    to: 'unsettled',
    from: settlementStatuses.filter((it) => it === 'failed' || it === 'returned'),
  });
  // We owe their charges again, so the month may no longer count as unpaid.
  const tenants = again.map(({ tenantId }) => ({ partnerId, pms, tenantId }));
  if (tenants.length > 0) await emitEligibilityOf(uow, tenants);
}
