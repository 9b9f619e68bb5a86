import { bigint, nullable, oneOf, type RowOf, row, text } from '@svc/db';

export const processorEventRow = row('processor event', {
  id: text,
  /** `taken_back` is how a return or chargeback is stored. */
  kind: oneOf('taken_back', 'won'),
  returnCode: nullable(text),
  paymentId: text,
  /** Cents that were taken back or won: a part of the payment, or all of it. */
  amountInCents: bigint,
  planId: text,
  installmentId: text,
  methodId: text,
  methodType: oneOf('bank_account', 'card'),
});

/** An event that the processor reported about a payment, with that payment. */
export type ProcessorEvent = RowOf<typeof processorEventRow>;
