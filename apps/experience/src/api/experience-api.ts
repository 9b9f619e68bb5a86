import type {
  ApiInput,
  ApiOutput,
  DocumentInput,
  DocumentKind,
  ExchangeOutput,
  Locale,
  Paydays,
  PayInput,
  PaymentMethodInput,
  PaymentSetupInput,
  ProductVariant,
  QuoteOutput,
  RescheduleReason,
  Step,
  TextCodeInput,
} from '@svc/contract';
import { type ExperiencePath, type Result, request } from './request.ts';

export interface Identity {
  pms: string;
  externalId: string;
  signature: string;
  productVariant: ProductVariant;
}

export interface Application {
  /** `YYYY-MM-DD`. Null to use the last application's date of birth. */
  dateOfBirth: string | null;
  monthlyIncomeInCents: number;
  /** The hash of the text that the tenant agreed to; null for paper; undefined if it was not asked. */
  recordsSha256: string | null | undefined;
  /** Null if the application does not ask for it. */
  ssn: string | null;
}

/** The answers that a session from an email link must give before it can change anything. */
export interface IdentityAnswers {
  /** `YYYY-MM-DD`. */
  dateOfBirth: string;
  last4: string;
}

/** The text of the agreement in one language. */
export type Disclosure = NonNullable<QuoteOutput['disclosure']>['translations'][number];

export type ExperienceApi = ReturnType<typeof createExperienceApi>;

/** The experience API (`/v1/experience`). The session token is only kept in this closure. */
export function createExperienceApi(exchangeNonce: string) {
  let session: string | null = null;
  const get = <Path extends ExperiencePath<'GET'>>(path: Path, input: ApiInput<'GET', Path>) =>
    request('GET', path, input, { session });
  const post: Post = (path, input, idempotencyKey) =>
    request('POST', path, input, {
      session,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });

  return {
    exchange: createExchange(exchangeNonce),
    useSession(bearer: string) {
      session = bearer;
    },
    /** Exchanges an email link for a session. The link works once; repeats from this page succeed. */
    openLink: (link: string) =>
      request(
        'POST',
        '/experience/link',
        { body: { link, nonce: exchangeNonce } },
        { session: null },
      ),
    /** Sends the tenant the code for a link that came in a message. */
    sendLinkCode: (link: string, locale: Locale) =>
      request('POST', '/experience/link/code', { body: { link, locale } }, { session: null }),
    /** Exchanges a link that came in a message, and its code, for a session. */
    confirmLink: (link: string, code: string) =>
      request(
        'POST',
        '/experience/link/confirm',
        { body: { link, code, nonce: exchangeNonce } },
        { session: null },
      ),
    leave: (last_step: Step) => post('/experience/leave', { body: { last_step } }),
    confirm: ({ dateOfBirth, last4 }: IdentityAnswers) =>
      post('/experience/confirm', { body: { date_of_birth: dateOfBirth, last4 } }),
    state: () => get('/experience/state', {}),
    plan: (planId: string) => get('/experience/plan/{id}', { params: { id: planId } }),
    documentAddress: (kind: DocumentKind, id: string, input: DocumentInput) =>
      post('/experience/document/{kind}/{id}', { params: { kind, id }, body: input }),
    quotes: () => get('/experience/quotes', {}),
    /** Null goes back to the standard dates. */
    choosePaydays: (paydays: Paydays | null) => post('/experience/paydays', { body: { paydays } }),
    /** `locale` is the language on screen, in which a notice is mailed. */
    apply: (application: Application, locale: Locale) =>
      post('/experience/application', {
        body: {
          ...(application.dateOfBirth !== null && { date_of_birth: application.dateOfBirth }),
          ...(application.ssn !== null && { ssn: application.ssn }),
          monthly_income_in_cents: application.monthlyIncomeInCents,
          consent: true,
          locale,
        },
      }),
    addPaymentMethod: (input: PaymentMethodInput) =>
      post('/experience/payment_method', { body: input }),
    openSetup: (input: PaymentSetupInput) => post('/experience/payment_setup', { body: input }),
    checkSetup: (id: string) => post('/experience/payment_setup/{id}/check', { params: { id } }),
    checkPayment: (id: string) => post('/experience/payment/{id}/check', { params: { id } }),
    /** Repeating the call with the same idempotency key is safe: the server returns its first response. */
    accept: (quote_id: string, { sha256, locale }: Disclosure, idempotencyKey: string) =>
      post(
        '/experience/plan',
        { body: { quote_id, accepted_disclosure_sha256: sha256, locale } },
        idempotencyKey,
      ),
    electronicRecords: () => get('/experience/electronic_records', {}),
    chooseElectronicRecords: (accepted_sha256: string | null) =>
      post('/experience/electronic_records', { body: { accepted_sha256 } }),
    texts: () => get('/experience/texts', {}),
    requestTextCode: (input: TextCodeInput) => post('/experience/texts/code', { body: input }),
    confirmTextCode: (code: string) => post('/experience/texts/confirm', { body: { code } }),
    stopTexts: () => post('/experience/texts/stop', {}),
    ...planChanges(post),
  };
}

/**
 * Exchanges a token for a session. The session is used only after `useSession`. With `isEarly` (see
 * boot.ts), the request is sent at once, and the next call with this token returns its result: a
 * token can be exchanged only once.
 */
function createExchange(nonce: string) {
  let early: { token: string; result: Promise<Result<ExchangeOutput>> } | null = null;
  return (
    token: string,
    identity: Identity,
    { isEarly = false } = {},
  ): Promise<Result<ExchangeOutput>> => {
    if (early?.token === token) {
      const { result } = early;
      if (!isEarly) early = null;
      return result;
    }
    const body = {
      token,
      pms: identity.pms,
      external_id: identity.externalId,
      signature: identity.signature,
      product_variant: identity.productVariant,
      nonce,
    };
    // The SDK replaces the frame after 12 s. Our own error message must be on screen before that.
    const options = { session: null, timeoutMs: 10_000 };
    const result = request('POST', '/experience/session', { body }, options);
    early = isEarly ? { token, result } : null;
    return result;
  };
}

type Post = <Path extends ExperiencePath<'POST'>>(
  path: Path,
  input: ApiInput<'POST', Path>,
  idempotencyKey?: string,
) => Promise<Result<ApiOutput<'POST', Path>>>;

/** The changes that a tenant can make to a plan. */
function planChanges(post: Post) {
  return {
    pay: (planId: string, input: PayInput, idempotencyKey: string) =>
      post('/experience/plan/{id}/pay', { params: { id: planId }, body: input }, idempotencyKey),
    reschedule: (planId: string, move: Move, idempotencyKey: string) => {
      const body = {
        installment_id: move.installmentId,
        due_date: move.dueDate,
        ...(move.reason === null ? {} : { reason: move.reason }),
      };
      const params = { id: planId };
      return post('/experience/plan/{id}/reschedule', { params, body }, idempotencyKey);
    },
    cancel: (planId: string, idempotencyKey: string) =>
      post('/experience/plan/{id}/cancel', { params: { id: planId } }, idempotencyKey),
    setAutopay: (planId: string, enabled: boolean, idempotencyKey: string) => {
      const params = { id: planId };
      return post('/experience/plan/{id}/autopay', { params, body: { enabled } }, idempotencyKey);
    },
  };
}

export interface Move {
  installmentId: string;
  /** `YYYY-MM-DD`. */
  dueDate: string;
  /** Null if the tenant gave none. */
  reason: RescheduleReason | null;
}
