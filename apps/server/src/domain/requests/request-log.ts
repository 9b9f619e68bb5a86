import { errorCatalog, type RequestDetailOutput, type RequestOutput } from '@svc/contract';
import {
  instant,
  integer,
  json,
  nullable,
  type Queryable,
  type RowOf,
  recordset,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { firstIdAt } from '../../ids.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';

/** How long a call stays in the log, in milliseconds. */
export const requestKeptMs = 7 * 86_400_000;

const loggedError = z.object({
  code: z.string(),
  message: z.string(),
  param: z.string().nullable(),
  errors: z.array(z.object({ param: z.string(), code: z.string(), message: z.string() })),
});
export type LoggedError = z.infer<typeof loggedError>;

const loggedRow = row('logged request', {
  partner_id: text,
  id: text,
  key_id: text,
  occurred_at: text,
  method: text,
  path: text,
  status: integer,
  duration_ms: integer,
  code: nullable(text),
  external_id: nullable(text),
  user_agent: nullable(text),
  query: json(z.record(z.string(), z.string())),
  request_body: nullable(json()),
  error: nullable(json(loggedError)),
});
/** A call of the partner API as it is stored. */
export type LoggedRequest = RowOf<typeof loggedRow>;

/** Stores calls of any partners, in one statement. */
export async function storeRequests(q: Queryable, calls: readonly LoggedRequest[]): Promise<void> {
  await q.run(sql`
    /* all partners: each row names its partner */
    insert into request_log (partner_id, id, key_id, occurred_at, method, path, status, duration_ms,
      code, external_id, user_agent, query, request_body, error)
    select r.partner_id, r.id, r.key_id, r.occurred_at::timestamptz, r.method, r.path, r.status,
      r.duration_ms, r.code, r.external_id, r.user_agent, r.query, r.request_body, r.error
    from ${recordset(loggedRow, calls, 'r')}
    on conflict (partner_id, id) do nothing`);
}

interface Filter {
  readonly request_id?: string | undefined;
  readonly external_id?: string | undefined;
  readonly method?: string | undefined;
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  readonly path?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

// Filters without an index are checked row by row, for this many rows a page.
const mostScanned = 10_000;

const foundRow = row('found request', {
  request_id: nullable(text),
  occurred_at: nullable(instant),
  method: nullable(text),
  path: nullable(text),
  status: nullable(integer),
  duration_ms: nullable(integer),
  code: nullable(text),
  external_id: nullable(text),
  user_agent: nullable(text),
  key_id: nullable(text),
  key_name: nullable(text),
  key_ends_with: nullable(text),
  scanned: integer,
  oldest_id: nullable(text),
  oldest_at: nullable(instant),
});

/** The partner's calls, newest first. A page ends early after 10,000 calls that the filters left out. */
export async function listRequests(
  { tx, actor }: Pick<Ctx<PartnerActor>, 'tx' | 'actor'>,
  filter: Filter,
): Promise<{
  items: RequestOutput[];
  next_cursor: string | null;
  searched_back_to: string | null;
}> {
  const { limit } = filter;
  const rows = await tx.many(
    foundRow,
    sql`
    /* many rows: a search of the newest 10,000 calls */
    with scanned as materialized (
      select id, occurred_at, method, path, status, code from request_log
      where partner_id = ${actor.partnerId} ${indexedConditions(filter)}
      order by id desc limit ${mostScanned}
    ), reached as (
      select count(*)::integer as scanned, min(id) as oldest_id,
        min(occurred_at) as oldest_at
      from scanned
    ), matching as (
      select id from scanned where true ${unindexedConditions(filter)}
      order by id desc limit ${limit + 1}
    )
    select l.id as request_id, l.occurred_at, l.method, l.path, l.status, l.duration_ms, l.code,
      l.external_id, l.user_agent, l.key_id, k.name as key_name, k.ends_with as key_ends_with,
      r.scanned, r.oldest_id, r.oldest_at
    from reached r
    left join (matching m join request_log l
      on l.partner_id = ${actor.partnerId} and l.id = m.id) on true
    left join api_key k on k.partner_id = ${actor.partnerId} and k.id = l.key_id
    order by l.id desc`,
  );
  const found = rows.flatMap(viewFound);
  const items = found.slice(0, limit);
  const [reached] = rows;
  const hasMore = found.length > limit;
  const isScanLimitReached = !hasMore && reached !== undefined && reached.scanned === mostScanned;
  return {
    items,
    next_cursor: hasMore
      ? (items.at(-1)?.request_id ?? null)
      : isScanLimitReached
        ? reached.oldest_id
        : null,
    searched_back_to: isScanLimitReached ? (reached.oldest_at?.toISOString() ?? null) : null,
  };
}

const detailRow = row('logged request in detail', {
  request_id: text,
  occurred_at: instant,
  method: text,
  path: text,
  status: integer,
  duration_ms: integer,
  code: nullable(text),
  external_id: nullable(text),
  user_agent: nullable(text),
  key_id: text,
  key_name: nullable(text),
  key_ends_with: nullable(text),
  query: json(z.record(z.string(), z.string())),
  request_body: nullable(json()),
  error: nullable(json(loggedError)),
});

/** One call with its redacted body and error. @throws Refusal `not_found` after a week */
export async function readRequest(
  { tx, actor, service }: Pick<Ctx<PartnerActor>, 'tx' | 'actor' | 'service'>,
  { id }: { id: string },
): Promise<RequestDetailOutput> {
  const found = await tx.maybe(
    detailRow,
    sql`
    select l.id as request_id, l.occurred_at, l.method, l.path, l.status, l.duration_ms, l.code,
      l.external_id, l.user_agent, l.key_id, k.name as key_name, k.ends_with as key_ends_with,
      l.query, l.request_body, l.error
    from request_log l
    left join api_key k on k.partner_id = l.partner_id and k.id = l.key_id
    where l.partner_id = ${actor.partnerId} and l.id = ${id}`,
  );
  if (!found) {
    throw new Refusal('request_not_found', {
      message: `There is no call with the request id ${id} in the last 7 days. A call with wrong credentials is not logged, and under overload calls may be left out.`,
    });
  }
  const { query, request_body, error, ...call } = found;
  return {
    ...view(call),
    query,
    request_body,
    error: error && { ...error, doc_url: docUrl(service.publicOrigin, error.code) },
  };
}

/** Deletes the calls about a tenant, for its erasure. */
export async function deleteRequestsOf(
  { tx }: Pick<Ctx, 'tx'>,
  { partnerId, externalId }: { readonly partnerId: string; readonly externalId: string },
): Promise<void> {
  await tx.run(sql`
    delete from request_log where partner_id = ${partnerId} and external_id = ${externalId}`);
}

/** The conditions that an index can serve. Ids begin with their time, so a time is a range of ids. */
function indexedConditions({
  request_id,
  external_id,
  status,
  code,
  since,
  until,
  cursor,
}: Filter): Sql {
  const fails = code !== undefined || /^[45]/.test(status ?? '');
  return sql`
    ${request_id === undefined ? sql`` : sql`and id = ${request_id}`}
    ${external_id === undefined ? sql`` : sql`and external_id = ${external_id}`}
    ${fails ? sql`and status >= 400` : sql``}
    ${since === undefined ? sql`` : sql`and id >= ${firstIdAt('req', new Date(since))}`}
    ${until === undefined ? sql`` : sql`and id < ${firstIdAt('req', new Date(until))}`}
    ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}`;
}

function unindexedConditions({ method, status, code, path }: Filter): Sql {
  const [least, most] = statusRange(status);
  return sql`
    ${method === undefined ? sql`` : sql`and method = ${method}`}
    ${status === undefined ? sql`` : sql`and status between ${least}::integer and ${most}::integer`}
    ${code === undefined ? sql`` : sql`and code = ${code}`}
    ${path === undefined ? sql`` : sql`and starts_with(path, ${withVersion(path)})`}`;
}

/** `4xx` is 400 to 499, `422` only itself. */
function statusRange(status = '1xx'): [number, number] {
  const first = Number(status.replace('xx', '00'));
  return [first, status.endsWith('xx') ? first + 99 : first];
}

function withVersion(path: string): string {
  const absolute = path.startsWith('/') ? path : `/${path}`;
  return /^\/(v1|svix|mcp)/.test(absolute) ? absolute : `/v1${absolute}`;
}

function viewFound(found: RowOf<typeof foundRow>): RequestOutput[] {
  const { request_id, occurred_at, method, path, status, duration_ms, key_id } = found;
  // Without a match there is one row, which only says how far the search got.
  if (request_id === null || occurred_at === null || method === null || path === null) return [];
  if (status === null || duration_ms === null || key_id === null) return [];
  return [view({ ...found, request_id, occurred_at, method, path, status, duration_ms, key_id })];
}

type Call = Omit<RowOf<typeof detailRow>, 'query' | 'request_body' | 'error'>;

function view(call: Call): RequestOutput {
  const { key_id, key_name, key_ends_with } = call;
  return {
    request_id: call.request_id,
    occurred_at: call.occurred_at.toISOString(),
    method: call.method,
    path: call.path,
    status: call.status,
    duration_in_ms: call.duration_ms,
    code: call.code,
    external_id: call.external_id,
    user_agent: call.user_agent,
    api_key: { id: key_id, name: key_name, ends_with: key_ends_with },
  };
}

function docUrl(publicOrigin: string, code: string): string {
  // Calls of Svix's API also have codes of Svix, such as `conflict`.
  return `${publicOrigin}/docs/errors${Object.hasOwn(errorCatalog, code) ? `#${code}` : ''}`;
}
