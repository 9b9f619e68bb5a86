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

/** The bank account or card that a tenant enters on the hosted page, and how paying with it ends. */
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
   * `authentication_required` for a card. Charges succeed when it is left out.
   */
  readonly failsWith?: string;
  /** The bank returns each payment this many days after it was created. */
  readonly disputedAfterDays?: number;
  /** The network's code of that return. Default: `R10`, and `fraudulent` for a card. */
  readonly disputedWith?: string;
}

export interface ChargeRequest {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly paymentMethod: string;
  /** The types that the payment may have. */
  readonly types: readonly string[];
  readonly description: string | null;
  readonly metadata: Record<string, string>;
}

export interface SessionRequest {
  readonly customer: string;
  readonly types: readonly string[];
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly reference: string | null;
  readonly message: string | null;
  readonly expiresAt: number | null;
  readonly metadata: Record<string, string>;
  readonly setupMetadata: Record<string, string>;
}

/** A request that Stripe refuses, with the status and the body of its answer. */
export class Refused extends Error {
  readonly status: number;
  readonly error: object;

  constructor(status: number, error: { type: string; code?: string; message: string }) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

const dayS = 86_400;
/** "Up to 4 business days", which the double counts as days. */
const achDays = 4;
const microdepositDays = 2;
const cancelableS = 4 * 3_600;
const sessionLastsS = dayS;

/** Stripe's decline codes for the Nacha codes of a failed debit. */
const declineCodes: Readonly<Record<string, string>> = {
  R01: 'insufficient_funds',
  R02: 'bank_account_closed',
  R03: 'bank_account_invalid_details',
  R04: 'bank_account_invalid_details',
  R09: 'insufficient_funds',
  R15: 'recipient_deceased',
  R16: 'bank_account_frozen',
  R20: 'bank_account_restricted',
};

export type StripeAccount = ReturnType<typeof createAccount>;

/**
 * The state of one Stripe account in test mode: its objects, its events in order, and what happens
 * later. Time stands still until `advanceTo` is called.
 */
export function createAccount(start: Date, originOf: () => string) {
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
  let later: { readonly at: number; readonly run: () => void }[] = [];

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
    later.push({ at: nowS + days * dayS, run });
  }

  /** Moves the time forward and does what falls due, in order. */
  function advanceTo(to: Date): void {
    const toS = Math.floor(to.getTime() / 1_000);
    for (;;) {
      const next = later.filter(({ at }) => at <= toS).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      later = later.filter((it) => it !== next);
      nowS = Math.max(nowS, next.at);
      next.run();
    }
    nowS = Math.max(nowS, toS);
  }

  function createCustomer(email: string | null, metadata: Record<string, string>): Customer {
    const customer: Customer = {
      id: newId('cus'),
      object: 'customer',
      created: nowS,
      email,
      metadata,
    };
    customers.set(customer.id, customer);
    emit('customer.created', customer);
    return customer;
  }

  function createSession(request: SessionRequest): CheckoutSession {
    const { customer, types, successUrl, cancelUrl, reference, message, expiresAt } = request;
    find(customers, 'customer', customer);
    const setupIntent: SetupIntent = {
      id: newId('seti'),
      object: 'setup_intent',
      created: nowS,
      customer,
      usage: 'off_session',
      payment_method_types: types,
      metadata: request.setupMetadata,
      status: 'requires_payment_method',
      payment_method: null,
      mandate: null,
      next_action: null,
      last_setup_error: null,
    };
    setupIntents.set(setupIntent.id, setupIntent);
    const id = newId('cs_test');
    const session: CheckoutSession = {
      id,
      object: 'checkout.session',
      created: nowS,
      mode: 'setup',
      customer,
      setup_intent: setupIntent.id,
      payment_method_types: types,
      success_url: successUrl,
      cancel_url: cancelUrl,
      client_reference_id: reference,
      custom_text: { submit: message === null ? null : { message } },
      expires_at: expiresAt ?? nowS + sessionLastsS,
      metadata: request.metadata,
      status: 'open',
      url: `${originOf()}/c/pay/${id}`,
    };
    sessions.set(id, session);
    later.push({ at: session.expires_at, run: () => expireSession(id) });
    return session;
  }

  function expireSession(id: string): CheckoutSession {
    const session = find(sessions, 'checkout.session', id);
    if (session.status !== 'open') return session;
    session.status = 'expired';
    session.url = null;
    emit('checkout.session.expired', session);
    return session;
  }

  /** The tenant enters an account or a card on the hosted page. Returns where the page redirects to. */
  function completeSession(id: string, instrument: TestInstrument): string {
    const session = find(sessions, 'checkout.session', id);
    if (session.status !== 'open') throw new Error(`session ${id} is ${session.status}`);
    if (!session.payment_method_types.includes(instrument.type)) {
      throw new Error(`session ${id} does not take a ${instrument.type}`);
    }
    const setupIntent = find(setupIntents, 'setup_intent', session.setup_intent);
    const method = createPaymentMethod(session.customer, instrument);
    setupIntent.payment_method = method.id;
    session.status = 'complete';
    session.url = null;
    emit('payment_method.attached', method);
    if (instrument.verification === 'microdeposits') {
      setupIntent.status = 'requires_action';
      setupIntent.next_action = {
        type: 'verify_with_microdeposits',
        verify_with_microdeposits: {
          arrival_date: nowS + microdepositDays * dayS,
          hosted_verification_url: `${originOf()}/microdeposits/${setupIntent.id}`,
          microdeposit_type: 'descriptor_code',
        },
      };
      emit('setup_intent.requires_action', setupIntent);
    } else succeedSetup(setupIntent, method);
    emit('checkout.session.completed', session);
    return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
  }

  function createPaymentMethod(customer: string, instrument: TestInstrument): PaymentMethod {
    const { type, last4 = type === 'card' ? '4242' : '6789', funding = 'debit' } = instrument;
    const { brand = 'visa', expires = '2099-12' } = instrument;
    const [year = '', month = ''] = expires.split('-');
    const method: PaymentMethod = {
      id: newId('pm'),
      object: 'payment_method',
      created: nowS,
      type,
      customer,
      ...(type === 'card'
        ? { card: { brand, last4, exp_month: Number(month), exp_year: Number(year), funding } }
        : {
            us_bank_account: {
              account_type: 'checking',
              bank_name: 'STRIPE TEST BANK',
              last4,
              routing_number: '110000000',
            },
          }),
    };
    paymentMethods.set(method.id, method);
    instruments.set(method.id, instrument);
    return method;
  }

  function succeedSetup(setupIntent: SetupIntent, method: PaymentMethod): void {
    setupIntent.status = 'succeeded';
    setupIntent.next_action = null;
    if (method.type === 'us_bank_account') {
      const mandate: Mandate = {
        id: newId('mandate'),
        object: 'mandate',
        payment_method: method.id,
        type: 'multi_use',
        customer_acceptance: {
          accepted_at: nowS,
          type: 'online',
          online: { ip_address: '203.0.113.9', user_agent: 'Mozilla/5.0' },
        },
        status: 'active',
      };
      mandates.set(mandate.id, mandate);
      setupIntent.mandate = mandate.id;
      emit('mandate.updated', mandate);
    }
    emit('setup_intent.succeeded', setupIntent);
  }

  /** The tenant types the code of the micro-deposit, or types a wrong one three times. */
  function verifyMicrodeposits(setupIntentId: string, correct: boolean): void {
    const setupIntent = find(setupIntents, 'setup_intent', setupIntentId);
    if (setupIntent.status !== 'requires_action') throw new Error('nothing to verify');
    const method = find(paymentMethods, 'payment_method', setupIntent.payment_method ?? '');
    if (correct) {
      succeedSetup(setupIntent, method);
      return;
    }
    setupIntent.status = 'requires_payment_method';
    setupIntent.next_action = null;
    setupIntent.payment_method = null;
    setupIntent.last_setup_error = {
      code: 'payment_method_microdeposit_verification_attempts_exceeded',
      message: 'You have exceeded the number of allowed verification attempts.',
    };
    emit('setup_intent.setup_failed', setupIntent);
  }

  function detach(id: string): PaymentMethod {
    const method = find(paymentMethods, 'payment_method', id);
    method.customer = null;
    emit('payment_method.detached', method);
    return method;
  }

  /** Revokes a mandate, as the bank does after a return such as R07. */
  function revokeMandate(id: string): void {
    const mandate = find(mandates, 'mandate', id);
    mandate.status = 'inactive';
    emit('mandate.updated', mandate);
  }

  /** Creates and confirms a PaymentIntent. @throws Refused 402 when a card's bank declines */
  function createPaymentIntent(request: ChargeRequest): PaymentIntent {
    const { amount, currency, customer, paymentMethod, types, description, metadata } = request;
    find(customers, 'customer', customer);
    const method = find(paymentMethods, 'payment_method', paymentMethod);
    if (method.customer !== customer) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        message: 'The provided PaymentMethod cannot be attached to this customer.',
      });
    }
    if (!types.includes(method.type)) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_incompatible_payment_method',
        message: `The PaymentIntent does not allow a ${method.type}.`,
      });
    }
    if (!(amount >= 50)) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'amount_too_small',
        message: 'Amount must be at least $0.50 usd',
      });
    }
    const intent: PaymentIntent = {
      id: newId('pi'),
      object: 'payment_intent',
      created: nowS,
      amount,
      currency,
      customer,
      payment_method_types: [method.type],
      description,
      metadata,
      status: 'processing',
      amount_received: 0,
      payment_method: paymentMethod,
      latest_charge: null,
      last_payment_error: null,
    };
    paymentIntents.set(intent.id, intent);
    emit('payment_intent.created', intent);
    const { failsWith, disputedAfterDays, disputedWith } = instruments.get(paymentMethod) ?? {
      type: 'card',
    };
    createCharge(intent, paymentMethod);
    if (disputedAfterDays !== undefined) {
      afterDays(disputedAfterDays, () => dispute(intent.id, disputedWith));
    }
    if (method.type === 'card') {
      if (failsWith === undefined) succeed(intent.id);
      else fail(intent.id, failsWith);
    } else {
      emit('payment_intent.processing', intent);
      afterDays(achDays, () => {
        if (failsWith === undefined) succeed(intent.id);
        else fail(intent.id, failsWith);
      });
    }
    if (method.type === 'card' && intent.last_payment_error) {
      throw new Refused(402, {
        ...intent.last_payment_error,
        ...{ payment_intent: structuredClone(intent), charge: intent.latest_charge },
      });
    }
    return intent;
  }

  function createCharge(intent: PaymentIntent, paymentMethod: string): void {
    const charge: Charge = {
      id: newId(intent.payment_method_types[0] === 'card' ? 'ch' : 'py'),
      object: 'charge',
      created: nowS,
      amount: intent.amount,
      customer: intent.customer,
      payment_intent: intent.id,
      payment_method: paymentMethod,
      metadata: intent.metadata,
      status: 'pending',
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      failure_code: null,
      outcome: null,
    };
    charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
  }

  /** The payment of a PaymentIntent succeeds. Does nothing when it has ended. */
  function succeed(intentId: string): void {
    const intent = find(paymentIntents, 'payment_intent', intentId);
    if (intent.status !== 'processing') return;
    const charge = find(charges, 'charge', intent.latest_charge ?? '');
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    charge.status = 'succeeded';
    emit('charge.succeeded', charge);
    emit('payment_intent.succeeded', intent);
  }

  /** The payment of a PaymentIntent fails with the network's code. Does nothing when it has ended. */
  function fail(intentId: string, networkCode: string): void {
    const intent = find(paymentIntents, 'payment_intent', intentId);
    if (intent.status !== 'processing') return;
    const charge = find(charges, 'charge', intent.latest_charge ?? '');
    const isReturn = /^R\d\d$/.test(networkCode);
    const declineCode = isReturn
      ? (declineCodes[networkCode] ?? 'debit_not_authorized')
      : networkCode;
    const authenticates = networkCode === 'authentication_required';
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_payment_error = {
      type: 'card_error',
      code: authenticates ? 'authentication_required' : 'card_declined',
      decline_code: declineCode,
      message: 'The payment was declined.',
      ...(isReturn && { network_decline_code: networkCode }),
    };
    charge.status = 'failed';
    charge.failure_code = declineCode;
    charge.outcome = { network_decline_code: isReturn ? networkCode : null };
    emit('charge.failed', charge);
    emit('payment_intent.payment_failed', intent);
  }

  function cancelPaymentIntent(id: string): PaymentIntent {
    const intent = find(paymentIntents, 'payment_intent', id);
    // Stripe hands debits to the bank in the evening; after that they cannot be stopped.
    const isSent = intent.status === 'processing' && nowS - intent.created > cancelableS;
    if (intent.status === 'succeeded' || intent.status === 'canceled' || isSent) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      });
    }
    intent.status = 'canceled';
    emit('payment_intent.canceled', intent);
    return intent;
  }

  function createRefund(
    intentId: string,
    amount: number | undefined,
    metadata: Record<string, string>,
  ): Refund {
    const intent = find(paymentIntents, 'payment_intent', intentId);
    const charge = find(charges, 'charge', intent.latest_charge ?? '');
    if (intent.status !== 'succeeded') {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'charge_not_refundable',
        message: 'This PaymentIntent does not have a successful charge to refund.',
      });
    }
    if (charge.disputed) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'charge_disputed',
        message: 'This charge has been charged back; cannot issue a refund.',
      });
    }
    const left = charge.amount - charge.amount_refunded;
    const asked = amount ?? left;
    if (left === 0 || asked > left) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: left === 0 ? 'charge_already_refunded' : 'refund_amount_too_large',
        message: `Refund amount is greater than unrefunded amount on charge (${left}).`,
      });
    }
    charge.amount_refunded += asked;
    charge.refunded = charge.amount_refunded === charge.amount;
    const isCard = intent.payment_method_types[0] === 'card';
    const refund: Refund = {
      id: newId(isCard ? 're' : 'pyr'),
      object: 'refund',
      created: nowS,
      amount: asked,
      currency: intent.currency,
      charge: charge.id,
      payment_intent: intent.id,
      metadata,
      status: isCard ? 'succeeded' : 'pending',
    };
    refunds.set(refund.id, refund);
    emit('refund.created', refund);
    emit('charge.refunded', charge);
    if (!isCard) {
      afterDays(achDays, () => {
        if (refund.status !== 'pending') return;
        refund.status = 'succeeded';
        emit('refund.updated', refund);
      });
    }
    return refund;
  }

  /** The tenant's bank refuses the refund, which Stripe reports days later. */
  function failRefund(id: string, reason: string): void {
    const refund = find(refunds, 'refund', id);
    const charge = find(charges, 'charge', refund.charge);
    refund.status = 'failed';
    refund.failure_reason = reason;
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    emit('refund.failed', refund);
  }

  /** The bank takes a payment back after it succeeded. */
  function dispute(intentId: string, networkCode?: string): Dispute | undefined {
    const intent = find(paymentIntents, 'payment_intent', intentId);
    const charge = find(charges, 'charge', intent.latest_charge ?? '');
    if (intent.status !== 'succeeded' || charge.disputed) return undefined;
    const isBank = intent.payment_method_types[0] === 'us_bank_account';
    const code = networkCode ?? (isBank ? 'R10' : 'fraudulent');
    charge.disputed = true;
    const made: Dispute = {
      id: newId('du'),
      object: 'dispute',
      created: nowS,
      amount: charge.amount,
      charge: charge.id,
      payment_intent: intentId,
      reason: isBank ? reasonOf(code) : code,
      network_reason_code: isBank ? code : '10.4',
      payment_method_details: isBank ? undefined : { type: 'card' },
      metadata: {},
      status: isBank ? 'lost' : 'needs_response',
    };
    disputes.set(made.id, made);
    emit('charge.dispute.created', made);
    emit('charge.dispute.funds_withdrawn', made);
    // A returned debit cannot be contested, so its dispute is closed at once.
    if (isBank) emit('charge.dispute.closed', made);
    return made;
  }

  function closeDispute(id: string, status: 'won' | 'lost'): void {
    const closed = find(disputes, 'dispute', id);
    closed.status = status;
    if (status === 'won') emit('charge.dispute.funds_reinstated', closed);
    emit('charge.dispute.closed', closed);
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
    now: () => new Date(nowS * 1_000),
    advanceTo,
    createCustomer,
    createSession,
    expireSession,
    completeSession,
    verifyMicrodeposits,
    detach,
    revokeMandate,
    createPaymentIntent,
    cancelPaymentIntent,
    succeed,
    fail,
    createRefund,
    failRefund,
    dispute,
    closeDispute,
  };
}

function reasonOf(code: string): string {
  if (code === 'R01' || code === 'R09') return 'insufficient_funds';
  if (code === 'R02' || code === 'R03' || code === 'R04') return 'incorrect_account_details';
  return code === 'R16' || code === 'R20' ? 'bank_cannot_process' : 'debit_not_authorized';
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
