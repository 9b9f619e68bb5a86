import {
  type AuditEntryOutput,
  auditEntryOutput,
  type PortalScope,
  webhooksScopeActions,
} from '@svc/contract';
import { boolean, instant, json, nullable, oneOf, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';

interface Filter {
  readonly endpoint_id?: string | undefined;
  readonly credential_id?: string | undefined;
  readonly group?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists entries, newest first. The cursor is the last id shown. A caller sees the entries of its scope. */
export async function listAudit(
  { tx }: Pick<Ctx, 'tx'>,
  { partnerId, scope }: { readonly partnerId: string; readonly scope: PortalScope },
  filter: Filter,
): Promise<{ items: AuditEntryOutput[]; next_cursor: string | null }> {
  const { endpoint_id, credential_id, group, cursor, limit } = filter;
  const rows = await tx.many(
    entryRow,
    sql`
    select e.id, e.action, e.occurred_at, e.endpoint_id, e.subject_id, e.details, e.request_id, e.address,
      -- To partners, the operator's console is the operator as well.
      case when e.via = 'operator' then 'cli' else e.via end as via,
      coalesce(o.name, e.credential_id) as credential_id, k.ends_with,
      case when e.via = 'cli' then e.credential_id else coalesce(o.name, s.person) end as person, coalesce(s.read_only, false) as read_only,
      coalesce(s.created_at, k.created_at, e.occurred_at) as since
    from (
      select id, action, occurred_at, via, credential_id, endpoint_id, subject_id, details,
        request_id, address
      from audit_entry where partner_id = ${partnerId}
        ${endpoint_id === undefined ? sql`` : sql`and endpoint_id = ${endpoint_id}`}
        ${credential_id === undefined ? sql`` : sql`and credential_id = ${credential_id}`}
        ${group === undefined ? sql`` : sql`and split_part(action, '.', 1) = ${group}`}
        ${scope === 'admin' ? sql`` : sql`and action = any(${webhooksScopeActions}::text[])`}
        ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}
      order by id desc limit ${limit + 1}) e
    left join api_key k
      on e.via = 'key' and k.partner_id = ${partnerId} and k.id = e.credential_id
    left join portal_session s
      on e.via = 'portal' and s.partner_id = ${partnerId} and s.id = e.credential_id
    left join operator o on e.via = 'operator' and o.id = e.credential_id
    order by e.id desc`,
  );
  const items = rows.slice(0, limit).map(describeRow);
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

const { action, via, details } = auditEntryOutput.shape;
const entryRow = row('audit entry', {
  id: text,
  action: oneOf(...action.options),
  occurred_at: instant,
  via: oneOf(...via.options),
  credential_id: text,
  endpoint_id: nullable(text),
  subject_id: nullable(text),
  details: json(details),
  request_id: text,
  address: nullable(text),
  ends_with: nullable(text),
  person: nullable(text),
  read_only: boolean,
  since: instant,
});
type Row = RowOf<typeof entryRow>;

function describeRow({ ends_with, person, read_only, since, ...row }: Row): AuditEntryOutput {
  return {
    ...row,
    occurred_at: row.occurred_at.toISOString(),
    credential: { ends_with, person, read_only, since: since.toISOString() },
  };
}
