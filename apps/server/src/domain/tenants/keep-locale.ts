import type { Locale } from '@svc/contract';
import { sql, type Tx } from '@svc/db';

/** The language that the tenant reads, for what is sent to them later. */
export async function keepLocale(tx: Tx, tenantId: string, locale: Locale): Promise<void> {
  await tx.run(sql`
    update tenant set locale = ${locale}
    where id = ${tenantId} and locale is distinct from ${locale}`);
}
