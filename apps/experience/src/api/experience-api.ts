import type {
  AcceptOutput,
  ConfirmOutput,
  ExchangeOutput,
  ExperienceState,
  Locale,
  OwnPlanOutput,
  PayInput,
  PaymentCheckOutput,
  PaymentMethodInput,
  PaymentSetupInput,
  PaymentSetupOutput,
  PlanChangeOutput,
  ProductVariant,
  QuoteOutput,
} from '@svc/contract';
import { type Result, request } from './request.ts';

export interface Identity {
  pms: string;
  externalId: string;
  signature: string;
  productVariant: ProductVariant;
}

export interface Application {
  /** `YYYY-MM-DD`. Null to use the one of the last application. */
  dateOfBirth: string | null;
  monthlyIncomeInCents: number;
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
  const get = <T>(path: string) => request<T>({ method: 'GET', path, session });
  const post = <T>(path: string, body: unknown, idempotencyKey?: string) =>
    request<T>({
      method: 'POST',
      path,
      session,
      body,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });

  return {
    exchange: createExchange(exchangeNonce),
    useSession(bearer: string) {
      session = bearer;
    },
    /** Exchanges an email link for a session. The link works once; repeats from this page succeed. */
    openLink: (link: string) =>
      request<ExchangeOutput>({
        method: 'POST',
        path: '/link',
        session: null,
        body: { link, nonce: exchangeNonce },
      }),
    confirm: ({ dateOfBirth, last4 }: IdentityAnswers) =>
      post<ConfirmOutput>('/confirm', { date_of_birth: dateOfBirth, last4 }),
    state: () => get<ExperienceState>('/state'),
    plan: (planId: string) => get<OwnPlanOutput>(`/plan/${planId}`),
    quotes: () => get<{ items: QuoteOutput[] }>('/quotes'),
    /** `locale` is the language on screen, in which a notice is mailed. */
    apply: (application: Application, locale: Locale) =>
      post<ExperienceState>('/application', {
        ...(application.dateOfBirth !== null && { date_of_birth: application.dateOfBirth }),
        monthly_income_in_cents: application.monthlyIncomeInCents,
        consent: true,
        locale,
      }),
    addPaymentMethod: (input: PaymentMethodInput) =>
      post<ExperienceState>('/payment_method', input),
    openSetup: (input: PaymentSetupInput) => post<PaymentSetupOutput>('/payment_setup', input),
    checkSetup: (id: string) => post<PaymentSetupOutput>(`/payment_setup/${id}/check`, undefined),
    checkPayment: (id: string) => post<PaymentCheckOutput>(`/payment/${id}/check`, undefined),
    /** Repeating the call with the same idempotency key is safe: the server returns its first response. */
    accept: (quote_id: string, { sha256, locale }: Disclosure, idempotencyKey: string) =>
      post<AcceptOutput>(
        '/plan',
        { quote_id, accepted_disclosure_sha256: sha256, locale },
        idempotencyKey,
      ),
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
    const result = request<ExchangeOutput>({
      method: 'POST',
      path: '/session',
      session: null,
      // The SDK replaces the frame after 12 s. Our own error message must be on screen before.
      timeoutMs: 10_000,
      body: {
        token,
        pms: identity.pms,
        external_id: identity.externalId,
        signature: identity.signature,
        product_variant: identity.productVariant,
        nonce,
      },
    });
    early = isEarly ? { token, result } : null;
    return result;
  };
}

type Post = <T>(path: string, body: unknown, idempotencyKey?: string) => Promise<Result<T>>;

/** The changes that a tenant can make to a plan. */
function planChanges(post: Post) {
  const change = (planId: string, verb: string, body: object, idempotencyKey: string) =>
    post<PlanChangeOutput>(`/plan/${planId}/${verb}`, body, idempotencyKey);
  return {
    pay: (planId: string, input: PayInput, idempotencyKey: string) =>
      change(planId, 'pay', input, idempotencyKey),
    reschedule: (planId: string, move: Move, idempotencyKey: string) => {
      const body = {
        installment_id: move.installmentId,
        due_date: move.dueDate,
        reason: move.reason,
      };
      return change(planId, 'reschedule', body, idempotencyKey);
    },
    cancel: (planId: string, idempotencyKey: string) =>
      change(planId, 'cancel', {}, idempotencyKey),
    setAutopay: (planId: string, enabled: boolean, idempotencyKey: string) =>
      change(planId, 'autopay', { enabled }, idempotencyKey),
  };
}

export interface Move {
  installmentId: string;
  /** `YYYY-MM-DD`. */
  dueDate: string;
  reason: string;
}
