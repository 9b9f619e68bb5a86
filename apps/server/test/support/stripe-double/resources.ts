import type { StripeAccount } from './account.ts';
import { type Form, formOf, listOf, textOf, textsOf } from './form.ts';
import { find, Refused } from './state.ts';

/** One request to the API: the path's id, and the form of the body or the query string. */
interface Asked {
  readonly id: string;
  readonly form: Form;
}

type Answer = (account: StripeAccount, asked: Asked) => object;

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** The endpoints that the double has, as `METHOD /v1/path` with `:id` for an id. */
export const endpoints: Readonly<Record<string, Answer>> = {
  'POST /v1/customers': (account, { form }) =>
    account.createCustomer(textOf(form, 'email') ?? null, textsOf(form, 'metadata')),
  'GET /v1/customers/:id': ({ customers }, { id }) => find(customers, 'customer', id),
  'GET /v1/customers': ({ customers }, { form }) => page(customers.values(), form),

  'POST /v1/checkout/sessions': (account, { form }) => {
    if (textOf(form, 'mode') !== 'setup') throw invalid('the double knows mode=setup only');
    refuseRemoved(form);
    const submit = formOf(formOf(form, 'custom_text'), 'submit');
    const expiresAt = textOf(form, 'expires_at');
    return account.createSession({
      customer: required(form, 'customer'),
      types: listOf(form, 'allowed_payment_method_types'),
      successUrl: required(form, 'success_url'),
      cancelUrl: textOf(form, 'cancel_url') ?? null,
      reference: textOf(form, 'client_reference_id') ?? null,
      message: textOf(submit, 'message') ?? null,
      expiresAt: expiresAt === undefined ? null : Number(expiresAt),
      metadata: textsOf(form, 'metadata'),
      setupMetadata: textsOf(formOf(form, 'setup_intent_data'), 'metadata'),
    });
  },
  'GET /v1/checkout/sessions/:id': (account, { id, form }) => {
    const session = find(account.sessions, 'checkout.session', id);
    return expand(account, session, listOf(form, 'expand'));
  },
  'POST /v1/checkout/sessions/:id/expire': (account, { id }) => account.expireSession(id),

  'GET /v1/setup_intents/:id': (account, { id, form }) => {
    const setupIntent = find(account.setupIntents, 'setup_intent', id);
    return expand(account, setupIntent, listOf(form, 'expand'));
  },
  'GET /v1/payment_methods/:id': ({ paymentMethods }, { id }) =>
    find(paymentMethods, 'payment_method', id),
  'POST /v1/payment_methods/:id/detach': (account, { id }) => account.detach(id),
  'GET /v1/mandates/:id': ({ mandates }, { id }) => find(mandates, 'mandate', id),

  'POST /v1/payment_intents': (account, { form }) => {
    if (textOf(form, 'confirm') !== 'true') throw invalid('the double knows confirm=true only');
    refuseRemoved(form);
    const amount = Number(required(form, 'amount'));
    if (!Number.isSafeInteger(amount)) throw invalid('Invalid integer: amount');
    const currency = required(form, 'currency');
    if (currency !== 'usd') throw invalid('the double knows usd only');
    return account.createPaymentIntent({
      amount,
      currency,
      customer: required(form, 'customer'),
      paymentMethod: required(form, 'payment_method'),
      types: listOf(form, 'allowed_payment_method_types'),
      offSession: textOf(form, 'off_session') === 'true',
      returnUrl: textOf(form, 'return_url') ?? null,
      description: textOf(form, 'description') ?? null,
      metadata: textsOf(form, 'metadata'),
    });
  },
  'GET /v1/payment_intents/:id': (account, { id, form }) => {
    const intent = find(account.paymentIntents, 'payment_intent', id);
    return expand(account, intent, listOf(form, 'expand'));
  },
  'GET /v1/payment_intents': ({ paymentIntents }, { form }) => {
    const customer = textOf(form, 'customer');
    return page(
      [...paymentIntents.values()].filter(
        (it) => customer === undefined || it.customer === customer,
      ),
      form,
    );
  },
  'POST /v1/payment_intents/:id/cancel': (account, { id }) => account.cancelPaymentIntent(id),
  'GET /v1/charges/:id': ({ charges }, { id }) => find(charges, 'charge', id),

  'POST /v1/refunds': (account, { form }) => {
    const amount = textOf(form, 'amount');
    return account.createRefund(
      required(form, 'payment_intent'),
      amount === undefined ? undefined : Number(amount),
      textsOf(form, 'metadata'),
    );
  },
  'GET /v1/refunds/:id': ({ refunds }, { id }) => find(refunds, 'refund', id),
  'GET /v1/refunds': ({ refunds }, { form }) => {
    const intent = textOf(form, 'payment_intent');
    return page(
      [...refunds.values()].filter((it) => intent === undefined || it.payment_intent === intent),
      form,
    );
  },

  'GET /v1/disputes/:id': ({ disputes }, { id }) => find(disputes, 'dispute', id),
  'GET /v1/disputes': ({ disputes }, { form }) => {
    const intent = textOf(form, 'payment_intent');
    return page(
      [...disputes.values()].filter((it) => intent === undefined || it.payment_intent === intent),
      form,
    );
  },

  'GET /v1/events/:id': ({ events }, { id }) =>
    find(new Map(events.map((it) => [it.id, it])), 'event', id),
  'GET /v1/events': (account, { form }) => {
    const types = listOf(form, 'types');
    if (types.length > 20) throw invalid('You may pass up to 20 event types');
    // Stripe keeps events for 30 days.
    const oldest = account.now().getTime() / 1_000 - 30 * 86_400;
    const kept = account.events.filter(
      (it) => it.created >= oldest && (types.length === 0 || types.includes(it.type)),
    );
    return page(kept, form);
  },
};

/** A page of a list, newest first, with the parameters `created`, `limit`, `starting_after` and `ending_before`. */
function page(objects: Iterable<Listed>, form: Form): object {
  const created = formOf(form, 'created');
  const bound = (key: string) =>
    textOf(created, key) === undefined ? undefined : Number(created[key]);
  const [gt, gte, lt, lte] = [bound('gt'), bound('gte'), bound('lt'), bound('lte')];
  const limit = Number(textOf(form, 'limit') ?? '10');
  if (!(limit >= 1 && limit <= 100)) throw invalid('This value must be from 1 to 100: limit');
  // Objects are stored in the order in which they were created.
  const newestFirst = [...objects]
    .filter(
      (it) =>
        !(it.created <= (gt ?? -1)) &&
        !(it.created < (gte ?? 0)) &&
        !(it.created >= (lt ?? Infinity)) &&
        !(it.created > (lte ?? Infinity)),
    )
    .reverse();
  const after = textOf(form, 'starting_after');
  const start = after === undefined ? 0 : newestFirst.findIndex((it) => it.id === after) + 1;
  const data = newestFirst.slice(start, start + limit);
  return { object: 'list', url: '', has_more: start + limit < newestFirst.length, data };
}

/** Replaces ids with their objects for `expand[]`, also along paths such as `setup_intent.payment_method`. */
function expand(account: StripeAccount, object: object, paths: readonly string[]): object {
  const expanded: Record<string, unknown> = { ...object };
  for (const path of paths) {
    const [key = '', ...rest] = path.split('.');
    const value = expanded[key];
    const found = typeof value === 'string' ? anyObject(account, value) : value;
    if (typeof found !== 'object' || found === null) continue;
    expanded[key] = rest.length === 0 ? found : expand(account, found, [rest.join('.')]);
  }
  return expanded;
}

function anyObject(account: StripeAccount, id: string): object | undefined {
  const { setupIntents, paymentMethods, mandates, charges, customers, paymentIntents } = account;
  const all = [setupIntents, paymentMethods, mandates, charges, customers, paymentIntents];
  return all.map((objects) => objects.get(id)).find((it) => it !== undefined);
}

function required(form: Form, key: string): string {
  const value = textOf(form, key);
  if (value === undefined || value === '') throw invalid(`Missing required param: ${key}.`);
  return value;
}

/** The API version 2026-10-28 replaced `payment_method_types` by `allowed_payment_method_types`. */
function refuseRemoved(form: Form): void {
  if (form.payment_method_types !== undefined) {
    throw invalid('Received unknown parameter: payment_method_types');
  }
}

function invalid(message: string): Refused {
  return new Refused(400, { type: 'invalid_request_error', code: 'parameter_invalid', message });
}
