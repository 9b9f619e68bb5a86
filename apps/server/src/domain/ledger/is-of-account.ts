import { type Sql, sql } from '@svc/db';

/**
 * Returns a SQL condition: the account of the partner's ledger entry `e` is of this kind. A subquery finds the account
 * by its key, because for a join with the accounts of a kind, PostgreSQL may read all of the partner's accounts.
 */
export function isOfAccount(
  kind: 'credit_loss' | 'processor_clearing' | 'tenant_receivable',
  { partnerId }: { readonly partnerId: Sql },
): Sql {
  return sql`(select a.kind from ledger_account a
    where a.partner_id = ${partnerId} and a.id = e.account_id) = ${kind}`;
}
