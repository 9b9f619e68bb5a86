import type {
  AccountEntry,
  Bank,
  CardBrand,
  PaymentMethodInput,
  SetupFailure,
} from '@svc/contract';
import type { ProcessorKind } from '../../processor-kinds.ts';

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
    }
  /** Ids of the processor, which alone knows the numbers. */
  | {
      readonly type: 'reference';
      readonly customer: string;
      readonly method: string;
      /** The tenant's permission to debit a bank account. Cards have none. */
      readonly mandate: Mandate | null;
    };

/** A tenant's permission to debit a bank account. It is kept while payments may be disputed. */
interface Mandate {
  /** The processor's id. */
  readonly ref: string;
  /** Our text that the processor's page showed next to the button. */
  readonly text: string;
  /** The time of the permission, by the processor's clock. */
  readonly acceptedAt: string | null;
}

export interface Registered {
  readonly type: PaymentMethodInput['type'];
  readonly brand: CardBrand | null;
  readonly last4: string;
  /** `YYYY-MM`, the last month of a card. */
  readonly expires: string | null;
  readonly instrument: Instrument;
  /** The bank account's id at the processor, the same whoever adds it, if the processor gives us no numbers. */
  readonly fingerprint?: string;
}

/** The parts of a card that people see. */
export interface CardFace {
  readonly brand: CardBrand;
  readonly last4: string;
  /** `YYYY-MM` */
  readonly expires: string;
}

/** The page to which the processor's pages return. It closes its tab, or goes back to the page before them. */
export const returnPath = '/setup/return';

/** The timeout of an adapter's call, in milliseconds. After that the outcome counts as unknown. */
export const callTimeoutMs = 10_000;

export type CallKind = 'charge' | 'refund';

/** One call of ours, by the key that we chose or the processor's id for it. */
export interface CallName {
  /** Our idempotency key. Null in an event for which the processor knows only its own id. */
  readonly key: string | null;
  /** The processor's id of the charge or refund. Null if its answer never arrived. */
  readonly ref: string | null;
}

/** An earlier call as we stored it, for `find`. */
export interface EarlierCall extends CallName {
  readonly kind: CallKind;
  /** Wall time, when the call may first have left this service. */
  readonly sentAt: Date;
  /** The account or card of the charge, also for a refund. */
  readonly instrument: Instrument;
  /** For a refund, the charge that it gives money back from. */
  readonly of: CallName | null;
}

/** The tenant who pays. A real processor needs only the instrument; the simulator has a clock for each tenant. */
export interface Payer {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly timeZone: string;
  /** Tenant time. Equal to wall time unless the tenant's clock is simulated. */
  readonly at: Date;
}

export interface ChargeRequest {
  /**
   * Idempotency key, unique for each attempt to take money. A repeated call with the same key returns
   * the first outcome and takes no more money.
   */
  readonly key: string;
  readonly payer: Payer;
  readonly amountInCents: number;
  readonly methodId: string;
  readonly instrument: Instrument;
  /** `first` and `tenant`: the tenant is present. `scheduled` and `retry`: the tenant is not. */
  readonly occasion: 'first' | 'tenant' | 'scheduled' | 'retry';
  /** Where the processor's page sends a tenant who has confirmed the payment there. */
  readonly returnUrl: string;
}

export interface RefundRequest {
  readonly key: string;
  readonly payer: Payer;
  readonly amountInCents: number;
  /** The charge to give money back from. */
  readonly of: CallName;
}

/**
 * The state of a charge or refund. Only `succeeded` and `failed` are final, and even a charge that
 * succeeded can be returned by the bank later (`ProcessorEvent`).
 */
export type Outcome =
  | {
      readonly state: 'succeeded';
      readonly ref: string;
      /** The amount that moved, if the processor says so. Another one than we asked for is never booked. */
      readonly amountInCents?: number;
    }
  /** Accepted; the bank answers later. A bank debit takes up to four banking days. */
  | { readonly state: 'processing'; readonly ref: string }
  /** The tenant has to confirm it first, on the page at `url`. */
  | { readonly state: 'requires_action'; readonly ref: string; readonly url: string | null }
  | {
      readonly state: 'failed';
      readonly ref: string | null;
      /** A code of the contract (`R01`, `insufficient_funds`), or the processor's if none fits. */
      readonly returnCode: string;
    }
  /** No answer, an answer that makes no sense, or a failure on the way: money may have moved. */
  | { readonly state: 'unknown'; readonly reason: string };

export type KnownOutcome = Exclude<Outcome, { state: 'unknown' }>;

export interface SetupRequest {
  /** Idempotency key. */
  readonly key: string;
  readonly payer: Payer;
  readonly type: PaymentMethodInput['type'];
  /** The numbers that the tenant typed into our fields; null for the page of the processor or a bank. */
  readonly typed: PaymentMethodInput | null;
  /** The bank that the tenant picked from `banks`. */
  readonly bank: string | null;
  /** Where the processor's page sends the tenant afterwards. */
  readonly returnUrl: string;
  /** Wall time. */
  readonly now: Date;
}

/** The next step towards an account or card that can be charged. */
export type SetupStep =
  /** The experience shows our own fields and calls again with `typed`. */
  | { readonly kind: 'fields' }
  /** The tenant picks one of these, and the experience calls again with `bank`. */
  | { readonly kind: 'banks'; readonly banks: readonly Bank[] }
  /** The tenant continues on the page of the processor or of a bank. */
  | { readonly kind: 'redirect'; readonly url: string; readonly ref: string }
  /** The processor checks the account, such as by micro-deposits; an event reports the end. */
  | { readonly kind: 'pending'; readonly ref: string }
  | { readonly kind: 'ready'; readonly method: Registered; readonly ref: string | null }
  | { readonly kind: 'failed'; readonly ref: string; readonly reason: SetupFailure };

export const disputeStatuses = [
  /** A question of the bank. No money has moved, but it may become a chargeback if we do not answer. */
  'inquiry',
  'needs_answer',
  'under_review',
  'won',
  'lost',
  /** Ended without a decision, such as an inquiry that became no chargeback. */
  'closed',
] as const;

/**
 * A dispute as the processor has it when it reports it. Its amounts are totals so far, so the reports may
 * come late, twice and in any order.
 */
export interface DisputeReport {
  /** The processor's id. */
  readonly ref: string;
  readonly status: (typeof disputeStatuses)[number];
  readonly returnCode: string;
  /** The amount in dispute: a part of the charge, or all of it. */
  readonly amountInCents: number;
  /** The deadline for our answer to the bank, in RFC 3339. */
  readonly answerBy: string | null;
  /** The amount taken from us so far. Null if the report says nothing about it. */
  readonly withdrawnInCents: number | null;
  /** The amount given back to us so far. Null if the report says nothing about it. */
  readonly reinstatedInCents: number | null;
  /** The most that may have been given back, if the report says only that money was given back. */
  readonly reinstatedAtMostInCents?: number;
}

/** A change that the processor reports later, by webhook or in the list of its events. */
export type ProcessorEvent = {
  /** The processor's id. An event that arrives twice has the same id twice. */
  readonly id: string;
  /** The time by the processor's clock, which may be off. Never compared with ours. */
  readonly occurredAt: Date;
} & (
  | {
      readonly kind: 'outcome';
      readonly call: CallName & { readonly kind: CallKind };
      readonly outcome: KnownOutcome;
    }
  /** The money of a charge was taken back from us, as when a debit is returned. */
  | {
      readonly kind: 'returned';
      readonly charge: CallName;
      readonly returnCode: string;
      /** The whole charge if it is left out. */
      readonly amountInCents?: number;
    }
  /** The money of a charge that was taken back is ours again. */
  | { readonly kind: 'dispute_won'; readonly charge: CallName }
  /** A dispute has a new state. A charge can have several, one after another or at once. */
  | { readonly kind: 'disputed'; readonly charge: CallName; readonly dispute: DisputeReport }
  /** The tenant's permission to debit has ended. */
  | { readonly kind: 'mandate_revoked'; readonly mandateRef: string }
  /** The account or card can no longer be charged. */
  | { readonly kind: 'method_removed'; readonly methodRef: string }
  /** The card's network has replaced the card, and the processor charges the new one. */
  | { readonly kind: 'card_replaced'; readonly methodRef: string; readonly card: CardFace }
  /** A setup has a new state, which `findSetup` returns. */
  | { readonly kind: 'setup'; readonly setup: CallName }
);

/** The headers of a webhook, with names in lower case. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A payment processor. No call is made inside a transaction, and each answers within
 * `callTimeoutMs`. A failure of the network or of the processor is the outcome `unknown`, not an
 * exception; `Refusal` is for input that the tenant can correct.
 */
export interface Processor {
  /** Stored with each call, and the value of SVC_PROCESSOR. */
  readonly name: string;
  /** The input that `setup` asks for first, so that the experience can show it without a call. */
  readonly accountEntry: AccountEntry;
  /** False if only bank accounts can be charged. */
  readonly takesCards: boolean;
  /**
   * How its money reaches our bank account. `daily`: it deposits what it has on the next banking day.
   * `report`: it deposits at any time, and its balance report says what each deposit consists of.
   */
  readonly deposits: 'daily' | 'report';
  /**
   * The account that a daily deposit goes to: `cash`, or the processor's own account if it books our bank account
   * itself.
   */
  readonly depositAccount: 'cash' | ProcessorKind<'account'>;
  /** The number of calls that a batch of background work makes at the same time. Default: 16. */
  readonly callsAtOnce?: number;
  /** @throws Refusal `validation_failed` for numbers that cannot be right, `unavailable` without an answer */
  setup(request: SetupRequest): Promise<SetupStep>;
  /**
   * Returns the current state of a setup that `setup` began, by the reference that it returned. `now` is wall time.
   * @throws Refusal `unavailable` without an answer
   */
  findSetup(ref: string, now: Date): Promise<SetupStep>;
  charge(request: ChargeRequest): Promise<Outcome>;
  refund(request: RefundRequest): Promise<Outcome>;
  /**
   * Asks the processor not to take money that is still on its way. Returns the resulting state:
   * `failed` with the code `canceled` if it could be stopped.
   */
  cancel(charge: CallName, payer: Payer): Promise<Outcome>;
  /**
   * Returns the current state of an earlier call, which is authoritative: unlike an event, it is never
   * stale. Null if the processor never received the call, `unknown` if it does not answer.
   */
  find(call: EarlierCall, payer: Payer): Promise<Outcome | null>;
  /**
   * Verifies the signature over the raw bytes and returns what the webhook reports; nothing for
   * types that do not matter to us.
   * @throws WebhookNotAuthentic
   */
  parseWebhook(raw: Buffer, headers: WebhookHeaders, now: Date): readonly ProcessorEvent[];
  /** Lists all events since then, oldest first, for the nightly sweep. @throws when the processor does not answer */
  list(since: Date): AsyncIterable<ProcessorEvent>;
}

/** The webhook's signature is missing or wrong, or its time is too far from ours. */
export class WebhookNotAuthentic extends Error {}

/** Returns the processor's id for our reference. */
export function processorId(reference: string): string {
  return `tb_${reference}`;
}
