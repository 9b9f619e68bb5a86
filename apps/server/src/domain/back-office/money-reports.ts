import { delinquencyAges, type operatorPayoutsQuery } from '@svc/contract/operator';
import { bigint, json, nullable, oneOf, row, type Sql, sql, text } from '@svc/db';
import { z } from 'zod';
import { byKey } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import { firstIdAt } from '../../ids.ts';
import type { OperatorActor } from '../access/actor.ts';
import { findBankAccount } from '../books/bank-accounts.ts';
import { booksDay, booksToday } from '../books/books-day.ts';
import { type TrialBalance, trialBalance } from '../books/trial-balance.ts';
import { csvLine } from '../csv-line.ts';
import { feesByMonth } from '../ledger/day-totals.ts';
import { mostListed } from '../listed.ts';
import { requirePartner } from '../operators/partners-of.ts';
import { listAllPayouts } from '../payouts/by-operator.ts';
import { listLosses } from '../plans/list-losses.ts';
import { Refusal } from '../refusal.ts';
import { requireAllPartners, visiblePartners } from './visible-partners.ts';

export type OperatorCtx = Pick<Ctx, 'tx' | 'now' | 'service'> & {
  readonly actor: Pick<OperatorActor, 'partners'>;
};

/** Returns the names of the partners that the operator may see, or only of the named one, by their ids. */
export async function partnersOf(
  { tx, actor }: Pick<OperatorCtx, 'tx' | 'actor'>,
  pms?: string,
): Promise<ReadonlyMap<string, string>> {
  if (pms === undefined) return visiblePartners(tx, actor);
  const { id } = await requirePartner(tx, actor, pms);
  return new Map([[id, pms]]);
}

export function readTrialBalance(
  ctx: OperatorCtx,
  { as_of: asOf }: { readonly as_of?: string | undefined },
): Promise<TrialBalance> {
  requireAllPartners(ctx);
  return trialBalance(ctx, asOf ?? booksDay(ctx.now));
}

const bookedItem = z.object({
  item: z.string(),
  amount_in_cents: z.int(),
  kind: z.string(),
  reference: z.string(),
  day: z.string(),
});
const lineRow = row('line of a statement with its match', {
  id: text,
  kind: text,
  amount_in_cents: bigint,
  reference: text,
  description: text,
  match: nullable(
    json(
      z.object({
        id: z.string(),
        rule: z.string(),
        reason: z.string(),
        matched_by: z.string(),
        items: z.array(bookedItem),
      }),
    ),
  ),
  candidates: json(z.array(bookedItem)),
});

const mostCandidates = 5;
const mostLines = 1_000;
/** The most rows in a report's file. A file is meant to have all of them; this only bounds its memory. */
export const mostInFile = 100_000;

interface DayOfBank {
  readonly bank: string;
  readonly day: string;
}

const itemsAsJson = (rows: Sql) => sql`
  (select coalesce(json_agg(json_build_object('item', i.transfer_id || '/' || i.ledger_account,
      'amount_in_cents', i.amount_in_cents, 'kind', i.kind, 'reference', i.reference,
      'day', i.day) order by i.day, i.transfer_id), '[]') from (${rows}) i)`;

/** The lines of a day, what each is matched with and why, and what an open one may belong to. */
export async function readStatementLines(
  ctx: OperatorCtx,
  { bank, day }: DayOfBank,
  { inFile = false } = {},
) {
  requireAllPartners(ctx);
  const { id, ledger_account: ledgerAccount } = await findBankAccount(ctx.tx, bank);
  const items = await ctx.tx.many(
    lineRow,
    sql`
    /* many rows: the lines of a day */
    /* all partners: a statement is about all of them */
    select l.id, l.kind, l.amount_in_cents, l.reference, l.description,
      (select json_build_object('id', m.id, 'rule', m.rule, 'reason', m.reason,
          'matched_by', m.matched_by, 'items',
          ${itemsAsJson(sql`select * from book_item k where k.match_id = m.id limit 100`)})
        from book_match m where m.id = l.match_id) as match,
      case when l.match_id is not null then '[]'::json else
        ${itemsAsJson(sql`select * from book_item k
          where k.match_id is null and k.ledger_account = ${ledgerAccount}
            and (k.amount_in_cents = l.amount_in_cents
              or (l.reference <> '' and k.reference = l.reference))
          limit ${mostCandidates}`)} end as candidates
    from bank_statement s join bank_line l on l.statement_id = s.id
    where s.bank_account_id = ${id} and s.from_day <= ${day}::date and s.to_day >= ${day}::date
      and l.booked_on = ${day}::date
    order by l.number limit ${inFile ? mostInFile : mostLines}`,
  );
  return { items };
}

/** The lines of a day for a spreadsheet, each with the rule that matched it. */
export async function linesAsCsv(ctx: OperatorCtx, { bank, day }: DayOfBank): Promise<string> {
  const { items } = await readStatementLines(ctx, { bank, day }, { inFile: true });
  return asCsv(
    items.map(({ id, kind, amount_in_cents, reference, description, match }) => ({
      bank,
      day,
      id,
      kind,
      amount_in_cents,
      reference,
      description,
      match: match?.rule ?? null,
      reason: match?.reason ?? null,
      matched_by: match?.matched_by ?? null,
    })),
  );
}

export async function readPayouts(
  ctx: OperatorCtx,
  { partner, status }: z.output<typeof operatorPayoutsQuery>,
  { inFile = false } = {},
) {
  const partnerIds = [...(await partnersOf(ctx, partner)).keys()];
  const { items, has_more } = await listAllPayouts(ctx.tx, {
    partnerIds,
    status: status ?? null,
    limit: inFile ? mostInFile : mostListed,
  });
  return { items: items.map(({ pms, ...payout }) => ({ ...payout, partner: pms })), has_more };
}

const delinquencyRow = row('delinquency of an age', {
  partner: text,
  age: oneOf(...delinquencyAges),
  plans: bigint,
  late_in_cents: bigint,
  owed_in_cents: bigint,
});

/** Sums up late payments by the age of the plan's oldest one. Days are those of wall time in the books. */
export async function readDelinquency(ctx: OperatorCtx) {
  const partnerIds = [...(await partnersOf(ctx)).keys()];
  const today = await booksToday(ctx.tx, {
    today: booksDay(ctx.now),
    isSandbox: ctx.service.simulator !== null,
  });
  const items = await ctx.tx.many(
    delinquencyRow,
    sql`
    /* many rows: all that is late */
    select o.pms as partner, x.age, count(*) as plans, sum(x.late)::int8 as late_in_cents,
      sum(x.owed)::int8 as owed_in_cents
    from (
      select i.partner_id,
        case when ${today}::date - min(i.due_date) <= 30 then '1-30'
          when ${today}::date - min(i.due_date) <= 60 then '31-60'
          when ${today}::date - min(i.due_date) <= 90 then '61-90' else '91+' end as age,
        sum(i.amount_in_cents) as late,
        (select sum(k.amount_in_cents) from installment k
          where k.partner_id = i.partner_id and k.plan_id = i.plan_id
            and k.state not in ('paid', 'canceled')) as owed
      from installment i cross join lateral (
        select p.state from plan p
        where p.partner_id = i.partner_id and p.id = i.plan_id ${byKey(ctx.tx)}) p
      where i.partner_id = any(${partnerIds}::text[]) and i.state in ('failed', 'overdue')
        and p.state in ('active', 'past_due')
      group by i.partner_id, i.plan_id) x
      join partner o on o.id = x.partner_id
    group by o.pms, x.age order by o.pms, x.age`,
  );
  return { items };
}

/** Plans that were charged off, newest first: a page of them, or all for a file. */
export async function readLosses(ctx: OperatorCtx, { inFile = false } = {}) {
  const partnerIds = [...(await partnersOf(ctx)).keys()];
  const limit = inFile ? mostInFile : mostListed;
  const { items, has_more } = await listLosses(ctx, partnerIds, limit);
  return { items: items.map(({ pms, ...loss }) => ({ ...loss, partner: pms })), has_more };
}

const portfolioRow = row('portfolio of a month', {
  partner: text,
  month: text,
  plans: bigint,
  principal_in_cents: bigint,
  fee_in_cents: bigint,
  open: bigint,
  past_due: bigint,
  completed: bigint,
  canceled: bigint,
  charged_off: bigint,
});

const mostMonths = 36;

interface Months {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The plans by partner and by the month of wall time in which they were agreed. */
export async function readPortfolio(ctx: OperatorCtx, months: Months) {
  const { first, last } = monthsOf(ctx, months);
  const partnerIds = [...(await partnersOf(ctx)).keys()];
  const state = (name: string) => sql`count(*) filter (where p.state = ${name})`;
  const items = await ctx.tx.many(
    portfolioRow,
    sql`
    /* many rows: the plans of these months */
    select o.pms as partner, to_char(p.created_at at time zone 'UTC', 'YYYY-MM') as month,
      count(*) as plans, sum(p.principal_in_cents)::int8 as principal_in_cents,
      sum(p.fee_in_cents)::int8 as fee_in_cents, count(*) filter (where p.state in ('created', 'active')) as open,
      ${state('past_due')} as past_due, ${state('completed')} as completed,
      ${state('canceled')} as canceled, ${state('charged_off')} as charged_off
    from plan p join partner o on o.id = p.partner_id
    where p.partner_id = any(${partnerIds}::text[]) and p.id >= ${firstIdAt('pln', startOf(first))}
      and p.id < ${firstIdAt('pln', startOf(last + 1))}
    group by 1, 2 order by 1, 2`,
  );
  return { items };
}

/**
 * Fees that tenants paid for plans, and that processors and banks took, by partner and month of the books, over sealed
 * transfers, as in the trial balance.
 */
export async function readFees(ctx: OperatorCtx, months: Months) {
  const { first, last } = monthsOf(ctx, months);
  const partners = await partnersOf(ctx);
  const rows = await feesByMonth(ctx.tx, {
    partnerIds: [...partners.keys()],
    from: startOf(first).toISOString().slice(0, 10),
    // The clocks of simulated tenants run ahead of ours.
    before:
      months.to === undefined
        ? 'infinity'
        : startOf(last + 1)
            .toISOString()
            .slice(0, 10),
  });
  const items = rows.map(({ partnerId, ...it }) => ({
    partner: partners.get(partnerId) ?? '',
    ...it,
  }));
  return { items: items.toSorted((a, b) => a.partner.localeCompare(b.partner)) };
}

/** @throws Refusal for a period that is too long, or ends before it begins */
function monthsOf({ now }: OperatorCtx, { from, to }: Months) {
  const last = monthNumber(to ?? booksDay(now).slice(0, 7));
  const first = from === undefined ? last - 11 : monthNumber(from);
  if (first <= last && last - first < mostMonths) return { first, last };
  const message = `must be ${mostMonths} months at most, and not end before it begins`;
  throw new Refusal('validation_failed', {
    message: `The time ${message}.`,
    param: 'from',
    errors: [{ param: 'from', code: 'invalid_value', message }],
  });
}

function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
}

function startOf(month: number): Date {
  return new Date(Date.UTC(Math.floor(month / 12), month % 12, 1));
}

/** Formats a report's rows as CSV. Their keys are the columns, and cents become dollars. */
export function asCsv(items: readonly Readonly<Record<string, unknown>>[]): string {
  const [first] = items;
  if (!first) return '';
  const keys = Object.keys(first);
  const lines = items.map((item) =>
    csvLine(
      keys.map((key) =>
        key.endsWith('_in_cents') && item[key] !== null
          ? (Number(item[key]) / 100).toFixed(2)
          : item[key],
      ),
    ),
  );
  return [csvLine(keys.map((key) => key.replace(/_in_cents$/, ''))), ...lines].join('');
}
