import { json, nullable, type Queryable, raw, row, type Sql, sql, text } from '@svc/db';
import { getMessage, listMessages, type MessageDetail } from '@svc/webhooks';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { TenantKey } from '../tenant-key.ts';
import { openPaydays } from '../tenants/paydays.ts';
import { openPersonal, storedPersonal, storedPersonalSchema } from '../tenants/personal-data.ts';
import { lockNamedTenant, type NamedTenant } from '../tenants/require-tenant.ts';
import { sealContext } from '../tenants/sealed-document.ts';
import { tenantTables } from './tenant-tables.ts';

type Json = Readonly<Record<string, unknown>>;

/** Everything that is stored about one tenant, with the columns of the database as names. */
export interface TenantExport {
  readonly partner_id: string;
  readonly tenant_id: string;
  readonly exported_at: string;
  readonly pms: string;
  readonly external_id: string;
  /** Null if the portal has never reported the tenant. */
  readonly person: Json | null;
  readonly tenant: Json;
  /** The rows of each table, oldest first. */
  readonly tables: Readonly<Record<string, readonly Json[]>>;
  /** Webhook messages about the tenant that are still kept. */
  readonly messages: readonly Pick<MessageDetail, 'id' | 'event_type' | 'created_at' | 'body'>[];
  readonly audit_entries: readonly Json[];
}

/**
 * Exports what is stored about a tenant, decrypted. Leaves out secrets, which are stored as hashes,
 * and the numbers of bank accounts and of Social Security, which would make the document dangerous to keep. It
 * includes the last four digits of an account, and how many digits of a Social Security number are stored.
 */
export async function exportTenant(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  named: NamedTenant,
): Promise<TenantExport> {
  const { tx, now, service } = ctx;
  const { partnerId, tenantId } = await lockNamedTenant(ctx, named);
  const key = { partnerId, tenantId };
  const tables: Record<string, Json[]> = {};
  for (const [table, isOfTenant] of Object.entries(tenantTables(key, service.processorRecords))) {
    tables[table] = await readRows(tx, sql`${raw(table)} x where ${isOfTenant}`);
  }
  tables.application = (tables.application ?? []).map((application) => ({
    ...application,
    date_of_birth: openBytes(ctx, application.date_of_birth_sealed, String(application.id)),
    ssn:
      application.ssn_sealed === null
        ? null
        : openBytes(ctx, application.ssn_sealed, String(application.id)).replaceAll(/./g, '•'),
  }));
  tables.decision = (tables.decision ?? []).map((it) =>
    it.details_sealed === null
      ? it
      : { ...it, details: JSON.parse(openBytes(ctx, it.details_sealed, String(it.id))) },
  );
  tables.plan = (tables.plan ?? []).map((plan) =>
    plan.agreement_sealed === null
      ? plan
      : { ...plan, disclosure_text: openBytes(ctx, plan.agreement_sealed, String(plan.id)) },
  );
  tables.tenant_document = (tables.tenant_document ?? []).map((it) => ({
    ...it,
    pdf_base64: openBytes(ctx, it.content_sealed, contextOfDocument(it)),
  }));
  tables.text_consent = (tables.text_consent ?? []).map((it) => ({
    ...it,
    number: openBytes(ctx, it.number_sealed, tenantId),
  }));
  const { tenant, stored, paydaysSealed } = await readTenant(tx, key);
  const person = openPersonal(service.vault, tenantId, stored);
  return {
    partner_id: partnerId,
    tenant_id: tenantId,
    exported_at: now.toISOString(),
    ...named,
    person: person && {
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
      phone_number: person.phoneNumber,
    },
    tenant: {
      ...withoutSecrets(tenant),
      paydays: openPaydays(service.vault, { id: tenantId, paydaysSealed }),
    },
    tables: Object.fromEntries(
      Object.entries(tables).map(([table, rows]) => [table, rows.map(withoutSecrets)]),
    ),
    messages: await readMessages(tx, partnerId, named.external_id),
    audit_entries: await readRows(tx, auditEntriesAbout(key, named.external_id)),
  };
}

const rowsRow = row('rows', { rows: json(z.array(z.record(z.string(), z.unknown()))) });

/** Reads the rows `x` as objects, ordered by their first column, which is an id that begins with its time. */
async function readRows(q: Queryable, from: Sql): Promise<Json[]> {
  const { rows } = await q.one(
    rowsRow,
    sql`/* many rows: some tables have no index by tenant */ select coalesce(jsonb_agg(to_jsonb(x) order by x), '[]') as rows from ${from}`,
  );
  return rows;
}

const tenantRow = row('tenant to export', {
  tenant: json(z.record(z.string(), z.unknown())),
  stored: json(storedPersonalSchema),
  paydaysSealed: nullable(text),
});

function readTenant(q: Queryable, { partnerId, tenantId }: TenantKey) {
  return q.one(
    tenantRow,
    sql`
    select to_jsonb(t) as tenant, ${storedPersonal} as stored,
      encode(t.paydays_sealed, 'base64') as paydays_sealed
    from tenant t
    where t.partner_id = ${partnerId} and t.id = ${tenantId}`,
  );
}

/** Removes ciphertexts and hashes, which say nothing to the reader, and the names, which are in `person`. */
function withoutSecrets(stored: Json): Json {
  return Object.fromEntries(Object.entries(stored).filter(([column]) => !isSecret(column)));
}

function isSecret(column: string): boolean {
  return (
    /_(sealed|sha256|hmac)$/.test(column) ||
    ['personal', 'search_hashes', 'first_name', 'last_name', 'email', 'phone_number'].includes(
      column,
    )
  );
}

/** Opens a sealed column, which is hexadecimal in JSON. */
function openBytes({ service }: Pick<Ctx, 'service'>, column: unknown, context: string): string {
  return service.vault.open(Buffer.from(String(column).slice(2), 'hex'), context);
}

function contextOfDocument({ kind, subject_id, locale, revision }: Json): string {
  return sealContext({
    kind: String(kind),
    id: String(subject_id),
    locale: String(locale),
    revision: String(revision),
  });
}

const pageSize = 100;

async function readMessages(
  q: Queryable,
  owner: string,
  externalId: string,
): Promise<TenantExport['messages']> {
  const messages: TenantExport['messages'][number][] = [];
  let cursor: string | null = null;
  do {
    const query = { external_id: externalId, limit: pageSize, ...(cursor && { cursor }) };
    const page = await listMessages(q, owner, query);
    for (const { id, event_type, created_at } of page.items) {
      const { body } = await getMessage(q, owner, id);
      messages.push({ id, event_type, created_at, body });
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return messages.reverse();
}

/** Selects audit entries about the tenant or one of its plans or settlements, or that name its external id. */
function auditEntriesAbout({ partnerId, tenantId }: TenantKey, externalId: string): Sql {
  return sql`audit_entry x where x.partner_id = ${partnerId} and (
    x.details->>'external_id' = ${externalId} or x.details->>'tenant' = ${externalId}
    or x.subject_id = ${tenantId}
    or x.subject_id in (
      select id from plan where partner_id = ${partnerId} and tenant_id = ${tenantId}
      union all
      select id from settlement where partner_id = ${partnerId} and tenant_id = ${tenantId}))`;
}
