import { type Sql, sql } from '@svc/db';
import type { Vault } from '@svc/runtime';

/** The condition that `number_hmac` is the HMAC of this number by any key of the vault. */
export function isHmacOfNumber(vault: Pick<Vault, 'digests'>, number: string): Sql {
  const list = vault
    .digests(number)
    .map((digest) => sql`${digest}::bytea`)
    .reduce((all, digest) => sql`${all}, ${digest}`);
  return sql`number_hmac in (${list})`;
}
