import {
  bigint,
  instant,
  integer,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { listNewest, mostListed } from '../listed.ts';
import { requirePartner } from '../partners/find-partner.ts';

const callRow = row('open call', {
  payment_id: text,
  /** The idempotency key of the call, by which the processor finds it. */
  key: text,
  kind: oneOf('charge', 'refund'),
  /** `failed` only for a refund: its money is still with us. */
  state: oneOf('created', 'sent', 'processing', 'requires_action', 'unknown', 'failed'),
  amount_in_cents: bigint,
  pms: text,
  external_id: text,
  plan_id: text,
  processor: text,
  return_code: nullable(text),
  /** How many times we asked the processor for the outcome. */
  tries: integer,
  began_at: instant,
  next_check_at: nullable(instant),
});

/** A call to the processor that an operator may have to look at. */
interface OpenCall extends Omit<RowOf<typeof callRow>, 'began_at' | 'next_check_at'> {
  readonly began_at: string;
  readonly age_in_seconds: number;
  readonly next_check_at: string | null;
}

const eventRow = row('ignored event', {
  event_id: text,
  processor: text,
  kind: nullable(text),
  /** Our key or the processor's id of what the event is about. */
  about: nullable(text),
  reason: text,
  tries: integer,
  received_at: instant,
  next_try_at: nullable(instant),
});

/** An event of a processor that had no effect. */
interface IgnoredEvent extends Omit<RowOf<typeof eventRow>, 'received_at' | 'next_try_at'> {
  readonly received_at: string;
  readonly next_try_at: string | null;
}

const waitingRow = row('bank event that waits', {
  payment_id: text,
  kind: oneOf('taken_back', 'won'),
  amount_in_cents: nullable(bigint),
  return_code: nullable(text),
  /** The state of the payment, which has to succeed first. */
  payment_state: text,
  pms: text,
  external_id: text,
  received_at: instant,
});

/** Money that a bank reported as moved, and that is not in the books yet. */
interface WaitingReturn extends Omit<RowOf<typeof waitingRow>, 'received_at'> {
  readonly received_at: string;
}

export interface OpenPayments {
  readonly calls: readonly OpenCall[];
  readonly has_more_calls: boolean;
  readonly waiting_returns: readonly WaitingReturn[];
  readonly has_more_returns: boolean;
  readonly ignored_events: readonly IgnoredEvent[];
  readonly has_more_events: boolean;
}

/**
 * Lists calls without a final outcome, refused refunds whose money we still owe, returns that wait for their
 * payment, and events that had no effect; newest first. For one partner, only events that name one of its calls.
 */
export async function listOpenPayments(
  { tx, now }: { readonly tx: Queryable; readonly now: Date },
  { pms }: { readonly pms?: string },
): Promise<OpenPayments> {
  const partnerId = pms === undefined ? null : (await requirePartner(tx, pms)).id;
  const calls = listNewest(await openCalls(tx, partnerId));
  const returns = listNewest(await waitingReturns(tx, partnerId));
  const events = listNewest(await ignoredEvents(tx, partnerId));
  return {
    calls: calls.items.map((it) => ({
      ...it,
      began_at: it.began_at.toISOString(),
      age_in_seconds: Math.max(0, Math.floor((now.getTime() - it.began_at.getTime()) / 1000)),
      next_check_at: it.next_check_at?.toISOString() ?? null,
    })),
    has_more_calls: calls.has_more,
    waiting_returns: returns.items.map((it) => ({
      ...it,
      received_at: it.received_at.toISOString(),
    })),
    has_more_returns: returns.has_more,
    ignored_events: events.items.map((it) => ({
      ...it,
      received_at: it.received_at.toISOString(),
      next_try_at: it.next_try_at?.toISOString() ?? null,
    })),
    has_more_events: events.has_more,
  };
}

function openCalls(q: Queryable, partnerId: string | null): Promise<RowOf<typeof callRow>[]> {
  return q.many(
    callRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    with open as (
      select * from processor_call where state not in ('succeeded', 'failed')
        and (${partnerId}::text is null or partner_id = ${partnerId})
      union all
      -- A refund that the bank refused, and after which no other one was sent.
      select * from processor_call c where c.kind = 'refund' and c.state = 'failed'
        and (${partnerId}::text is null or c.partner_id = ${partnerId})
        and not exists (select from processor_call d
          where d.partner_id = c.partner_id and d.payment_id = c.payment_id and d.kind = 'refund'
            and d.state <> 'failed' and d.created_at > c.created_at)
    )
    select c.payment_id, c.key, c.kind, c.state, c.amount_in_cents,
      (select o.pms from partner o where o.id = c.partner_id) as pms,
      (select t.external_id from tenant t
        where t.partner_id = c.partner_id and t.id = c.tenant_id) as external_id,
      (select i.plan_id from payment y
          join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
        where y.partner_id = c.partner_id and y.id = c.payment_id) as plan_id,
      c.processor, c.return_code, c.checks as tries, c.created_at as began_at,
      c.check_at as next_check_at
    from open c order by c.created_at desc, c.key desc limit ${mostListed + 1}`,
  );
}

function waitingReturns(
  q: Queryable,
  partnerId: string | null,
): Promise<RowOf<typeof waitingRow>[]> {
  return q.many(
    waitingRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    select v.payment_id, v.kind, v.amount_in_cents, v.return_code,
      (select y.outcome from payment y
        where y.partner_id = v.partner_id and y.id = v.payment_id) as payment_state,
      (select o.pms from partner o where o.id = v.partner_id) as pms,
      (select t.external_id from tenant t
        where t.partner_id = v.partner_id and t.id = v.tenant_id) as external_id,
      v.created_at as received_at
    from processor_event v
    where v.handled_at is null and (${partnerId}::text is null or v.partner_id = ${partnerId})
    order by v.created_at desc, v.id limit ${mostListed + 1}`,
  );
}

function ignoredEvents(q: Queryable, partnerId: string | null): Promise<RowOf<typeof eventRow>[]> {
  return q.many(
    eventRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    -- A cluster cannot join calls with events, which are stored on the coordinator.
    with event as materialized (
      select *, coalesce(body->'call'->>'key', body->'charge'->>'key') as call_key,
        coalesce(body->'call'->>'ref', body->'charge'->>'ref') as call_ref
      from processor_inbox where ignored is not null
    ), own as materialized (
      select e.processor, e.event_id from event e join processor_call c
        on c.partner_id = ${partnerId} and c.processor = e.processor
          and (c.key = e.call_key or c.ref = e.call_ref)
    )
    select e.event_id, e.processor, e.body->>'kind' as kind,
      coalesce(e.call_key, e.call_ref, e.body->'setup'->>'key', e.body->'setup'->>'ref',
        e.body->>'mandateRef') as about,
      e.ignored as reason, e.tries, e.received_at, e.due_at as next_try_at
    from event e
    where ${partnerId}::text is null
      or (e.processor, e.event_id) in (select processor, event_id from own)
    order by e.received_at desc, e.event_id limit ${mostListed + 1}`,
  );
}
