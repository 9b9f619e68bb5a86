import type { Charge, PaymentIntent } from './objects.ts';
import { type AccountState, achDays, find, Refused } from './state.ts';

export interface ChargeRequest {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly paymentMethod: string;
  /** The allowed types of payment method. */
  readonly types: readonly string[];
  /** True if the tenant is not present to confirm the payment. */
  readonly offSession: boolean;
  readonly returnUrl: string | null;
  readonly description: string | null;
  readonly metadata: Record<string, string>;
}

const cancelableSeconds = 4 * 3_600;

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

/** PaymentIntents and their charges. `dispute` is called when a bank returns a payment. */
export function createPaymentIntents(
  state: AccountState,
  dispute: (intentId: string, networkCode?: string) => void,
) {
  /** Creates and confirms a PaymentIntent. @throws Refused 402 when a card's bank declines */
  function createPaymentIntent(request: ChargeRequest): PaymentIntent {
    const { amount, currency, customer, paymentMethod, types, description, metadata } = request;
    const { offSession, returnUrl } = request;
    find(state.customers, 'customer', customer);
    const method = find(state.paymentMethods, 'payment_method', paymentMethod);
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
      id: state.newId('pi'),
      object: 'payment_intent',
      created: state.nowSeconds(),
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
      next_action: null,
      last_payment_error: null,
    };
    state.paymentIntents.set(intent.id, intent);
    state.emit('payment_intent.created', intent);
    const { failsWith, disputedAfterDays, disputedWith } = state.instruments.get(paymentMethod) ?? {
      type: 'card',
    };
    createCharge(intent, paymentMethod);
    if (disputedAfterDays !== undefined) {
      state.afterDays(disputedAfterDays, () => dispute(intent.id, disputedWith));
    }
    if (failsWith === 'authentication_required' && !offSession && returnUrl !== null) {
      intent.status = 'requires_action';
      const url = `${state.originOf()}/confirm/${intent.id}?client_secret=secret_of_${intent.id}`;
      intent.next_action = {
        type: 'redirect_to_url',
        redirect_to_url: { url, return_url: returnUrl },
      };
      state.emit('payment_intent.requires_action', intent);
    } else if (method.type === 'card') {
      if (failsWith === undefined) succeed(intent.id);
      else fail(intent.id, failsWith);
    } else {
      state.emit('payment_intent.processing', intent);
      state.afterDays(achDays, () => {
        if (failsWith === undefined) succeed(intent.id);
        else fail(intent.id, failsWith);
      });
    }
    if (method.type === 'card' && intent.last_payment_error) {
      throw new Refused(402, {
        ...intent.last_payment_error,
        payment_intent: structuredClone(intent),
        charge: intent.latest_charge,
      });
    }
    return intent;
  }

  /** Lets the tenant confirm the payment on the bank's page, or be refused there. */
  function confirmAtBank(intentId: string, confirmed: boolean): void {
    const intent = find(state.paymentIntents, 'payment_intent', intentId);
    if (intent.status !== 'requires_action') throw new Error(`${intentId} is ${intent.status}`);
    intent.status = 'processing';
    intent.next_action = null;
    if (confirmed) succeed(intentId);
    else fail(intentId, 'payment_intent_authentication_failure');
  }

  function createCharge(intent: PaymentIntent, paymentMethod: string): void {
    const charge: Charge = {
      id: state.newId(intent.payment_method_types[0] === 'card' ? 'ch' : 'py'),
      object: 'charge',
      created: state.nowSeconds(),
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
    state.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
  }

  /** Makes a PaymentIntent's payment succeed. Does nothing if it is not processing. */
  function succeed(intentId: string): void {
    const intent = find(state.paymentIntents, 'payment_intent', intentId);
    if (intent.status !== 'processing') return;
    const charge = find(state.charges, 'charge', intent.latest_charge ?? '');
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    charge.status = 'succeeded';
    state.emit('charge.succeeded', charge);
    state.emit('payment_intent.succeeded', intent);
  }

  /** Makes a PaymentIntent's payment fail with the network's code. Does nothing if it is not processing. */
  function fail(intentId: string, networkCode: string): void {
    const intent = find(state.paymentIntents, 'payment_intent', intentId);
    if (intent.status !== 'processing') return;
    const charge = find(state.charges, 'charge', intent.latest_charge ?? '');
    const isReturn = /^R\d\d$/.test(networkCode);
    const declineCode = isReturn
      ? (declineCodes[networkCode] ?? 'debit_not_authorized')
      : networkCode;
    const isConfirmation =
      networkCode === 'authentication_required' ||
      networkCode === 'payment_intent_authentication_failure';
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_payment_error = {
      type: 'card_error',
      code: isConfirmation ? networkCode : 'card_declined',
      decline_code: declineCode,
      message: 'The payment was declined.',
      ...(isReturn && { network_decline_code: networkCode }),
    };
    charge.status = 'failed';
    charge.failure_code = declineCode;
    charge.outcome = { network_decline_code: isReturn ? networkCode : null };
    state.emit('charge.failed', charge);
    state.emit('payment_intent.payment_failed', intent);
  }

  function cancelPaymentIntent(id: string): PaymentIntent {
    const intent = find(state.paymentIntents, 'payment_intent', id);
    // Stripe hands debits to the bank in the evening; after that they cannot be stopped.
    const isSent =
      intent.status === 'processing' && state.nowSeconds() - intent.created > cancelableSeconds;
    if (intent.status === 'succeeded' || intent.status === 'canceled' || isSent) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      });
    }
    intent.status = 'canceled';
    intent.next_action = null;
    state.emit('payment_intent.canceled', intent);
    return intent;
  }

  return { createPaymentIntent, confirmAtBank, cancelPaymentIntent, succeed, fail };
}
