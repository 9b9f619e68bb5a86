import {
  type DepositOutput,
  type SettlementOutput,
  type SettlementReport,
  settlementStatuses,
} from '@svc/contract';
import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { csvLine } from '../csv-line.ts';
import { depositsOfDay } from './list-deposits.ts';
import { settlementsOfDay } from './read.ts';

type Mismatch = SettlementReport['mismatches'][number];

/** One day's settlements for the partner's books, and where they differ from the processors. */
export async function reportSettlements(
  ctx: Ctx<PartnerActor>,
  { date }: { date: string },
): Promise<SettlementReport> {
  const items = await settlementsOfDay(ctx, date);
  const deposits = await depositsOfDay(ctx, date);
  const totals = settlementStatuses.map((status) => {
    const inStatus = items.filter((it) => it.status === status);
    const amount_in_cents = inStatus.reduce((sum, it) => sum + it.amount_in_cents, 0);
    return { status, count: inStatus.length, amount_in_cents };
  });
  const repeated = await repeatedIds(ctx, items);
  const mismatches = [
    ...items.flatMap((it) => mismatchOf(it, repeated)),
    ...deposits.flatMap(mismatchOfDeposit),
  ];
  return { date, items, totals, deposits, mismatches, csv: csvOf(items, mismatches) };
}

/** The report of one day as a CSV file. */
export async function reportSettlementsAsCsv(
  ctx: Ctx<PartnerActor>,
  input: { date: string },
): Promise<string> {
  return (await reportSettlements(ctx, input)).csv;
}

const repeatedRow = row('repeated debit', { id: text });

/** Debit ids of more than one settlement: a typing error, or one debit that paid two settlements. */
async function repeatedIds(
  ctx: Ctx<PartnerActor>,
  items: readonly SettlementOutput[],
): Promise<Set<string>> {
  const ids = items.flatMap((it) => it.processor_transaction_id ?? []);
  const rows = await ctx.tx.many(
    repeatedRow,
    sql`
    /* many rows: a report of a day */
    select processor_transaction_id as id from settlement
    where partner_id = ${ctx.actor.partnerId} and processor_transaction_id = any(${ids}::text[])
    group by processor_transaction_id having count(*) > 1`,
  );
  return new Set(rows.map((it) => it.id));
}

function mismatchOf(settlement: SettlementOutput, repeated: Set<string>): Mismatch[] {
  const { id, status, processor_transaction_id: processorId } = settlement;
  // The payout has the transaction's id instead.
  if (settlement.payout_id !== null) return [];
  if (processorId === null) {
    if (status !== 'verified' && status !== 'returned') return [];
    const message = 'It has arrived, but its debit was reported without an id.';
    return [{ code: 'processor_transaction_id_missing', id, message }];
  }
  if (!repeated.has(processorId)) return [];
  const message = `The debit ${processorId} was reported for another settlement, too.`;
  return [{ code: 'processor_transaction_id_repeated', id, message }];
}

function mismatchOfDeposit(deposit: DepositOutput): Mismatch[] {
  const { id, expected_in_cents: expected, amount_in_cents: amount, mismatches } = deposit;
  if (mismatches.length === 0) return [];
  const message = `The bank deposited ${amount} cents, but ${expected} were expected: ${mismatches.length} of its lines differ.`;
  return [{ code: 'deposit_differs', id, message }];
}

const columns = [
  'id',
  'external_id',
  'plan_id',
  'status',
  'amount_in_cents',
  'refunded_in_cents',
  'rent_cycle_date',
  'debit_by',
  'processor_transaction_id',
  'payout_id',
  'failure_reason',
  'is_stale',
  'created_at',
] as const;

function csvOf(items: readonly SettlementOutput[], mismatches: readonly Mismatch[]): string {
  const codesOf = (id: string) =>
    mismatches
      .filter((it) => it.id === id)
      .map((it) => it.code)
      .join(' ');
  const lines = [
    [...columns, 'mismatches'],
    ...items.map((it) => [...columns.map((column) => it[column]), codesOf(it.id)]),
  ];
  return lines.map(csvLine).join('');
}
