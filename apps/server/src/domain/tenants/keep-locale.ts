import type { Locale, ProductVariant } from '@svc/contract';
import { type Sql, sql } from '@svc/db';
import type { TenantKey } from '../tenant-key.ts';

/** A statement that stores the language that the tenant reads, for mails. */
export function keepLocale({ partnerId, tenantId }: TenantKey, locale: Locale): Sql {
  return sql`
    update tenant set locale = ${locale}
    where partner_id = ${partnerId} and id = ${tenantId} and locale is distinct from ${locale}`;
}

/** A statement that stores the variant that the widget named, for mails. A variant from the portal stays. */
export function keepVariant({ partnerId, tenantId }: TenantKey, variant: ProductVariant): Sql {
  return sql`
    update tenant set product_variant = ${variant}
    where partner_id = ${partnerId} and id = ${tenantId} and product_variant is null`;
}
