import { listOf, type Queryable, type RowOf, row, sql, text } from '@svc/db';

const partnerRow = row('partner', {
  id: text,
  pms: text,
  name: text,
  allowedOrigins: listOf(text),
});
export type Partner = RowOf<typeof partnerRow>;

export async function findPartnerByPms(q: Queryable, pms: string): Promise<Partner | undefined> {
  return q.maybe(
    partnerRow,
    sql`
    select id, pms, name, allowed_origins as "allowedOrigins" from partner where pms = ${pms}`,
  );
}
