import type { PaymentMethodInput } from '@svc/contract';

/** An event that the processor reported about a payment, with that payment. */
export interface ProcessorEvent {
  readonly id: string;
  readonly kind: 'taken_back' | 'won';
  readonly returnCode: string | null;
  readonly paymentId: string;
  readonly outcome: string;
  readonly amountInCents: number;
  readonly methodId: string;
  readonly methodType: PaymentMethodInput['type'];
  readonly planId: string;
  readonly installmentId: string;
}
