import { bigint, date, type Queryable, row, sql, text } from '@svc/db';
import { booksRefusal } from './refuse.ts';

/** The part of a processor's deposit that belongs to one partner. */
export interface Share {
  readonly partnerId: string;
  readonly amountInCents: number;
}

const lineRow = row('deposit of a report', {
  bankAccountId: text,
  bookedOn: date,
  amountInCents: bigint,
  reference: text,
});
const shareRow = row('share of a deposit', {
  day: date,
  partnerId: text,
  amountInCents: bigint,
});

/** How far back the paid day is searched. A processor pays what is some days old; an older day would be a guess. */
const mostDays = 14;

/**
 * A processor pays one amount for all partners: what its balance was at the end of some day, minus what
 * it has paid before. Finds the latest day whose matched lines have that sum, and each partner's part of it.
 * Undefined if the line is not a deposit.
 * @throws Refusal if there is no such day, so that a part of it is never guessed
 */
export async function shareDeposit(q: Queryable, item: string): Promise<Share[] | undefined> {
  const line = await q.maybe(
    lineRow,
    sql`
    select bank_account_id, booked_on,
      amount_in_cents, reference
    from bank_line where id = ${item} and kind = 'deposit'`,
  );
  if (!line) return undefined;
  const rows = await q.many(
    shareRow,
    sql`
    /* all partners: a processor has one account for all of them */
    with matched as (
      select i.partner_id, i.amount_in_cents, m.day, m.paid
      from book_item i cross join lateral (
        select max(l.booked_on) as day, bool_or(l.kind = 'deposit') as paid from bank_line l
        where l.match_id = i.match_id and l.bank_account_id = ${line.bankAccountId}) m
      where i.ledger_account = 'processor_clearing' and m.day is not null
    ), ends as (
      select ${line.bookedOn}::date - n as day from generate_series(0, ${mostDays}::integer) n
    )
    select e.day, t.partner_id, sum(t.amount_in_cents)::int8 as amount_in_cents
    from ends e join matched t on t.paid or t.day <= e.day
    group by e.day, t.partner_id having sum(t.amount_in_cents) <> 0
    order by e.day desc, t.partner_id`,
  );
  for (const day of new Set(rows.map((it) => it.day))) {
    const shares = rows.filter((it) => it.day === day);
    const total = shares.reduce((sum, it) => sum + it.amountInCents, 0);
    if (total === -line.amountInCents) {
      return shares.map(({ partnerId, amountInCents }) => ({
        partnerId,
        amountInCents: -amountInCents,
      }));
    }
  }
  throw booksRefusal(
    `No day of the ${mostDays} before ${line.reference} ends with the balance that it pays, so the portals' parts of it are not known. Explain the open lines before it first, such as fees, or name one portal with --partner <pms>.`,
  );
}
