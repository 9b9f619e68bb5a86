import { type TimelineEntry, type TimelineKind, timelineKinds } from '@svc/contract/operator';
import {
  bigint,
  instant,
  json,
  nullable,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { listAnswers, listMessages } from '@svc/webhooks';
import { z } from 'zod';
import { byKey } from '../../cluster.ts';
import { installation } from '../audit/record.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { type Discloser, loadIsDisclosed } from './mask.ts';
import { asCsv } from './money-reports.ts';
import { type NamedTenant, requireVisibleTenant } from './tenant-page.ts';
import { titles } from './timeline-titles.ts';

interface Filter {
  readonly kinds?: readonly TimelineKind[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

const entryRow = row('entry of a timeline', {
  id: text,
  at: instant,
  tenantTime: nullable(instant),
  state: nullable(text),
  amountInCents: nullable(bigint),
  subjectId: nullable(text),
  by: nullable(text),
  details: json(z.record(z.string(), z.unknown())),
});
type Entry = RowOf<typeof entryRow>;

/**
 * Reads what happened to a tenant, newest first. Ids begin with the time at which they were made, so the part after
 * their prefix orders the entries of all tables, and is the cursor. Each table returns its newest entries before the
 * cursor by a key, and the newest of these are the page. Webhooks that no endpoint has subscribed to are left out
 * unless `kinds` is chosen, so a page may be shorter than its limit.
 */
export async function readTimeline(
  ctx: Discloser,
  { kinds, cursor, limit, ...named }: Filter & NamedTenant,
): Promise<{ items: TimelineEntry[]; next_cursor: string | null }> {
  const tenant = await requireVisibleTenant(ctx.tx, ctx.actor, named);
  const { partnerId, tenantId } = tenant;
  const reader: Reader = {
    ...ctx,
    partnerId,
    tenantId,
    externalId: named.external_id,
    isClear: (await loadIsDisclosed(ctx, [{ partnerId, tenantId }]))(tenantId),
    before: cursor === undefined ? afterAll : readCursor(cursor),
    limit: limit + 1,
  };
  const entries: TimelineEntry[] = [];
  for (const kind of kinds ?? timelineKinds) {
    const found = await sources[kind](reader);
    entries.push(...found.map((entry) => ({ ...view(entry), kind, title: titles[kind](entry) })));
  }
  const ordered = entries.toSorted((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1));
  const items = ordered.slice(0, limit);
  const last = items.at(-1);
  return {
    // Messages to no endpoint say nothing about the tenant, and would be half of the list.
    items: kinds === undefined ? items.filter(({ state }) => state !== toNoEndpoint) : items,
    next_cursor: last && ordered.length > limit ? orderOf(last) : null,
  };
}

/** Formats a tenant's timeline as CSV for a spreadsheet, the newest 1,000 entries. */
export async function timelineAsCsv(
  ctx: Discloser,
  filter: Pick<Filter, 'kinds'> & NamedTenant,
): Promise<string> {
  const items: TimelineEntry[] = [];
  let cursor: string | null = null;
  do {
    const page = await readTimeline(ctx, { ...filter, limit: 100, cursor: cursor ?? undefined });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < mostInCsv);
  return asCsv(
    items.map((it) => ({
      at: it.at,
      tenant_time: it.tenant_time,
      kind: it.kind,
      title: it.title,
      state: it.state,
      amount_in_cents: it.amount_in_cents,
      by: it.by,
      subject_id: it.subject_id,
      id: it.id,
    })),
  );
}

const mostInCsv = 1_000;

/** Returns the part of an id after its prefix. */
function orderOf({ id }: Pick<TimelineEntry, 'id'>): string {
  return id.slice('xxx_'.length);
}

/** A cursor that sorts after every id. */
const afterAll = 'z'.repeat(26);

function readCursor(cursor: string): string {
  if (/^[0-9a-z]{26}$/.test(cursor)) return cursor;
  const message = 'must be the next_cursor of the previous page, unchanged';
  throw new Refusal('validation_failed', {
    message: `cursor ${message}.`,
    param: 'cursor',
    errors: [{ param: 'cursor', code: 'invalid_value', message }],
  });
}

function view({ at, tenantTime, amountInCents, subjectId, ...entry }: Entry) {
  return {
    ...entry,
    at: at.toISOString(),
    tenant_time: tenantTime?.toISOString() ?? null,
    amount_in_cents: amountInCents,
    subject_id: subjectId,
  };
}

interface Reader extends Discloser {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly externalId: string;
  readonly isClear: boolean;
  /** The cursor: only entries that sort before it are read. */
  readonly before: string;
  /** The most entries that one table returns. */
  readonly limit: number;
}

/** Reads entries of one kind, newest first. */
type Source = (reader: Reader) => Promise<readonly Entry[]>;

function table(statement: (reader: Reader) => Sql): Source {
  return (reader) => reader.tx.many(entryRow, statement(reader));
}

const sources: Readonly<Record<TimelineKind, Source>> = {
  request: table(
    ({ partnerId, externalId, before, limit }) => sql`
    select r.id, r.occurred_at as at, null::timestamptz as tenant_time, r.status::text as state,
      null::int8 as amount_in_cents, null as subject_id, r.key_id as by,
      jsonb_build_object('method', r.method, 'path', r.path, 'code', r.code,
        'duration_in_ms', r.duration_ms) as details
    from request_log r
    where r.partner_id = ${partnerId} and r.external_id = ${externalId} and r.id < ${`req_${before}`}
    order by r.id desc limit ${limit}`,
  ),
  application: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select a.id, a.created_at as at, a.submitted_at as tenant_time, a.state, a.amount_in_cents,
      a.id as subject_id, null as by,
      jsonb_build_object('approved_amount_in_cents', a.approved_amount_in_cents,
        'expires_at', a.expires_at, 'reapply_after', a.reapply_after,
        'flags', (select f.reasons from application_flag f
          where f.partner_id = ${partnerId} and f.application_id = a.id)) as details
    from application a
    where a.partner_id = ${partnerId} and a.tenant_id = ${tenantId} and a.id < ${`app_${before}`}
    order by a.id desc limit ${limit}`,
  ),
  decision: async ({ tx, partnerId, tenantId, before, limit, isClear }) => {
    const decisions = await tx.many(
      entryRow,
      sql`
      select d.id, d.created_at as at, d.decided_at as tenant_time, d.outcome as state,
        a.approved_amount_in_cents as amount_in_cents, d.application_id as subject_id,
        d.policy_version as by, jsonb_build_object('reasons', d.reasons, 'facts', d.facts,
          'simulated', d.simulated) as details
      from application a
        join decision d on d.partner_id = ${partnerId} and d.application_id = a.id
      where a.partner_id = ${partnerId} and a.tenant_id = ${tenantId} and d.id < ${`dec_${before}`}
      order by d.id desc limit ${limit}`,
    );
    if (isClear) return decisions;
    return decisions.map((it) => ({ ...it, details: { ...it.details, facts: null } }));
  },
  consent: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select * from (
      select e.id, e.decided_at as at, null::timestamptz as tenant_time,
        case when e.agreed then 'electronic' else 'paper' end as state,
        null::int8 as amount_in_cents, null as subject_id, null as by,
        jsonb_build_object('about', 'electronic records', 'version', e.consent_version,
          'locale', e.locale) as details
      from electronic_records e
      where e.partner_id = ${partnerId} and e.tenant_id = ${tenantId} and e.id < ${`elr_${before}`}
      union all
      select c.id, c.requested_at, null, case when c.ended_at is not null then 'ended'
          when c.confirmed_at is not null then 'confirmed' else 'asked' end,
        null, null, c.ended_by,
        jsonb_build_object('about', 'text messages', 'version', c.consent_version,
          'locale', c.locale, 'confirmed_at', c.confirmed_at, 'ended_at', c.ended_at)
      from text_consent c
      where c.partner_id = ${partnerId} and c.tenant_id = ${tenantId} and c.id < ${`txc_${before}`}
    ) x order by substr(id, 5) desc limit ${limit}`,
  ),
  plan: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select h.id, h.created_at as at, h.occurred_at as tenant_time, h.kind as state,
      h.amount_in_cents, h.plan_id as subject_id, null as by,
      jsonb_build_object('number', h.number, 'from_date', h.from_date, 'to_date', h.to_date,
        'return_code', h.return_code, 'reason', h.reason) as details
    from plan p cross join lateral (
      select * from plan_history h
      where h.partner_id = ${partnerId} and h.plan_id = p.id and h.id < ${`hst_${before}`}
      order by h.id desc limit ${limit}) h
    where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId}
    order by h.id desc limit ${limit}`,
  ),
  payment: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select y.id, y.created_at as at, y.occurred_at as tenant_time, y.outcome as state,
      y.amount_in_cents, y.id as subject_id, null as by,
      jsonb_build_object('plan_id', i.plan_id, 'number', i.number, 'attempt', y.attempt,
        'kind', y.kind, 'is_part', y.is_part, 'return_code', y.return_code,
        'method', (select case m.type when 'card' then 'card' else 'bank account' end || ' ••' || m.last4
          from payment_method m
          where m.partner_id = ${partnerId} and m.id = y.payment_method_id)) as details
    from plan p
      join installment i on i.partner_id = ${partnerId} and i.plan_id = p.id
      join payment y on y.partner_id = ${partnerId} and y.installment_id = i.id
    where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and y.id < ${`pay_${before}`}
    order by y.id desc limit ${limit}`,
  ),
  dispute: async ({ tx, partnerId, tenantId, before }) => {
    const disputes = await tx.many(
      entryRow,
      sql`
      select v.id, v.created_at as at, v.occurs_at as tenant_time, v.kind as state,
        v.amount_in_cents, v.payment_id as subject_id, null as by,
        jsonb_build_object('return_code', v.return_code, 'dispute', v.dispute_ref,
          'handled_at', v.handled_at) as details
      from payment y
        join installment i on i.partner_id = ${partnerId} and i.id = y.installment_id
        join plan p on p.partner_id = ${partnerId} and p.id = i.plan_id
        join processor_event v on v.partner_id = ${partnerId} and v.payment_id = y.id
      where p.tenant_id = ${tenantId} and y.partner_id = ${partnerId}
        and v.id < ${`pev_${before}`}
      order by v.id desc limit 100`,
    );
    return disputes;
  },
  settlement: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select s.id, s.created_at as at, null::timestamptz as tenant_time, s.status as state,
      s.amount_in_cents, s.id as subject_id, null as by,
      jsonb_build_object('plan_id', s.plan_id, 'debit_by', s.debit_by, 'payout_id', s.payout_id,
        'failure_reason', s.failure_reason, 'updated_at', s.updated_at) as details
    from settlement s
    where s.partner_id = ${partnerId} and s.tenant_id = ${tenantId} and s.id < ${`stl_${before}`}
    order by s.id desc limit ${limit}`,
  ),
  refund: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select r.id, r.created_at as at, r.occurred_at as tenant_time, null as state, r.amount_in_cents,
      r.settlement_id as subject_id, null as by,
      jsonb_build_object('charge_id', r.charge_id, 'reason', r.reason,
        'credited_in_cents', r.credited_in_cents, 'paid_back_in_cents', r.paid_back_in_cents)
        as details
    from settlement s join refund r on r.partner_id = ${partnerId} and r.settlement_id = s.id
    where s.partner_id = ${partnerId} and s.tenant_id = ${tenantId} and r.id < ${`rfd_${before}`}
    order by r.id desc limit ${limit}`,
  ),
  mail: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select m.id, m.created_at as at, null::timestamptz as tenant_time,
      case when m.bounced_at is not null then 'bounced' when m.sent_at is not null then 'sent'
        when m.due_at is not null then 'waiting' else 'given up' end as state,
      null::int8 as amount_in_cents, m.id as subject_id, null as by,
      jsonb_build_object('type', m.type, 'attempts', m.attempts, 'sent_at', m.sent_at,
        'due_at', m.due_at, 'bounced_at', m.bounced_at, 'failure', m.failure) as details
    from mail m
    where m.partner_id = ${partnerId} and m.tenant_id = ${tenantId} and m.id < ${`mal_${before}`}
    order by m.id desc limit ${limit}`,
  ),
  text: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select m.id, m.created_at as at, null::timestamptz as tenant_time,
      case when m.sent_at is not null then 'sent' when m.due_at is not null then 'waiting'
        else 'given up' end as state,
      null::int8 as amount_in_cents, m.id as subject_id, null as by,
      jsonb_build_object('type', m.type, 'attempts', m.attempts, 'sent_at', m.sent_at,
        'failure', m.failure) as details
    from text_message m
    where m.partner_id = ${partnerId} and m.tenant_id = ${tenantId} and m.id < ${`txt_${before}`}
    order by m.id desc limit ${limit}`,
  ),
  posting: table(
    ({ partnerId, tenantId, before, limit }) => sql`
    select l.id, l.created_at as at, l.occurred_at as tenant_time, l.kind as state,
      (select sum(e.amount_in_cents) from ledger_entry e
        where e.partner_id = ${partnerId} and e.transfer_id = l.id and e.amount_in_cents > 0)::int8
        as amount_in_cents,
      l.source_id as subject_id, null as by,
      jsonb_build_object('entries', (
        select jsonb_agg(jsonb_build_object('account', a.kind, 'amount_in_cents', e.amount_in_cents)
          order by e.amount_in_cents desc, a.kind)
        from ledger_entry e
          join ledger_account a on a.partner_id = ${partnerId} and a.id = e.account_id
        where e.partner_id = ${partnerId} and e.transfer_id = l.id)) as details
    from (
      select distinct e.transfer_id from ledger_account a
        join ledger_entry e on e.partner_id = ${partnerId} and e.account_id = a.id
      where a.partner_id = ${partnerId} and a.tenant_id = ${tenantId}
        and e.transfer_id < ${`trf_${before}`}
      order by e.transfer_id desc limit ${limit}) x
      join ledger_transfer l on l.partner_id = ${partnerId} and l.id = x.transfer_id
    order by l.id desc`,
  ),
  webhook: async ({ tx, partnerId, externalId, before, limit }) => {
    // The engine's cursor is the id before which a page begins, in base64url.
    const cursor = Buffer.from(`evt_${before}`).toString('base64url');
    const query = { external_id: externalId, limit, cursor };
    const { items } = await listMessages(tx, partnerId, query);
    const attempts = await listAnswers(
      tx,
      partnerId,
      items.map(({ id }) => id),
    );
    return items.map(({ id, event_type, created_at, expunged_at, deliveries }) => ({
      id,
      at: new Date(created_at),
      tenantTime: null,
      state: stateOfDeliveries(deliveries.map((it) => it.state)),
      amountInCents: null,
      subjectId: id,
      by: null,
      details: {
        event_type,
        expunged_at,
        deliveries: deliveries.map(({ endpoint_id, endpoint_url, state, next_attempt_at }) => ({
          endpoint_url,
          state,
          next_attempt_at,
          attempts: attempts
            .filter((it) => it.message_id === id && it.endpoint_id === endpoint_id)
            .map(({ started_at, answer }) => ({ at: started_at, answer })),
        })),
      },
    }));
  },
  action: async ({ tx, partnerId, tenantId, externalId, before, limit }) => {
    const ids = await tx.many(subjectRow, subjectsOf(tx, { partnerId, tenantId }));
    const subjects = [tenantId, ...ids.map(({ id }) => id)];
    const actions = await tx.many(
      entryRow,
      sql`
      /* many rows: all pauses of the partner */
      select x.id, x.occurred_at as at, null::timestamptz as tenant_time, x.action as state,
        null::int8 as amount_in_cents, x.subject_id, x.credential_id as by,
        x.details || jsonb_build_object('via', x.via, 'request_id', x.request_id) as details
      from (
        select e.* from unnest(${[partnerId, installation]}::text[]) p(id)
          cross join unnest(${subjects}::text[]) s(id)
          cross join lateral (
            select * from audit_entry e
            where e.partner_id = p.id and e.subject_id = s.id and e.id < ${`aud_${before}`}
            order by e.id desc limit ${limit}) e
        union
        (select * from audit_entry e
        where e.partner_id = ${partnerId} and e.details ? 'external_id'
          and e.details->>'external_id' = ${externalId} and e.id < ${`aud_${before}`}
        order by e.id desc limit ${limit})
        union
        -- Pauses that were recorded before 0.3 name the tenant so.
        (select * from audit_entry e
        where e.partner_id = ${partnerId} and split_part(e.action, '.', 1) = 'collections'
          and e.details->>'tenant' = ${externalId} and e.id < ${`aud_${before}`}
        order by e.id desc limit ${limit})
      ) x order by x.id desc limit ${limit}`,
    );
    const names = await namesOf(
      tx,
      actions.map(({ by }) => by),
    );
    return actions.map((it) => ({ ...it, by: names.get(it.by ?? '') ?? it.by }));
  },
};

const personRow = row('name of an operator', { id: text, name: text });

/** Reads the names of operators who acted in the console. On the command line, `by` is a user's name already. */
async function namesOf(
  q: Queryable,
  by: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = by.filter((it) => it?.startsWith('opr_'));
  if (ids.length === 0) return new Map();
  const people = await q.many(
    personRow,
    sql`select id, name from operator where id = any(${ids}::text[])`,
  );
  return new Map(people.map(({ id, name }) => [id, name]));
}

const subjectRow = row('subject of audit entries', { id: text });

/** Returns a query for what people act on: a tenant's newest plans and mails, and everything else of the tenant. */
function subjectsOf(q: Queryable, { partnerId, tenantId }: TenantKey): Sql {
  return sql`
    with plans as (select id from plan where partner_id = ${partnerId} and tenant_id = ${tenantId}
      order by created_at desc limit 60)
    select id from plans
    union all
    select id from application where partner_id = ${partnerId} and tenant_id = ${tenantId}
    union all
    select id from settlement where partner_id = ${partnerId} and tenant_id = ${tenantId}
    union all
    select id from payment_method where partner_id = ${partnerId} and tenant_id = ${tenantId}
    union all
    (select id from mail where partner_id = ${partnerId} and tenant_id = ${tenantId}
    order by id desc limit 500)
    union all
    select y.id from plans l
      cross join lateral (
        select i.id from installment i
        where i.partner_id = ${partnerId} and i.plan_id = l.id ${byKey(q)}) i
      cross join lateral (
        select y.id from payment y
        where y.partner_id = ${partnerId} and y.installment_id = i.id ${byKey(q)}) y`;
}

const toNoEndpoint = 'sent to no endpoint';

function stateOfDeliveries(states: readonly string[]): string {
  const worst = ['exhausted', 'retrying', 'held', 'pending', 'delivering', 'skipped', 'delivered'];
  return worst.find((it) => states.includes(it)) ?? toNoEndpoint;
}
