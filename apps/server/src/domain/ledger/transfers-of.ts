import { type Sql, sql } from '@svc/db';

/** A condition on the transfers `l` of a seal. */
export function transfersOf(partnerId: string, ids: readonly string[]): Sql {
  return sql`l.partner_id = ${partnerId} and l.id = any(${ids}::text[])`;
}
