import { type PayoutLine, type PayoutStatement, payoutLineKinds } from '@svc/contract';
import { bigint, integer, nullable, oneOf, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { csvLine } from '../csv-line.ts';
import { findPayout } from './read.ts';

interface PayoutKey {
  readonly partnerId: string;
  readonly id: string;
}

export function readPayoutStatement(
  { tx, actor }: Pick<Ctx<PartnerActor>, 'tx' | 'actor'>,
  { id }: { readonly id: string },
): Promise<PayoutStatement> {
  return payoutStatementOf(tx, { partnerId: actor.partnerId, id });
}

/** Returns the statement as a CSV file (RFC 4180): a header, one row for each line, and a row with the sum. */
export async function readPayoutStatementAsCsv(
  ctx: Pick<Ctx<PartnerActor>, 'tx' | 'actor'>,
  input: { readonly id: string },
): Promise<string> {
  return csvOf(await readPayoutStatement(ctx, input));
}

/** @throws Refusal `payout_not_found` */
export async function payoutStatementOf(q: Queryable, key: PayoutKey): Promise<PayoutStatement> {
  const payout = await findPayout(q, key);
  const lines = await readLines(q, key);
  const sumOf = (some: readonly PayoutLine[]) =>
    some.reduce((sum, it) => sum + it.amount_in_cents, 0);
  return {
    ...payout,
    carried_forward_in_cents: sumOf(lines.filter((it) => it.carried_from !== null)),
    totals: payoutLineKinds.map((kind) => {
      const ofKind = lines.filter((it) => it.kind === kind);
      return { kind, count: ofKind.length, amount_in_cents: sumOf(ofKind) };
    }),
    lines,
  };
}

const lineRow = row('line of a payout', {
  number: integer,
  kind: oneOf(...payoutLineKinds),
  id: text,
  settlement_id: nullable(text),
  external_id: nullable(text),
  plan_id: nullable(text),
  amount_in_cents: bigint,
  carried_from: nullable(text),
  reason: nullable(text),
});

function readLines(q: Queryable, { partnerId, id }: PayoutKey): Promise<PayoutLine[]> {
  return q.many(
    lineRow,
    sql`
    select l.number, l.kind, l.source_id as id, s.id as settlement_id, t.external_id, s.plan_id,
      l.amount_in_cents, l.carried_from, coalesce(f.reason, a.reason) as reason
    from payout_line l
      left join refund f on f.partner_id = l.partner_id and f.id = l.source_id
      left join payout_adjustment a on a.partner_id = l.partner_id and a.id = l.source_id
      left join settlement s on s.partner_id = l.partner_id
        and s.id = coalesce(f.settlement_id, l.source_id)
      left join tenant t on t.partner_id = s.partner_id and t.id = s.tenant_id
    where l.partner_id = ${partnerId} and l.payout_id = ${id} order by l.number`,
  );
}

const columns = [
  'number',
  'kind',
  'id',
  'settlement_id',
  'external_id',
  'plan_id',
  'amount_in_cents',
  'carried_from',
  'reason',
] as const;

export function csvOf({ id, amount_in_cents, lines }: PayoutStatement): string {
  const total = { kind: 'total', id, amount_in_cents } as Readonly<Record<string, unknown>>;
  return [
    columns,
    ...lines.map((it) => columns.map((column) => it[column])),
    columns.map((column) => total[column] ?? null),
  ]
    .map(csvLine)
    .join('');
}
