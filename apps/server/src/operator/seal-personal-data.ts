import { bigint, type Database, integer, json, row, sql, type Tx, text } from '@svc/db';
import type { Vault } from '@svc/runtime';
import {
  openPersonal,
  type StoredPersonal,
  sealPersonal,
  storedPersonal,
  storedPersonalSchema,
} from '../domain/tenants/personal-data.ts';

/** The result of `svc-admin tenant seal`. */
export interface Sealing {
  /** Tenants whose names and addresses are no longer stored in clear text. */
  readonly sealed: number;
  /** Tenants that a running process stored in clear text during the command. */
  readonly remaining: number;
}

const batchSize = 200;

/**
 * Ends the time in which services before 0.3.0 may run on the database: encrypts the personal data of
 * every tenant, deletes the clear text, and makes those services refuse to run. Works in short
 * transactions while the service is running. After an interruption, run it again.
 *
 * A process reads when it starts whether to store clear text, so one that started before this command
 * continues to. Restart every process and run it again: then nothing remains.
 */
export async function sealPersonalData(db: Database, vault: Vault): Promise<Sealing> {
  await db.transaction(async (tx) => {
    await tx.run(sql`update installation set clear_names = false`);
    await refuseOlderServices(tx);
  });
  let sealed = 0;
  let after = { partnerId: '', id: '' };
  for (;;) {
    const found = await readBatch(db, after);
    const last = found.at(-1);
    if (!last) break;
    after = last;
    const changed = await db.transaction((tx) =>
      Promise.all(found.map((tenant) => sealTenant(tx, vault, tenant))),
    );
    sealed += changed.reduce((sum, count) => sum + count, 0);
  }
  return { sealed, remaining: await countClear(db) };
}

/**
 * Makes services before 0.3.0 refuse to run. They do not know this migration, so they compare their version with its
 * row.
 */
async function refuseOlderServices(tx: Tx): Promise<void> {
  await tx.run(sql`
    update svc_migration set oldest_service = '0.3.0'
    where source = 'server' and name like '%clear_names'`);
}

const tenantRow = row('tenant in clear text', {
  partnerId: text,
  id: text,
  version: integer,
  stored: json(storedPersonalSchema),
});

interface ClearTenant {
  readonly partnerId: string;
  readonly id: string;
  readonly version: number;
  readonly stored: StoredPersonal;
}

const isClear = sql`coalesce(t.first_name, t.last_name, t.email, t.phone_number) is not null`;

function readBatch(
  db: Database,
  after: Pick<ClearTenant, 'partnerId' | 'id'>,
): Promise<ClearTenant[]> {
  return db.many(
    tenantRow,
    sql`
    /* many rows: a migration by the operator */
    select t.partner_id, t.id, t.version, ${storedPersonal} as stored
    from tenant t /* all partners */
    where ${isClear} and (t.partner_id, t.id) > (${after.partnerId}, ${after.id})
    order by t.partner_id, t.id limit ${batchSize}`,
  );
}

/**
 * Encrypts one tenant. Returns 1, or 0 if there was nothing to encrypt or the tenant has changed. Only the version
 * that was read is written, because the portal may report the tenant at any time, with its own key. What the portal
 * stored in clear text then is left to the next run.
 */
async function sealTenant(
  tx: Tx,
  vault: Vault,
  { partnerId, id, version: read, stored }: ClearTenant,
): Promise<number> {
  const data = openPersonal(vault, id, stored);
  if (!data) return 0;
  const { keySealed, personal, emailHmac, searchHashes } = sealPersonal(vault, id, stored, data);
  const changed = await tx.run(sql`
    update tenant set first_name = null, last_name = null, email = null, phone_number = null,
      personal = ${personal}, email_hmac = ${emailHmac},
      search_hashes = ${searchHashes}::integer[],
      key_sealed = coalesce(${keySealed}::bytea, key_sealed), version = version + 1
    where partner_id = ${partnerId} and id = ${id} and version = ${read}`);
  if (changed === 1) {
    await tx.run(sql`
      /* many rows: a migration by the operator */
      update tenant_token set email_sha256 = null
      where partner_id = ${partnerId} and tenant_id = ${id} and email_sha256 is not null`);
  }
  return changed;
}

const countRow = row('count', { count: bigint });

async function countClear(db: Database): Promise<number> {
  const { count } = await db.one(
    countRow,
    sql`/* many rows: a migration by the operator */ select count(*) from tenant t /* all partners */ where ${isClear}`,
  );
  return count;
}
