import {
  bigint,
  instant,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { findClaimCondition } from '../../cluster.ts';
import { areRows } from '../../domain/partner-of-rows.ts';
import {
  type DisputeReport,
  type ProcessorEvent,
  processorId,
} from '../../domain/payments/processor.ts';
import type { PlannedReturn } from '../../domain/payments/simulator.ts';
import type { TenantKey } from '../../domain/tenant-key.ts';
import { claimByClock } from '../../domain/tenants/claim-by-clock.ts';
import type { TenantTime } from '../../domain/tenants/time.ts';
import { failureFor } from './failure-codes.ts';

const plannedRow = row('upcoming simulated event', { at: instant });
const sentRow = row('sent simulated event', {
  partnerId: text,
  id: text,
  key: text,
  kind: oneOf('outcome', 'returned', 'dispute_won'),
  occursAt: instant,
  /** The event's code, or the charge's if the event reports an outcome. */
  returnCode: nullable(text),
  /** The amounts that a dispute moved; null if the event is not about one. */
  amountInCents: nullable(bigint),
  chargeInCents: nullable(bigint),
});

const sentEvents = sql`
  select e.partner_id, e.id, e.key, e.kind, e.occurs_at,
    case when e.kind = 'outcome' then c.return_code else e.return_code end as return_code,
    e.amount_in_cents, c.amount_in_cents as charge_in_cents
  from simulator_event e
    left join simulator_call c on c.partner_id = e.partner_id and c.key = e.key`;

function eventFrom(sent: RowOf<typeof sentRow>): ProcessorEvent {
  const { id, key, kind, occursAt, returnCode, amountInCents } = sent;
  const event = { id, occurredAt: occursAt };
  const call = { key, ref: processorId(key) };
  if (amountInCents !== null) {
    const dispute = disputeOf({ ...sent, amountInCents });
    return { ...event, kind: 'disputed', charge: call, dispute };
  }
  switch (kind) {
    case 'outcome': {
      const outcome =
        returnCode === null
          ? ({ state: 'succeeded', ref: call.ref } as const)
          : ({ state: 'failed', ref: call.ref, returnCode } as const);
      return { ...event, kind, call: { ...call, kind: 'charge' }, outcome };
    }
    case 'returned':
      return { ...event, kind, charge: call, returnCode: returnCode ?? '' };
    case 'dispute_won':
      return { ...event, kind, charge: call };
  }
}

/** A dispute that takes the whole charge and gives a part of it back. As at Stripe, such a dispute counts as lost. */
function disputeOf({
  key,
  kind,
  chargeInCents,
  amountInCents,
}: RowOf<typeof sentRow> & { readonly amountInCents: number }): DisputeReport {
  const isOver = kind === 'dispute_won';
  const disputed = chargeInCents ?? amountInCents;
  return {
    ref: processorId(`${key}.dispute`),
    status: isOver ? 'lost' : 'under_review',
    returnCode: 'charged_back',
    amountInCents: disputed,
    answerBy: null,
    withdrawnInCents: disputed,
    reinstatedInCents: isOver ? amountInCents : null,
  };
}

interface Taken {
  readonly now: Date;
  readonly limit: number;
  readonly tenant?: TenantKey;
}

/** Marks events as sent. A slow charge gets its outcome now, which may be a prepared failure. */
export async function takeEvents(
  q: Queryable,
  { now, limit, tenant }: Taken,
): Promise<ProcessorEvent[]> {
  const due = await claimByClock({ at: sql`e.occurs_at`, now, tenant }, (isDue) =>
    claimEvents(q, { now, limit, isDue }),
  );
  for (const { partnerId, tenantId, key, kind } of due) {
    if (kind === 'outcome') await settle(q, { partnerId, tenantId }, key);
  }
  if (due.length === 0) return [];
  const sent = await q.many(
    sentRow,
    sql`
    /* all partners: each event names its own */
    ${sentEvents}
    where ${areRows([sql`e.partner_id`, sql`e.id`], due)}
    order by e.occurs_at, e.id`,
  );
  return sent.map(eventFrom);
}

async function claimEvents(
  q: Queryable,
  { now, limit, isDue }: Pick<Taken, 'now' | 'limit'> & { readonly isDue: Sql },
): Promise<RowOf<typeof dueRow>[]> {
  const due = sql`
    /* all partners, unless a tenant is given */
    from simulator_event e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
    where e.sent_at is null and ${isDue}`;
  const among = await findClaimCondition(q, { of: 'e', joined: ['t'], due });
  if (!among) return [];
  return q.many(
    dueRow,
    sql`
    /* many rows: all tenants with a simulated clock */
    /* all partners, unless a tenant is given */
    update simulator_event e set sent_at = ${now}
    where ${among('e')} and e.ctid = any(array(
      select e.ctid ${due} and ${among('e')}
      order by e.occurs_at, e.id limit ${limit} for update of e skip locked))
    returning e.partner_id, e.id, e.key, e.kind, e.tenant_id`,
  );
}

const dueRow = row('due simulated event', {
  partnerId: text,
  id: text,
  key: text,
  kind: oneOf('outcome', 'returned', 'dispute_won'),
  tenantId: text,
});

const codeRow = row('prepared failure', { code: text });

async function settle(q: Queryable, tenant: TenantKey, key: string): Promise<void> {
  const { partnerId, tenantId } = tenant;
  const prepared = await q.maybe(
    codeRow,
    sql`
    with first as (
      select id, pending_payment_failures[1] as code from tenant
      where partner_id = ${partnerId} and id = ${tenantId}
        and cardinality(pending_payment_failures) > 0
      for update
    )
    update tenant t set pending_payment_failures = '{}' || t.pending_payment_failures[2:]
    from first f where t.partner_id = ${partnerId} and t.id = f.id returning f.code`,
  );
  const returnCode = prepared ? failureFor('bank_account', prepared.code) : null;
  await q.run(sql`
    update simulator_call set state = ${returnCode === null ? 'succeeded' : 'failed'},
      return_code = ${returnCode}
    where partner_id = ${partnerId} and key = ${key} and state = 'processing'`);
}

/** The events that were sent since a moment, oldest first. */
export async function listEventsSentSince(q: Queryable, since: Date): Promise<ProcessorEvent[]> {
  const sent = await q.many(
    sentRow,
    sql`
    /* all partners: the simulator has one account for all of them */
    ${sentEvents} where e.sent_at >= ${since} order by e.sent_at, e.id`,
  );
  return sent.map(eventFrom);
}

/** Returns the times at which the simulator will report something about the tenant. */
export async function listUpcomingEventTimes(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<TenantTime[]> {
  const rows = await q.many(
    plannedRow,
    sql`
    select occurs_at as at from simulator_event
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and sent_at is null`,
  );
  return rows.map(({ at }) => at as TenantTime);
}

/** Plans the return of a charge. Returns when it happens: an earlier plan keeps its time. */
export async function planReturn(
  q: Queryable,
  { tenant, key, returnCode, at }: PlannedReturn,
): Promise<TenantTime> {
  const { partnerId, tenantId } = tenant;
  const planned = await q.one(
    plannedRow,
    sql`
    insert into simulator_event as e (partner_id, id, tenant_id, key, kind, return_code,
      occurs_at)
    values (${partnerId}, ${`${key}.returned`}, ${tenantId}, ${key}, 'returned', ${returnCode},
      ${at})
    on conflict (partner_id, id) do update set occurs_at = e.occurs_at
    returning occurs_at as at`,
  );
  return planned.at as TenantTime;
}

/** Removes the events that were planned for the tenant's earlier payments. */
export async function dropPlannedEvents(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<void> {
  await q.run(sql`
    delete from simulator_event
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and sent_at is null`);
}
