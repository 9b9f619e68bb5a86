import { bigint, date, type RowOf, recordset, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';

const newSettlementRow = row('new settlement', {
  id: text,
  partnerId: text,
  tenantId: text,
  planId: text,
  amountInCents: bigint,
  rentCycleDate: date,
  debitBy: date,
  /** The last day before an open settlement counts as stale. */
  staleAfter: date,
});

export type NewSettlement = RowOf<typeof newSettlementRow>;

/** Stores what we owe portals for plans. A plan has one settlement. */
export function createSettlements(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  settlements: readonly NewSettlement[],
): void {
  tx.send(sql`
    insert into settlement (partner_id, id, tenant_id, plan_id, status, amount_in_cents,
      rent_cycle_date, debit_by, stale_after, created_at, updated_at)
    select s.partner_id, s.id, s.tenant_id, s.plan_id, 'unsettled', s.amount_in_cents,
      s.rent_cycle_date, s.debit_by, s.stale_after, ${now}::timestamptz, ${now}::timestamptz
    from ${recordset(newSettlementRow, settlements, 's')}`);
}
