import type {
  Charge,
  CheckoutSession,
  Customer,
  Dispute,
  Mandate,
  PaymentIntent,
  PaymentMethod,
  Refund,
  SetupIntent,
  StripeEvent,
  StripeObject,
} from './objects.ts';

/** The bank account or card that a tenant enters on the hosted page, and the outcome of paying with it. */
export interface TestInstrument {
  readonly type: 'us_bank_account' | 'card';
  readonly last4?: string;
  /** Default: `debit`. */
  readonly funding?: 'credit' | 'debit' | 'prepaid' | 'unknown';
  /** Default: `visa`. */
  readonly brand?: string;
  /** `YYYY-MM`; far in the future when left out. */
  readonly expires?: string;
  /** Bank accounts: `microdeposits` take days. Default: `instant`. */
  readonly verification?: 'instant' | 'microdeposits';
  /**
   * The network's code with which charges fail: `R01` for a bank account, `insufficient_funds` or
   * `authentication_required` for a card. With the latter, a charge with the tenant present waits for
   * the tenant's confirmation instead. Charges succeed when it is left out.
   */
  readonly failsWith?: string;
  /** The bank returns each payment this many days after it was created. */
  readonly disputedAfterDays?: number;
  /** The network's code of that return. Default: `R10`, and `fraudulent` for a card. */
  readonly disputedWith?: string;
}

interface StripeError {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  /** The PaymentIntent of a declined charge. */
  readonly payment_intent?: PaymentIntent;
  readonly charge?: string | null;
}

/** A request that Stripe refuses, with the status and the body of its answer. */
export class Refused extends Error {
  readonly status: number;
  readonly error: StripeError;

  constructor(status: number, error: StripeError) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export const daySeconds = 86_400;
/** "Up to 4 business days", which the double counts as days. */
export const achDays = 4;

export type AccountState = ReturnType<typeof createState>;

/**
 * The objects of one account, its events in order, and its scheduled changes. Time stands still until
 * `advanceTo` is called.
 */
export function createState(start: Date, originOf: () => string) {
  let nowS = Math.floor(start.getTime() / 1_000);
  let counter = 0;
  const customers = new Map<string, Customer>();
  const sessions = new Map<string, CheckoutSession>();
  const setupIntents = new Map<string, SetupIntent>();
  const paymentMethods = new Map<string, PaymentMethod>();
  const mandates = new Map<string, Mandate>();
  const paymentIntents = new Map<string, PaymentIntent>();
  const charges = new Map<string, Charge>();
  const refunds = new Map<string, Refund>();
  const disputes = new Map<string, Dispute>();
  const events: StripeEvent[] = [];
  const instruments = new Map<string, TestInstrument>();
  let scheduled: { readonly at: number; readonly run: () => void }[] = [];

  /** Ids sort by creation, so lists can be paged by id as Stripe pages them by time. */
  function newId(prefix: string): string {
    counter += 1;
    return `${prefix}_${String(counter).padStart(14, '0')}`;
  }

  function emit(type: string, object: StripeObject): void {
    events.push({
      id: newId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: nowS,
      type,
      livemode: false,
      data: { object: structuredClone(object) },
    });
  }

  function afterDays(days: number, run: () => void): void {
    scheduled.push({ at: nowS + days * daySeconds, run });
  }

  /** Moves the time forward and runs the changes that become due, in order. */
  function advanceTo(to: Date): void {
    const toS = Math.floor(to.getTime() / 1_000);
    for (;;) {
      const next = scheduled.filter(({ at }) => at <= toS).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      scheduled = scheduled.filter((it) => it !== next);
      nowS = Math.max(nowS, next.at);
      next.run();
    }
    nowS = Math.max(nowS, toS);
  }

  return {
    customers,
    sessions,
    setupIntents,
    paymentMethods,
    mandates,
    paymentIntents,
    charges,
    refunds,
    disputes,
    events,
    /** The instrument behind each payment method, by the method's id. */
    instruments,
    originOf,
    nowSeconds: () => nowS,
    newId,
    emit,
    afterDays,
    at: (atSeconds: number, run: () => void) => void scheduled.push({ at: atSeconds, run }),
    advanceTo,
  };
}

/** @throws Refused 404, as Stripe answers for an unknown id */
export function find<T>(objects: ReadonlyMap<string, T>, kind: string, id: string): T {
  const object = objects.get(id);
  if (object) return object;
  throw new Refused(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
  });
}
