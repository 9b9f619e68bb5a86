import { type Queryable, row, sql, text } from '@svc/db';
import type { OperatorActor } from '../access/actor.ts';
import { OutsideLimits } from '../operators/partners-of.ts';

const partnerRow = row('visible partner', { id: text, pms: text });

/**
 * Reads the names of the partners that the operator may see, by their ids. Statements compare with the list of these
 * ids, so that an index finds a row whose partner is not known yet.
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

/** @throws Refusal for an operator limited to certain partners, because the books cover all of them */
export function requireAllPartners({
  actor,
}: {
  readonly actor: Pick<OperatorActor, 'partners'>;
}): void {
  if (actor.partners === null) return;
  throw new OutsideLimits('permission_required', {
    message: 'The books are about all portals, and you may see some of them only.',
  });
}
