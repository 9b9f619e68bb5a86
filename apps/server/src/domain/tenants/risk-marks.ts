import { createHmac, randomBytes } from 'node:crypto';
import { bytes, row, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import type { TenantKey } from '../tenant-key.ts';
import type { Lease } from './tenant.ts';

/**
 * Stores a keyed hash of the bank account that a tenant has added, to find other tenants who use it. Without
 * the partner's key, which is sealed, guesses of account numbers cannot be tested.
 */
export async function markAccount(
  uow: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  tenant: TenantKey,
  account: string,
): Promise<void> {
  await storeMark(uow, tenant, 'account', account);
}

/** Stores a keyed hash of the tenant's home, unless the portal has not reported which unit it is. */
export async function markAddress(
  uow: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  tenant: TenantKey,
  lease: Lease | null,
): Promise<void> {
  const { id, line2 } = lease?.property ?? {};
  if (id === undefined || !line2) return;
  const unit = line2.toLowerCase().split(' ').filter(Boolean).join(' ');
  await storeMark(uow, tenant, 'address', JSON.stringify([id, unit]));
}

async function storeMark(
  uow: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  { partnerId, tenantId }: TenantKey,
  kind: 'account' | 'address',
  text: string,
): Promise<void> {
  const key = await keyOf(uow, partnerId);
  const hash = createHmac('sha256', key).update(`${kind} ${text}`).digest();
  await uow.tx.run(sql`
    insert into risk_mark (partner_id, kind, mark, tenant_id, marked_at)
    values (${partnerId}, ${kind}, ${hash}, ${tenantId}, ${uow.now})
    on conflict (partner_id, kind, mark, tenant_id) do update set marked_at = excluded.marked_at`);
}

const keyRow = row('key of marks', { keySealed: bytes });

/** The partner's key. Sealed by the vault, so it stays the same when the vault's key is replaced. */
async function keyOf(
  { tx, service: { vault } }: Pick<UnitOfWork, 'tx' | 'service'>,
  partnerId: string,
): Promise<Buffer> {
  const stored = sql`select key_sealed from risk_key where partner_id = ${partnerId}`;
  let found = await tx.maybe(keyRow, stored);
  if (!found) {
    const sealed = vault.seal(randomBytes(32).toString('base64'), partnerId);
    // Another process may store a key at the same time. Then this insert waits for it, and both use that key.
    await tx.run(sql`
      insert into risk_key (partner_id, key_sealed) values (${partnerId}, ${sealed})
      on conflict (partner_id) do nothing`);
    found = await tx.one(keyRow, stored);
  }
  return Buffer.from(vault.open(found.keySealed, partnerId), 'base64');
}
