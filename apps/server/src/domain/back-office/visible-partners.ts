import { type Queryable, row, sql, text } from '@svc/db';
import type { OperatorActor } from '../access/actor.ts';

const partnerRow = row('visible partner', { id: text, pms: text });

/**
 * The names of the partners that the operator may see, by their ids. A statement compares with their list, so that
 * an index finds a row whose partner is not known yet.
 */
export async function visiblePartners(
  q: Queryable,
  { partners }: Pick<OperatorActor, 'partners'>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await q.many(
    partnerRow,
    sql`
    /* many rows: all partners */
    select id, pms from partner
    where ${partners}::text[] is null or id = any(${partners}::text[])`,
  );
  return new Map(rows.map(({ id, pms }) => [id, pms]));
}
