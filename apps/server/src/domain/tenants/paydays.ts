import type { Paydays } from '@svc/contract';
import { type Sql, sql } from '@svc/db';
import type { Vault } from '@svc/runtime';
import type { TenantKey } from '../tenant-key.ts';
import type { Tenant } from './tenant.ts';

/** Encrypts a tenant's paydays, as base64. They say when and how often the tenant gets paid. */
export function sealPaydays(
  vault: Vault,
  tenantId: string,
  paydays: Paydays | null,
): string | null {
  return paydays && vault.seal(JSON.stringify(paydays), tenantId).toString('base64');
}

/** The days on which the tenant's payments are due; null for the standard dates. */
export function openPaydays(
  vault: Vault,
  { id, paydaysSealed }: Pick<Tenant, 'id' | 'paydaysSealed'>,
): Paydays | null {
  return paydaysSealed === null
    ? null
    : (JSON.parse(vault.open(Buffer.from(paydaysSealed, 'base64'), id)) as Paydays);
}

/** A statement that stores what `sealPaydays` returned. */
export function keepPaydays({ partnerId, tenantId }: TenantKey, sealed: string | null): Sql {
  return sql`
    update tenant set paydays_sealed = decode(${sealed}::text, 'base64')
    where partner_id = ${partnerId} and id = ${tenantId}`;
}
