import { bigint, integer, json, nullable, oneOf, type RowOf, row, sql, text } from '@svc/db';
import { findClaimCondition } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { checkReturnedSoon } from '../payments/calls.ts';
import { isOtherAmount } from '../payments/make-call.ts';
import { updateCard } from '../payments/payment-methods.ts';
import type { CallKind, CallName, ProcessorEvent } from '../payments/processor.ts';
import { noteApplied } from '../payments/receive-events.ts';
import { recordMoneyWonBack, recordReturn } from '../payments/record-return.ts';
import { wakeSetup } from '../payments/setups.ts';
import { applyOutcomes } from '../plans/apply-outcomes.ts';
import { endPermission } from '../plans/end-permission.ts';
import type { TenantKey } from '../tenant-key.ts';
import { type TenantTime, tenantTime } from '../tenants/time.ts';
import { notTakenYetReason, recordDispute } from './record-dispute.ts';
import { runProcessorEvents } from './run-processor-events.ts';

const inboxRow = row('event to apply', {
  processor: text,
  id: text,
  tries: integer,
  body: json(),
});
type Received = RowOf<typeof inboxRow> & { readonly body: unknown };

// An event can arrive before the response to our own call, which has the processor's id, so it is tried again.
const waitMs = 60_000;
const mostTries = 24 * 60;

interface Options {
  readonly limit: number;
  /** Applies only events with these ids, for a simulated clock. */
  readonly ids?: readonly string[];
}

/**
 * Applies events that were received and are due. One about a payment that we do not know waits for a
 * day and then stays in the inbox, where operators see it. Returns how many it tried to apply.
 */
export async function applyEvents(uow: UnitOfWork, { limit, ids }: Options): Promise<number> {
  const { tx, now } = uow;
  const onlyIds = ids ? sql`and event_id = any(${[...ids]}::text[])` : sql``;
  const received = await tx.many(
    inboxRow,
    sql`
    /* all partners: the partner is known when the event is applied */
    select processor, event_id as id, tries, body from processor_inbox
    where due_at <= ${now} ${onlyIds}
    order by due_at, received_at, event_id limit ${limit} for update skip locked`,
  );
  for (const it of received) await applyReceived(uow, it);
  return received.length;
}

async function applyReceived(uow: UnitOfWork, received: Received): Promise<void> {
  const { processor, tries } = received;
  const ignored = await applyEvent(uow, processor, received.body as ProcessorEvent);
  const mayApplyLater = ignored === unknownCall || ignored === notTakenYetReason;
  const waits = mayApplyLater && tries < mostTries;
  const again = waits ? new Date(uow.now.getTime() + waitMs) : null;
  await noteApplied(uow, received, { ignored, again });
}

const unknownCall = 'no call of ours has this key or id';
const unknownMethod = 'no account or card of ours has it';
const otherAmount = 'it moved another amount than we asked for';

/** Applies one event. Returns why it has no effect; null if it has one. */
async function applyEvent(
  uow: UnitOfWork,
  processor: string,
  event: ProcessorEvent,
): Promise<string | null> {
  switch (event.kind) {
    case 'outcome': {
      const call = await findCall(uow, processor, event.call);
      if (!call) return unknownCall;
      // The event is not trusted: a job asks the processor, and the call stays open until its amount is right.
      if (isOtherAmount(event.outcome, call)) return otherAmount;
      const { partnerId, tenantId, key } = call;
      const report = { partnerId, tenantId, key, outcome: event.outcome, source: 'event' } as const;
      await applyOutcomes(uow, [report]);
      await runWaiting(uow, call);
      return null;
    }
    case 'returned':
    case 'dispute_won':
    case 'disputed': {
      const call = await findCall(uow, processor, { ...event.charge, kind: 'charge' });
      if (!call) return unknownCall;
      const at = tenantTime(call, uow.now);
      const ignored = await recordMoved(uow, { ...call, processor }, event, at);
      await runWaiting(uow, call);
      await checkReturnedSoon(uow, call);
      return ignored;
    }
    case 'mandate_revoked':
    case 'method_removed':
      return (await endPermission(uow, event)) ? null : unknownMethod;
    case 'card_replaced':
      return (await updateCard(uow, event.methodRef, event.card)) ? null : unknownMethod;
    case 'setup':
      return (await wakeSetup(uow, processor, event.setup)) ? null : unknownCall;
  }
}

const callRow = row('call of an event', {
  partnerId: text,
  tenantId: text,
  key: text,
  paymentId: text,
  clockOffsetMs: nullable(bigint),
  kind: oneOf('charge', 'refund'),
  amountInCents: bigint,
});
type Call = RowOf<typeof callRow>;

/** Finds a call by our key or by the processor's id, and locks the tenant's row. */
async function findCall(
  { tx }: UnitOfWork,
  processor: string,
  { kind, key, ref }: CallName & { readonly kind: CallKind },
): Promise<Call | undefined> {
  const isNamed = key === null ? sql`c.ref = ${ref}` : sql`c.key = ${key}`;
  const due = sql`
    /* all partners: the processor has one account for all of them */
    from processor_call c join tenant t on t.partner_id = c.partner_id and t.id = c.tenant_id
    where c.processor = ${processor} and c.kind = ${kind} and ${isNamed}`;
  const among = await findClaimCondition(tx, { of: 'c', joined: ['t'], due });
  if (!among) return undefined;
  return tx.maybe(
    callRow,
    sql`
    select c.partner_id, c.tenant_id, c.key,
      c.payment_id, t.clock_offset_ms, c.kind,
      c.amount_in_cents
    ${due} and ${among('c')} for update of t`,
  );
}

/** Stores what a bank did with a payment. Returns why money was not stored; null if all of it is. */
async function recordMoved(
  uow: UnitOfWork,
  payment: Call & { readonly processor: string },
  event: Extract<ProcessorEvent, { kind: 'returned' | 'dispute_won' | 'disputed' }>,
  at: TenantTime,
): Promise<string | null> {
  switch (event.kind) {
    case 'disputed':
      return recordDispute(uow, payment, event, at);
    case 'returned': {
      const { returnCode, amountInCents = null } = event;
      await recordReturn(uow, payment, { returnCode, amountInCents, at });
      return null;
    }
    case 'dispute_won':
      await recordMoneyWonBack(uow, payment, at);
      return null;
  }
}

/** Applies what can be applied now, such as a return that arrived before its payment's success. */
async function runWaiting(
  uow: UnitOfWork,
  { partnerId, tenantId, clockOffsetMs }: TenantKey & Pick<Call, 'clockOffsetMs'>,
): Promise<void> {
  await runProcessorEvents(uow, {
    partnerId,
    tenantId,
    at: tenantTime({ clockOffsetMs }, uow.now),
  });
}
