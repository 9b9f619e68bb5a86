import { bigint, date, instant, json, nullable, row, type Sql, sql, text } from '@svc/db';
import { z } from 'zod';
import { byKey } from '../../cluster.ts';
import { booksTimeZone } from '../books/books-day.ts';
import { transfersOfDays } from '../ledger/day-totals.ts';
import { areRows } from '../partner-of-rows.ts';
import { type OperatorCtx, partnersOf } from './money-reports.ts';

interface PostingFilter {
  readonly account: string;
  readonly partner?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The entries of one kind of account, newest first: from the trial balance down to what each was posted for. */
export async function readPostings(ctx: OperatorCtx, filter: PostingFilter) {
  const { limit } = filter;
  const partners = await partnersOf(ctx, filter.partner);
  const found = await newestEntries(ctx, [...partners.keys()], filter);
  const shown = found.slice(0, limit);
  const rows = await describeEntries(ctx, shown);
  const items = rows.map(({ partnerId, postedAt, ...it }) => ({
    ...it,
    partner: partners.get(partnerId) ?? '',
    posted_at: postedAt.toISOString(),
  }));
  return { items, next_cursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

const accountRow = row('account of a partner', { partnerId: text, id: text });
const entryRow = row('entry of an account', { partnerId: text, id: text, accountId: text });

const dayOfTransfer = sql`(l.occurred_at at time zone ${booksTimeZone})::date`;

/**
 * Reads one more entry than a page has. The statement names each account, so that PostgreSQL reads the ledger from
 * its end, and sorts the entries only of an account that has few. The ledger has no index by day, so for certain days
 * it also names the ids that their totals have; other days may share these ids.
 */
async function newestEntries(
  { tx }: OperatorCtx,
  partnerIds: readonly string[],
  { account, from, to, cursor, limit }: PostingFilter,
) {
  const matchesFilter = sql`
    (${from ?? null}::date is null or ${dayOfTransfer} >= ${from ?? null}::date)
    and (${to ?? null}::date is null or ${dayOfTransfer} <= ${to ?? null}::date)
    and (${cursor ?? null}::text is null or e.transfer_id < ${cursor ?? null})`;
  const newest = (partnerId: string, ofAccount: Sql, which = sql`true`) => sql`
    (select e.partner_id, e.transfer_id as id, e.account_id
    from ledger_entry e
      cross join lateral (select l.occurred_at from ledger_transfer l
        where l.partner_id = e.partner_id and l.id = e.transfer_id ${byKey(tx)}) l
    where e.partner_id = ${partnerId} and ${ofAccount} and ${which} and ${matchesFilter}
    order by e.transfer_id desc limit ${limit + 1})`;
  const days = { partnerIds, kind: account, from: from ?? null, to: to ?? null };
  const isAllDays = days.from === null && days.to === null;
  const transfers = isAllDays ? null : await transfersOfDays(tx, days);
  const newestOf = (partnerId: string, ofAccount: Sql) => {
    const found = transfers?.get(partnerId);
    if (!found) return [newest(partnerId, ofAccount)];
    return [
      newest(partnerId, ofAccount, sql`e.transfer_id between ${found.first} and ${found.last}`),
      newest(partnerId, ofAccount, sql`e.transfer_id = any(${found.unsealed}::text[])`),
    ];
  };
  const each = hasOneOfEachTenant(account)
    ? partnerIds.flatMap((partnerId) =>
        newestOf(
          partnerId,
          sql`exists (select from ledger_account a
            where a.partner_id = ${partnerId} and a.id = e.account_id and a.kind = ${account})`,
        ),
      )
    : (await accountsOf(tx, partnerIds, account)).flatMap(({ partnerId, id }) =>
        newestOf(partnerId, sql`e.account_id = ${id}`),
      );
  if (each.length === 0) return [];
  return tx.many(
    entryRow,
    sql`
    /* many rows: transfers of other accounts in between, for each partner */
    select * from (${each.reduce((all, one) => sql`${all} union ${one}`)}) e
    order by e.id desc, e.account_id limit ${limit + 1}`,
  );
}

/** Returns whether each tenant has an account of this kind. Of the other kinds, each partner has one. */
function hasOneOfEachTenant(kind: string): boolean {
  return kind === 'tenant_receivable';
}

function accountsOf(tx: OperatorCtx['tx'], partnerIds: readonly string[], kind: string) {
  return tx.many(
    accountRow,
    sql`
    /* many rows: an account of each partner */
    select a.partner_id, a.id from ledger_account a
    where a.partner_id = any(${partnerIds}::text[]) and a.tenant_id is null and a.kind = ${kind}`,
  );
}

const postingRow = row('posting of an account', {
  transfer_id: text,
  partnerId: text,
  external_id: nullable(text),
  day: date,
  postedAt: instant,
  kind: text,
  cause_id: text,
  amount_in_cents: bigint,
  others: json(z.array(z.object({ account: z.string(), amount_in_cents: z.int() }))),
});

async function describeEntries(
  { tx }: OperatorCtx,
  entries: readonly {
    readonly partnerId: string;
    readonly id: string;
    readonly accountId: string;
  }[],
) {
  if (entries.length === 0) return [];
  return tx.many(
    postingRow,
    sql`
    select l.id as transfer_id, l.partner_id, coalesce(t.external_id, (
        select k.external_id from ledger_entry o
          join ledger_account b on b.partner_id = o.partner_id and b.id = o.account_id
          join tenant k on k.partner_id = b.partner_id and k.id = b.tenant_id
        where o.partner_id = l.partner_id and o.transfer_id = l.id
        order by k.id limit 1)) as external_id, ${dayOfTransfer} as day,
      l.created_at as posted_at, l.kind, l.source_id as cause_id, e.amount_in_cents,
      (select coalesce(jsonb_agg(jsonb_build_object('account', b.kind,
          'amount_in_cents', o.amount_in_cents) order by b.kind), '[]')
        from ledger_entry o
          join ledger_account b on b.partner_id = o.partner_id and b.id = o.account_id
        where o.partner_id = l.partner_id and o.transfer_id = l.id
          and o.account_id <> e.account_id) as others
    from ledger_transfer l
      cross join lateral (
        select * from ledger_entry e
        where e.partner_id = l.partner_id and e.transfer_id = l.id ${byKey(tx)}) e
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
      left join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
    where ${areRows([sql`l.partner_id`, sql`l.id`], entries)}
      and e.account_id = any(${entries.map(({ accountId }) => accountId)}::text[])
    order by l.id desc, e.account_id`,
  );
}
