import { bigint, nullable, oneOf, type RowOf, row, text } from '@svc/db';

export const processorEventRow = row('processor event', {
  id: text,
  /** `taken_back` is how a return or chargeback is stored. */
  kind: oneOf('taken_back', 'won'),
  returnCode: nullable(text),
  paymentId: text,
  /** Cents that the bank moved. Null for the whole payment, or for all that banks hold of it. */
  amountInCents: nullable(bigint),
  /** Cents of the payment. */
  paymentInCents: bigint,
  /** Cents of the payment that count towards its plan now. */
  appliedInCents: bigint,
  /** Cents of the payment that banks hold now. */
  outInCents: bigint,
  /** Cents that banks hold beyond the payment, which are our loss. */
  beyondInCents: bigint,
  planId: text,
  installmentId: text,
  methodId: text,
  methodType: oneOf('bank_account', 'card'),
});

/** An event that the processor reported about a payment, with that payment. */
export type ProcessorEvent = RowOf<typeof processorEventRow>;

/** An event with the cents of it that one step books. */
export interface MovedEvent extends ProcessorEvent {
  readonly amountInCents: number;
}

/** The cents of an event, by what they change. */
interface MovedCents {
  /** Cents of the payment itself. */
  readonly ofPayment: number;
  /** Cents beyond it: a bank took more than the payment was, or gives that back. */
  readonly beyond: number;
}

/**
 * Splits the cents that a bank moved. Two disputes of one payment can take more than its amount, but the tenant
 * owes the payment only once. Pure.
 */
export function splitMoved({ kind, ...event }: ProcessorEvent): MovedCents {
  if (kind === 'taken_back') {
    const taken = event.amountInCents ?? event.paymentInCents;
    const ofPayment = Math.min(taken, event.appliedInCents);
    return { ofPayment, beyond: taken - ofPayment };
  }
  const { outInCents, beyondInCents } = event;
  const won = event.amountInCents ?? outInCents + beyondInCents;
  const recovered = Math.min(won, Math.max(0, beyondInCents));
  const ofPayment = Math.min(won - recovered, Math.max(0, outInCents));
  return { ofPayment, beyond: won - ofPayment };
}
