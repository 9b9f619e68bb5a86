import { type Database, raw, sql } from '@svc/db';
import { deliveryId, firstId } from '../kernel/ids.ts';

/** An owner with stored messages, and its endpoints by how they behave. */
export interface History {
  readonly owner: string;
  readonly now: Date;
  /** Acknowledges every message. */
  readonly busy: string;
  /** An endpoint that received only the five oldest messages. */
  readonly quiet: string;
  /** An endpoint without messages. */
  readonly fresh: string;
  /** Of ten messages, one is exhausted, one skipped, one retrying; the others arrived at the second try. */
  readonly failing: string;
  /** Disabled: every message is held. */
  readonly disabled: string;
  /** The newest messages are in flight. */
  readonly working: string;
  readonly oldestId: string;
  readonly middleId: string;
}

const names = ['busy', 'quiet', 'fresh', 'failing', 'disabled', 'working'] as const;
const keptMs = 80 * 86_400_000;
const chunkRows = 5_000;
const detail = JSON.stringify({
  url: 'http://127.0.0.1:9/',
  agent: 'svc',
  signature: 'v1,',
  ms: { total: 1 },
});

/**
 * Stores `count` messages of the last 80 days with every kind of delivery. Whatever is rare belongs
 * to the oldest three to five, so a scan from the newest message on has to read all the others.
 */
export async function storeHistory(
  db: Database,
  owner: string,
  count: number,
  now: Date,
): Promise<History> {
  const endpoints = await storeEndpoints(db, owner, now);
  const idOf = (age: number) => {
    const at = new Date(now.getTime() - Math.floor((keptMs * (age + 1)) / count));
    return { at, id: `evt_${unique(at, `${owner} ${age}`)}` };
  };
  const made: { at: Date; id: string; age: number }[] = [];
  for (let start = 0; start < count; start += chunkRows) {
    const ages = Array.from(
      { length: Math.min(chunkRows, count - start) },
      (_, index) => start + index,
    );
    const rows = ages.map((age) => ({ age, ...idOf(age) }));
    await storeMessages(db, owner, endpoints, rows, count);
    made.push(...rows.filter(({ age }) => age === count - 1 || age === Math.floor(count / 2)));
  }
  const [middle, oldest] = made;
  await storeLeases(db, owner, endpoints.working);
  await db.run(raw('vacuum analyze'));
  return { owner, now, ...endpoints, oldestId: oldest?.id ?? '', middleId: middle?.id ?? '' };
}

/** The 26 characters of an id, derived from a name. */
function unique(at: Date, name: string): string {
  return deliveryId(firstId('evt', at), name).slice('dlv_'.length);
}

type Endpoints = Record<(typeof names)[number], string>;

async function storeEndpoints(db: Database, owner: string, now: Date): Promise<Endpoints> {
  const made = names.map((name) => [name, `ep_${unique(now, `${owner} ${name}`)}`]);
  const endpoints = Object.fromEntries(made) as Endpoints;
  await db.run(sql`
    insert into webhook_endpoints (id, owner, url, state, disabled_reason, created_at, updated_at)
    select id, ${owner}, 'http://127.0.0.1:9/',
      case when id = ${endpoints.disabled} then 'disabled' else 'enabled' end,
      case when id = ${endpoints.disabled} then 'requested' end,
      ${now}::timestamptz, ${now}::timestamptz
    from unnest(${Object.values(endpoints)}::text[]) id`);
  return endpoints;
}

async function storeMessages(
  db: Database,
  owner: string,
  { busy, quiet, failing, disabled }: Endpoints,
  rows: readonly { id: string; at: Date; age: number }[],
  count: number,
): Promise<void> {
  await db.run(sql`
    with m as materialized (
      select *, age >= ${count - 3}::int as rare, age % 10 as kind
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ at }) => at)}::timestamptz[],
        ${rows.map(({ age }) => age)}::int[]) as m(id, at, age)
    ), message as (
      insert into webhook_messages (id, owner, subject, type, channels, body, created_at)
      select id, ${owner},
        case when rare then 't-rare' when kind < 5 then 't-busy' else 't-' || age end,
        case when rare then 'rare.type' when kind < 3 then 'plan.updated' else 'plan.created' end,
        case when rare then array['rare'] end,
        case when rare then '{"note":"needle"}' else '{"note":"hay"}' end, at
      from m order by id
    ), attempt as (
      select a.id, m.id as message_id, a.endpoint_id, m.at, a.status
      from m cross join lateral (values
        ('att_' || substr(m.id, 5, 25) || '0', ${busy}, 200, true),
        ('att_' || substr(m.id, 5, 25) || '1', ${quiet}, 200, age >= ${count - 5}::int),
        ('att_' || substr(m.id, 5, 25) || '2', ${failing}, 500, kind <> 2),
        ('att_' || substr(m.id, 5, 25) || '3', ${failing}, 503, kind = 0),
        ('att_' || substr(m.id, 5, 25) || '4', ${failing}, 200, kind > 2)
      ) as a(id, endpoint_id, status, made)
      where a.made
    ), attempts as (
      insert into webhook_attempts
        (owner, id, message_id, endpoint_id, trigger, started_at, status, error_class, detail)
      select ${owner}, id, message_id, endpoint_id, 'schedule', at, status,
        case when status > 299 then 'status' end, ${detail}::json
      from attempt order by message_id, id
    ), undelivered as (
      insert into webhook_deliveries_undelivered
        (owner, message_id, endpoint_id, state, reason, ended_at)
      select ${owner}, id, ${failing}, case kind when 0 then 'exhausted' else 'skipped' end,
        case kind when 2 then 'held_and_skipped' end, at
      from m where kind in (0, 2)
    )
    insert into webhook_deliveries_open (owner, message_id, endpoint_id, due_at, step)
    select ${owner}, id, ${failing}, '2100-01-01'::timestamptz, 1 from m where kind = 1
    union all
    select ${owner}, id, ${disabled}, at, 0 from m`);
}

/** Thirty deliveries under ten publish leases. */
async function storeLeases(db: Database, owner: string, endpointId: string): Promise<void> {
  await db.run(sql`
    insert into webhook_leases (node, lease_until, due_at, owners, message_ids, endpoint_ids)
    select 'node', '2100-01-01'::timestamptz, '2026-01-01'::timestamptz,
      array_agg(${owner}::text), array_agg(id),
      array_agg(${endpointId}::text)
    from (select id, row_number() over () % 10 as lease from (
      select id from webhook_messages where owner = ${owner} order by id desc limit 30) newest) m
    group by lease`);
}
