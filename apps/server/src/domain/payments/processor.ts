import type { CardBrand, PaymentMethodInput } from '@svc/contract';

export type BankAccount = Extract<PaymentMethodInput, { type: 'bank_account' }>;
export type Card = Extract<PaymentMethodInput, { type: 'card' }>;

/** What a payment method is charged by; kept sealed. Of a card never its number nor its code. */
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

/** What it tells of a payment that it had made. */
export interface LaterEvent {
  readonly kind: 'taken_back' | 'won';
  /** Why it was taken back. */
  readonly returnCode: string | null;
  readonly afterDays: number;
}

interface Occasion {
  /** Of a plan's payments. */
  readonly isFirst: boolean;
  /** `YYYY-MM-DD` where the home is. */
  readonly on: string;
}

/** The payment processor: charges tenants' accounts and cards, and deposits the money with us. */
export interface Processor {
  /** Takes what the tenant typed into its keeping. @throws Refusal `validation_failed` */
  register(typed: PaymentMethodInput, today: string): Registered;
  charge(instrument: Instrument, occasion: Occasion): ChargeOutcome;
  /** Whether it takes until the next banking day to say how a first payment went. */
  isSlowAtFirst(instrument: Instrument): boolean;
  /** What it will tell of a plan's first payment: a simulator knows ahead. */
  tellsLater(instrument: Instrument): readonly LaterEvent[];
  /** What it deposits with us for one movement; less than nothing for money that goes back. */
  deposit(instrument: Instrument, amountInCents: number): number;
}

/** The processor's own id of what we call so. */
export function processorId(reference: string): string {
  return `tb_${reference}`;
}
