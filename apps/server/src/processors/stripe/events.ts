import type Stripe from 'stripe';
import type { CallName, DisputeReport, ProcessorEvent } from '../../domain/payments/processor.ts';
import { returnCodeOfDispute } from './failure-codes.ts';
import { outcomeOfIntent, outcomeOfRefund } from './outcomes.ts';
import { readCard } from './read-setup.ts';

/** The event types that the webhook endpoint has to be subscribed to. At most 20 fit into a query. */
export const eventTypes = [
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'mandate.updated',
  'payment_method.automatically_updated',
  'payment_method.detached',
  'checkout.session.completed',
  'checkout.session.expired',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
] as const satisfies readonly Stripe.Event.Type[];

/** The key in Stripe's metadata under which each of our calls stores its idempotency key. */
export const keyField = 'svc_key';

/** Translates one event of Stripe. Null if it does not concern us. */
export function readEvent(event: Stripe.Event): ProcessorEvent | null {
  const change = changeOf(event);
  if (!change) return null;
  return { id: event.id, occurredAt: new Date(event.created * 1_000), ...change };
}

type Change = ProcessorEvent extends infer E
  ? E extends ProcessorEvent
    ? Omit<E, 'id' | 'occurredAt'>
    : never
  : never;

function changeOf(event: Stripe.Event): Change | null {
  switch (event.type) {
    case 'payment_intent.processing':
    case 'payment_intent.requires_action':
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return ofIntent(event.data.object);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return ofRefund(event.data.object);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return ofDispute(event.type, event.data.object);
    case 'mandate.updated':
      return event.data.object.status === 'inactive'
        ? { kind: 'mandate_revoked', mandateRef: event.data.object.id }
        : null;
    case 'payment_method.automatically_updated': {
      const { id, card } = event.data.object;
      const face = card ? readCard(card) : null;
      return face && { kind: 'card_replaced', methodRef: id, card: face };
    }
    case 'payment_method.detached':
      return { kind: 'method_removed', methodRef: event.data.object.id };
    case 'checkout.session.completed':
    case 'checkout.session.expired': {
      const { id, metadata, mode } = event.data.object;
      return mode === 'setup' ? ofSetup({ key: metadata?.[keyField] ?? null, ref: id }) : null;
    }
    case 'setup_intent.succeeded':
    case 'setup_intent.setup_failed':
      return ofSetup({ key: event.data.object.metadata?.[keyField] ?? null, ref: null });
    default:
      return null;
  }
}

/** Null for a PaymentIntent without our key, because we did not make it. */
function ofIntent(intent: Stripe.PaymentIntent): Change | null {
  const key = intent.metadata[keyField];
  const outcome = outcomeOfIntent(intent);
  if (key === undefined || outcome.state === 'unknown') return null;
  return { kind: 'outcome', call: { kind: 'charge', key, ref: intent.id }, outcome };
}

/** A refund without our key was made in Stripe's dashboard; operators have to see it. */
function ofRefund(refund: Stripe.Refund): Change | null {
  const outcome = outcomeOfRefund(refund);
  if (outcome.state === 'unknown') return null;
  const key = refund.metadata?.[keyField] ?? null;
  return { kind: 'outcome', call: { kind: 'refund', key, ref: refund.id }, outcome };
}

function ofDispute(type: string, dispute: Stripe.Dispute): Change | null {
  const intent = dispute.payment_intent;
  const ref = typeof intent === 'object' ? (intent?.id ?? null) : intent;
  if (ref === null) return null;
  const { id, status, amount, evidence_details: evidence } = dispute;
  const dueBy = evidence?.due_by ?? null;
  return {
    kind: 'disputed',
    charge: { key: null, ref },
    dispute: {
      ref: id,
      status: statusOf(status),
      returnCode: returnCodeOfDispute(dispute),
      amountInCents: amount,
      answerBy: dueBy === null ? null : new Date(dueBy * 1_000).toISOString(),
      ...moneyOfDispute(type, dispute),
    },
  };
}

function statusOf(status: string): DisputeReport['status'] {
  switch (status) {
    case 'warning_needs_response':
      return 'inquiry';
    case 'needs_response':
      return 'needs_answer';
    case 'won':
    case 'lost':
      return status;
    case 'warning_closed':
    case 'prevented':
      return 'closed';
    default:
      return 'under_review';
  }
}

type DisputedMoney = Pick<
  DisputeReport,
  'withdrawnInCents' | 'reinstatedInCents' | 'reinstatedAtMostInCents'
>;

/**
 * Stripe lists what it took and gave back in the dispute's balance transactions, without its fee. A dispute
 * that is won in part is `lost`, and only these say how much came back. Without them, the type of the event
 * says that money moved, and the disputed amount how much.
 */
function moneyOfDispute(
  type: string,
  { amount, status, balance_transactions: transactions }: Stripe.Dispute,
): DisputedMoney {
  const cents = (transactions ?? [])
    .filter(({ currency }) => currency === 'usd')
    .map((it) => it.amount);
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, it) => sum + it, 0);
  const taken = cents.filter((it) => it < 0);
  const given = cents.filter((it) => it > 0);
  const reinstated = given.length > 0 ? sumOf(given) : null;
  // A returned debit cannot be contested: it is lost from the start.
  const isReturn = type === 'charge.dispute.created' && status === 'lost';
  const isWon = type === 'charge.dispute.funds_reinstated' && status === 'won';
  const isTaken = type === 'charge.dispute.funds_withdrawn' || isReturn || isWon;
  const withdrawn = taken.length > 0 ? -sumOf(taken) : isTaken ? amount : null;
  if (type !== 'charge.dispute.funds_reinstated' || reinstated !== null) {
    return { withdrawnInCents: withdrawn, reinstatedInCents: reinstated };
  }
  return isWon
    ? { withdrawnInCents: withdrawn, reinstatedInCents: amount }
    : { withdrawnInCents: withdrawn, reinstatedInCents: null, reinstatedAtMostInCents: amount };
}

function ofSetup(setup: CallName): Change | null {
  return setup.key === null && setup.ref === null ? null : { kind: 'setup', setup };
}
