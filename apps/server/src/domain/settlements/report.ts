import { type SettlementReport, settlementStatuses } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { settlementsOfDay } from './read.ts';

const columns = [
  'id',
  'external_id',
  'plan_id',
  'status',
  'amount_in_cents',
  'rent_cycle_date',
  'debit_by',
  'processor_transaction_id',
  'failure_reason',
  'is_stale',
  'created_at',
] as const;

/** One day's settlements for the partner's books. */
export async function reportSettlements(
  ctx: Ctx<PartnerActor>,
  { date }: { date: string },
): Promise<SettlementReport> {
  const items = await settlementsOfDay(ctx, date);
  const totals = settlementStatuses.map((status) => {
    const of = items.filter((it) => it.status === status);
    const amount_in_cents = of.reduce((sum, it) => sum + it.amount_in_cents, 0);
    return { status, count: of.length, amount_in_cents };
  });
  const lines = [columns, ...items.map((it) => columns.map((column) => it[column]))];
  const csv = lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
  return { date, items, totals, csv };
}

/** RFC 4180; a leading sign would be a formula to a spreadsheet. */
function cell(value: unknown): string {
  const text = value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
