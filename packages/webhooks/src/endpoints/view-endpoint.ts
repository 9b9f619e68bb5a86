import {
  bigint,
  boolean,
  instant,
  integer,
  type JsonSchema,
  json,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  raw,
  row,
  sql,
  text,
} from '@svc/db';
import { endpointNotFound } from '../kernel/refusal.ts';
import { defaultTuning } from '../kernel/tuning.ts';
import { filterSchema, type PayloadFilter } from './payload-filter.ts';
import { type PublicKey, publicKeysSchema } from './signing-keys.ts';

export interface EndpointView {
  readonly id: string;
  /** The owner's name for the endpoint. */
  readonly uid: string | null;
  readonly url: string;
  readonly description: string | null;
  /** Null: every type. */
  readonly event_types: string[] | null;
  /** Null: messages with any channel or none. */
  readonly channels: string[] | null;
  /** Null: messages with any body. */
  readonly filter: PayloadFilter | null;
  readonly auth: { type: 'none' | 'basic' | 'header'; username?: string; name?: string };
  readonly header_names: string[];
  readonly throttle_per_second: number | null;
  readonly disable_on_gone: boolean;
  readonly honor_retry_after: boolean;
  readonly ordered: boolean;
  readonly asymmetric_signature: boolean;
  /** The keys that verify `v1a` signatures, newest first. All but the current one have an `expires_at`. */
  readonly public_keys: PublicKey[];
  readonly metadata: Record<string, string>;
  readonly state: 'enabled' | 'disabled';
  readonly disabled_reason: string | null;
  /** Messages that wait until the endpoint is enabled. 10,000 means that many or more. */
  readonly held_count: number;
  /** When the secret from before the last rotation stops signing; null without one. */
  readonly previous_secret_expires_at: string | null;
  /** End of the first failed attempt since the last success. */
  readonly failing_since: string | null;
  /** The first failed attempt after this time disables the endpoint, unless one succeeds before. */
  readonly disables_at: string | null;
  readonly created_at: string;
}

/** Lists the owner's endpoints, oldest first; at most 50. */
export async function listEndpoints(q: Queryable, owner: string): Promise<EndpointView[]> {
  const rows = await q.many(
    endpointRow,
    sql`
    select ${columns} from webhook_endpoints e
    where e.owner = ${owner} and e.state <> 'deleted' order by e.id`,
  );
  return rows.map(view);
}

export async function getEndpoint(
  q: Queryable,
  owner: string,
  endpointId: string,
): Promise<EndpointView> {
  const found = await q.maybe(
    endpointRow,
    sql`
    select ${columns} from webhook_endpoints e
    where e.owner = ${owner} and e.id = ${endpointId} and e.state <> 'deleted'`,
  );
  if (!found) throw endpointNotFound();
  return view(found);
}

/** Checks in tests that every value is text. */
const metadataSchema: JsonSchema<Record<string, string>> = {
  '~standard': {
    validate: (value) =>
      Object.values(value as object).every((it) => typeof it === 'string')
        ? {}
        : { issues: [{ message: 'a value is not text' }] },
  },
};

const endpointRow = row('endpoint', {
  id: text,
  uid: nullable(text),
  url: text,
  description: nullable(text),
  event_types: nullable(listOf(text)),
  channels: nullable(listOf(text)),
  filter: nullable(json(filterSchema)),
  auth_type: oneOf('none', 'basic', 'header'),
  auth_name: nullable(text),
  header_names: listOf(text),
  throttle_per_second: nullable(integer),
  disable_on_gone: boolean,
  honor_retry_after: boolean,
  ordered: boolean,
  public_keys: nullable(json(publicKeysSchema)),
  metadata: json(metadataSchema),
  state: oneOf('enabled', 'disabled'),
  disabled_reason: nullable(text),
  failing_since: nullable(instant),
  created_at: instant,
  previous_secret_expires_at: nullable(instant),
  held_count: bigint,
});
type EndpointRow = RowOf<typeof endpointRow>;

// Counting reads every row, and endpoints are listed often.
const mostHeldCounted = 10_000;

/** Selects with the condition and the order of one index, so that the planner reads that index up to the limit. */
const heldBy = (condition: string) => `
  select from webhook_deliveries_open o
  where o.lease_until is null and ${condition}
    and (o.owner, o.endpoint_id, o.message_id) >= (e.owner, e.id, '')
    and (o.owner, o.endpoint_id, o.message_id) < (e.owner, e.id, '~')
  order by o.owner, o.endpoint_id, o.message_id limit ${mostHeldCounted}`;

const columns = raw(`
  e.id, e.uid, e.url, e.description, e.event_types, e.channels, e.filter, e.auth_type, e.auth_name, e.header_names,
  e.throttle_per_second, e.disable_on_gone, e.honor_retry_after, e.ordered, e.public_keys, e.metadata, e.state, e.disabled_reason,
  e.failing_since, e.created_at,
  (select max(s.expires_at) from webhook_secrets s
    where s.owner = e.owner and s.endpoint_id = e.id)
    as previous_secret_expires_at,
  case when e.state = 'disabled'
    then (select count(*) from (
      (${heldBy("o.step = 0 and o.trigger = 'schedule'")})
      union all (${heldBy('o.step > 0')}) limit ${mostHeldCounted}) held)
    else 0 end as held_count`);

function view({ auth_type, auth_name, ...rest }: EndpointRow): EndpointView {
  const name = auth_name ?? '';
  const settings = { none: {}, basic: { username: name }, header: { name } }[auth_type];
  return {
    ...rest,
    auth: { type: auth_type, ...settings },
    asymmetric_signature: rest.public_keys !== null,
    public_keys: rest.public_keys ?? [],
    previous_secret_expires_at: rest.previous_secret_expires_at?.toISOString() ?? null,
    ...failingFields(rest),
    created_at: rest.created_at.toISOString(),
  };
}

function failingFields({ state, failing_since }: Pick<EndpointRow, 'state' | 'failing_since'>) {
  const since = state === 'enabled' ? failing_since : null;
  const end = since && new Date(since.getTime() + defaultTuning.disableAfterMs);
  return {
    failing_since: failing_since?.toISOString() ?? null,
    disables_at: end?.toISOString() ?? null,
  };
}
