import type { Locale } from '@svc/contract';
import { sql, type Tx } from '@svc/db';
import type { TenantKey } from '../tenant-key.ts';

/** Stores the language that the tenant reads, for mails. */
export async function keepLocale(
  tx: Tx,
  { partnerId, tenantId }: TenantKey,
  locale: Locale,
): Promise<void> {
  await tx.run(sql`
    update tenant set locale = ${locale}
    where partner_id = ${partnerId} and id = ${tenantId} and locale is distinct from ${locale}`);
}
