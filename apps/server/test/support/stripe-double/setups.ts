import type { CheckoutSession, Customer, Mandate, PaymentMethod, SetupIntent } from './objects.ts';
import { type AccountState, daySeconds, find, type TestInstrument } from './state.ts';

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

const microdepositDays = 2;
const sessionLastsSeconds = daySeconds;

/** Customers, Checkout Sessions in `setup` mode, SetupIntents, payment methods and mandates. */
export function createSetups(state: AccountState) {
  function createCustomer(email: string | null, metadata: Record<string, string>): Customer {
    const customer: Customer = {
      id: state.newId('cus'),
      object: 'customer',
      created: state.nowSeconds(),
      email,
      metadata,
    };
    state.customers.set(customer.id, customer);
    state.emit('customer.created', customer);
    return customer;
  }

  function createSession(request: SessionRequest): CheckoutSession {
    const { customer, types, successUrl, cancelUrl, reference, message, expiresAt } = request;
    find(state.customers, 'customer', customer);
    const setupIntent: SetupIntent = {
      id: state.newId('seti'),
      object: 'setup_intent',
      created: state.nowSeconds(),
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
    state.setupIntents.set(setupIntent.id, setupIntent);
    const id = state.newId('cs_test');
    const session: CheckoutSession = {
      id,
      object: 'checkout.session',
      created: state.nowSeconds(),
      mode: 'setup',
      customer,
      setup_intent: setupIntent.id,
      payment_method_types: types,
      success_url: successUrl,
      cancel_url: cancelUrl,
      client_reference_id: reference,
      custom_text: { submit: message === null ? null : { message } },
      expires_at: expiresAt ?? state.nowSeconds() + sessionLastsSeconds,
      metadata: request.metadata,
      status: 'open',
      url: `${state.originOf()}/c/pay/${id}`,
    };
    state.sessions.set(id, session);
    state.at(session.expires_at, () => expireSession(id));
    return session;
  }

  function expireSession(id: string): CheckoutSession {
    const session = find(state.sessions, 'checkout.session', id);
    if (session.status !== 'open') return session;
    session.status = 'expired';
    session.url = null;
    state.emit('checkout.session.expired', session);
    return session;
  }

  /** Enters the tenant's account or card on the hosted page. Returns the URL to which the page redirects. */
  function completeSession(id: string, instrument: TestInstrument): string {
    const session = find(state.sessions, 'checkout.session', id);
    if (session.status !== 'open') throw new Error(`session ${id} is ${session.status}`);
    if (!session.payment_method_types.includes(instrument.type)) {
      throw new Error(`session ${id} does not take a ${instrument.type}`);
    }
    const setupIntent = find(state.setupIntents, 'setup_intent', session.setup_intent);
    const method = createPaymentMethod(session.customer, instrument);
    setupIntent.payment_method = method.id;
    session.status = 'complete';
    session.url = null;
    state.emit('payment_method.attached', method);
    if (instrument.verification === 'microdeposits') {
      setupIntent.status = 'requires_action';
      setupIntent.next_action = {
        type: 'verify_with_microdeposits',
        verify_with_microdeposits: {
          arrival_date: state.nowSeconds() + microdepositDays * daySeconds,
          hosted_verification_url: `${state.originOf()}/microdeposits/${setupIntent.id}`,
          microdeposit_type: 'descriptor_code',
        },
      };
      state.emit('setup_intent.requires_action', setupIntent);
    } else succeedSetup(setupIntent, method);
    state.emit('checkout.session.completed', session);
    return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
  }

  function createPaymentMethod(customer: string, instrument: TestInstrument): PaymentMethod {
    const { type, last4 = type === 'card' ? '4242' : '6789', funding = 'debit' } = instrument;
    const { brand = 'visa', expires = '2099-12' } = instrument;
    const [year = '', month = ''] = expires.split('-');
    const method: PaymentMethod = {
      id: state.newId('pm'),
      object: 'payment_method',
      created: state.nowSeconds(),
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
    state.paymentMethods.set(method.id, method);
    state.instruments.set(method.id, instrument);
    return method;
  }

  function succeedSetup(setupIntent: SetupIntent, method: PaymentMethod): void {
    setupIntent.status = 'succeeded';
    setupIntent.next_action = null;
    if (method.type === 'us_bank_account') {
      const mandate: Mandate = {
        id: state.newId('mandate'),
        object: 'mandate',
        payment_method: method.id,
        type: 'multi_use',
        customer_acceptance: {
          accepted_at: state.nowSeconds(),
          type: 'online',
          online: { ip_address: '203.0.113.9', user_agent: 'Mozilla/5.0' },
        },
        status: 'active',
      };
      state.mandates.set(mandate.id, mandate);
      setupIntent.mandate = mandate.id;
      state.emit('mandate.updated', mandate);
    }
    state.emit('setup_intent.succeeded', setupIntent);
  }

  /** Types the micro-deposit's code for the tenant, or a wrong one three times. */
  function verifyMicrodeposits(setupIntentId: string, correct: boolean): void {
    const setupIntent = find(state.setupIntents, 'setup_intent', setupIntentId);
    if (setupIntent.status !== 'requires_action') throw new Error('nothing to verify');
    const method = find(state.paymentMethods, 'payment_method', setupIntent.payment_method ?? '');
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
    state.emit('setup_intent.setup_failed', setupIntent);
  }

  function detach(id: string): PaymentMethod {
    const method = find(state.paymentMethods, 'payment_method', id);
    method.customer = null;
    state.emit('payment_method.detached', method);
    return method;
  }

  /** Replaces a card, as its network does when one is lost. The id stays the same. */
  function replaceCard(
    id: string,
    change: { readonly last4: string; readonly expires: string },
  ): void {
    const method = find(state.paymentMethods, 'payment_method', id);
    if (!method.card) throw new Error(`${id} is no card`);
    const [year, month] = change.expires.split('-').map(Number);
    const { last4 } = change;
    method.card = { ...method.card, last4, exp_year: year ?? 0, exp_month: month ?? 0 };
    state.emit('payment_method.automatically_updated', method);
  }

  /** Revokes a mandate, as the bank does after a return such as R07. */
  function revokeMandate(id: string): void {
    const mandate = find(state.mandates, 'mandate', id);
    mandate.status = 'inactive';
    state.emit('mandate.updated', mandate);
  }

  return {
    createCustomer,
    createSession,
    expireSession,
    completeSession,
    verifyMicrodeposits,
    detach,
    replaceCard,
    revokeMandate,
  };
}
