import { type Queryable, row, type Sql, sql, text } from '@svc/db';

const subjects = {
  application_id: sql`application`,
  key_id: sql`api_key`,
  mail_id: sql`mail`,
  payment_id: sql`payment`,
  payout_id: sql`payout`,
  plan_id: sql`plan`,
  settlement_id: sql`settlement`,
} as const satisfies Record<string, Sql>;

export type Subject = keyof typeof subjects;

const partnerRow = row('partner of an id', { partnerId: text });

/**
 * Finds the id of the partner that a payment, a plan or something else belongs to, for an operator who names nothing
 * but its id. Returns null if there is none; a statement that compares a row's partner with null finds nothing.
 */
export async function partnerOf(
  q: Queryable,
  { subject, id }: { readonly subject: Subject; readonly id: string },
): Promise<string | null> {
  const found = await q.maybe(
    partnerRow,
    sql`
    /* many rows: a lookup for each partner, because indexes begin with it; without them, the whole index is read */
    /* all partners: the id says which */
    select partner_id from ${subjects[subject]}
    where partner_id = any(array(select id from partner)) and id = ${id}`,
  );
  return found?.partnerId ?? null;
}
