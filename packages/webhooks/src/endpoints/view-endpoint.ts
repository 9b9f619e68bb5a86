import { type Queryable, raw, sql } from '@svc/db';
import { endpointNotFound } from '../refusal.ts';

export interface EndpointView {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  /** null: every type. */
  readonly event_types: string[] | null;
  readonly auth: { type: 'none' | 'basic' | 'header'; username?: string; name?: string };
  readonly header_names: string[];
  readonly throttle_per_second: number | null;
  readonly disable_on_gone: boolean;
  readonly state: 'enabled' | 'disabled';
  readonly disabled_reason: string | null;
  /** Messages that wait for the endpoint to be enabled. */
  readonly held_count: number;
  readonly created_at: string;
}

/** All endpoints of the owner, oldest first; never more than 50. */
export async function listEndpoints(q: Queryable, owner: string): Promise<EndpointView[]> {
  const rows = await q.many<EndpointRow>(sql`
    select ${columns} from webhook_endpoints e
    where e.owner = ${owner} and e.state <> 'deleted' order by e.id`);
  return rows.map(view);
}

export async function getEndpoint(
  q: Queryable,
  owner: string,
  endpointId: string,
): Promise<EndpointView> {
  const row = await q.maybe<EndpointRow>(sql`
    select ${columns} from webhook_endpoints e
    where e.id = ${endpointId} and e.owner = ${owner} and e.state <> 'deleted'`);
  if (!row) throw endpointNotFound();
  return view(row);
}

interface EndpointRow extends Omit<EndpointView, 'auth' | 'created_at'> {
  auth_type: EndpointView['auth']['type'];
  auth_name: string | null;
  created_at: Date;
}

const columns = raw(`
  e.id, e.url, e.description, e.event_types, e.auth_type, e.auth_name, e.header_names,
  e.throttle_per_second, e.disable_on_gone, e.state, e.disabled_reason, e.created_at,
  case when e.state = 'disabled'
    then (select count(*) from webhook_deliveries_open o
          where o.node is null and o.endpoint_id = e.id and o.trigger = 'schedule')
    else 0 end as held_count`);

function view({ auth_type, auth_name, created_at, ...row }: EndpointRow): EndpointView {
  const name = auth_name ?? '';
  const half = { none: {}, basic: { username: name }, header: { name } }[auth_type];
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    event_types: row.event_types,
    auth: { type: auth_type, ...half },
    header_names: row.header_names,
    throttle_per_second: row.throttle_per_second,
    disable_on_gone: row.disable_on_gone,
    state: row.state,
    disabled_reason: row.disabled_reason,
    held_count: row.held_count,
    created_at: created_at.toISOString(),
  };
}
