import type { CardBrand, PaymentMethodInput } from '@svc/contract';

export type BankAccount = Extract<PaymentMethodInput, { type: 'bank_account' }>;
export type Card = Extract<PaymentMethodInput, { type: 'card' }>;

/**
 * The data with which the processor charges a payment method; stored sealed. It never contains a
 * card's number or security code.
 */
export type Instrument =
  | BankAccount
  | {
      readonly type: 'card';
      readonly token: string;
      /** `YYYY-MM`, as on the card. */
      readonly expires: string;
    };

export interface Registered {
  readonly type: PaymentMethodInput['type'];
  readonly brand: CardBrand | null;
  readonly last4: string;
  /** `YYYY-MM`, the last month of a card. */
  readonly expires: string | null;
  readonly instrument: Instrument;
}

export type ChargeOutcome =
  | { readonly outcome: 'succeeded' }
  | { readonly outcome: 'failed'; readonly returnCode: string };

/** An event after a payment succeeded: the bank returns it, or we win the dispute about it. */
export interface UpcomingEvent {
  /** `taken_back` is how a return is stored. */
  readonly kind: 'taken_back' | 'won';
  /** Why the bank returned the payment; null if we won the dispute. */
  readonly returnCode: string | null;
  readonly afterDays: number;
}

interface Occasion {
  /** Whether it is the plan's first payment. */
  readonly isFirst: boolean;
  /** `YYYY-MM-DD` in the property's time zone. */
  readonly on: string;
}

/** The payment processor: charges tenants' accounts and cards, and deposits the money with us. */
export interface Processor {
  /** Registers what the tenant typed. Returns what to store and charge. @throws Refusal `validation_failed` */
  register(typed: PaymentMethodInput, today: string): Registered;
  charge(instrument: Instrument, occasion: Occasion): ChargeOutcome;
  /** Whether the outcome of a first payment is known only on the next banking day. */
  isSlowAtFirst(instrument: Instrument): boolean;
  /** The outcomes after a plan's first payment, which the sandbox knows in advance. */
  upcomingEvents(instrument: Instrument): readonly UpcomingEvent[];
  /** How much of one movement is deposited with us, in cents; negative for a refund. */
  deposit(instrument: Instrument, amountInCents: number): number;
}

/** The processor's id for our reference. */
export function processorId(reference: string): string {
  return `tb_${reference}`;
}
