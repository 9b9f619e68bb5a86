import {
  integer,
  json,
  listOf,
  nullable,
  type Queryable,
  recordset,
  row,
  sql,
  text,
} from '@svc/db';
import type { Vault } from '@svc/runtime';
import { partnerOfRows } from '../partner-of-rows.ts';
import { openPersonal, storedPersonal, storedPersonalSchema } from './personal-data.ts';
import { searchHashes } from './search-hashes.ts';

const batchSize = 500;

const tenantRow = row('tenant to index', {
  partnerId: text,
  id: text,
  version: integer,
  stored: json(storedPersonalSchema),
  hashes: nullable(listOf(integer)),
});

const indexedRow = row('indexed tenant', {
  partnerId: text,
  id: text,
  version: integer,
  hashes: listOf(integer),
});

/**
 * Computes each tenant's search hashes with the vault's first key, and stores those that differ from the stored
 * ones: for tenants of earlier versions, and after the key was replaced. Works in short statements while the
 * service is running; takes about half a minute for a million tenants. Returns how many tenants it has changed.
 */
export async function indexTenants(q: Queryable, vault: Vault): Promise<number> {
  let changed = 0;
  let after = { partnerId: '', id: '' };
  for (;;) {
    const found = await q.many(
      tenantRow,
      sql`
      /* many rows: a migration by the operator */
      select t.partner_id, t.id, t.version, ${storedPersonal} as stored, t.search_hashes as hashes
      from tenant t /* all partners */
      where (t.partner_id, t.id) > (${after.partnerId}, ${after.id})
      order by t.partner_id, t.id limit ${batchSize}`,
    );
    const last = found.at(-1);
    if (!last) return changed;
    after = last;
    const stale = found.flatMap(({ stored, hashes: known, ...tenant }) => {
      const person = openPersonal(vault, tenant.id, stored);
      const hashes = person && searchHashes(vault, person);
      return hashes && String(hashes) !== String(known) ? [{ ...tenant, hashes }] : [];
    });
    // A tenant with another version was stored in the meantime, with its hashes.
    if (stale.length > 0) {
      changed += await q.run(sql`
        update tenant t set search_hashes = r.hashes
        from ${recordset(indexedRow, stale, 'r')}
        where t.partner_id = ${partnerOfRows(stale, sql`r.partner_id`)} and t.id = r.id
          and t.version = r.version`);
    }
  }
}
