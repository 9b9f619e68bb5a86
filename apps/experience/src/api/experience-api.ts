import type {
  AcceptOutput,
  ConfirmOutput,
  ExchangeOutput,
  ExperienceState,
  OwnPlanOutput,
  PaymentMethodInput,
  PlanChangeOutput,
  ProductVariant,
  QuoteOutput,
} from '@svc/contract';
import { type Answer, request } from './request.ts';

export interface Identity {
  pms: string;
  externalId: string;
  signature: string;
  productVariant: ProductVariant;
}

export interface Application {
  /** `YYYY-MM-DD`. */
  dateOfBirth: string;
  monthlyIncomeInCents: number;
}

/** Answers to the questions that a session from a mail's link is asked before it may change anything. */
export interface Answers {
  /** `YYYY-MM-DD`. */
  dateOfBirth: string;
  last4: string;
}

/** The agreement in one language. */
export type Disclosure = QuoteOutput['disclosure']['translations'][number];

export type ExperienceApi = ReturnType<typeof createExperienceApi>;

/** The session API of contract §4. The session's bearer lives in this closure, nowhere else. */
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
    /** Exchanges a mail's link for a session. It works once, except for repeats from this page. */
    openLink: (link: string) =>
      request<ExchangeOutput>({
        method: 'POST',
        path: '/link',
        session: null,
        body: { link, nonce: exchangeNonce },
      }),
    confirm: ({ dateOfBirth, last4 }: Answers) =>
      post<ConfirmOutput>('/confirm', { date_of_birth: dateOfBirth, last4 }),
    state: () => get<ExperienceState>('/state'),
    plan: (planId: string) => get<OwnPlanOutput>(`/plan/${planId}`),
    quotes: () => get<{ items: QuoteOutput[] }>('/quotes'),
    apply: (application: Application) =>
      post<ExperienceState>('/application', {
        date_of_birth: application.dateOfBirth,
        monthly_income_in_cents: application.monthlyIncomeInCents,
        consent: true,
      }),
    addPaymentMethod: (typed: PaymentMethodInput) =>
      post<ExperienceState>('/payment_method', typed),
    /** Repeating a call with one idempotency key is safe: the server returns its first answer. */
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
 * Spends a token. What comes back counts only once it is given to `useSession`. An exchange asked
 * for ahead, before there was anyone to take its answer, is taken by the next call.
 */
function createExchange(nonce: string) {
  let ahead: { token: string; answer: Promise<Answer<ExchangeOutput>> } | null = null;
  return (
    token: string,
    identity: Identity,
    { isAhead = false } = {},
  ): Promise<Answer<ExchangeOutput>> => {
    if (ahead?.token === token) {
      const { answer } = ahead;
      if (!isAhead) ahead = null;
      return answer;
    }
    const answer = request<ExchangeOutput>({
      method: 'POST',
      path: '/session',
      session: null,
      // The SDK gives up on a frame after 12 s: our own message comes first.
      deadlineInMilliseconds: 10_000,
      body: {
        token,
        pms: identity.pms,
        external_id: identity.externalId,
        signature: identity.signature,
        product_variant: identity.productVariant,
        nonce,
      },
    });
    ahead = isAhead ? { token, answer } : null;
    return answer;
  };
}

type Post = <T>(path: string, body: unknown, idempotencyKey?: string) => Promise<Answer<T>>;

/** What can be done with a plan that is made. */
function planChanges(post: Post) {
  const change = (planId: string, verb: string, body: object, idempotencyKey: string) =>
    post<PlanChangeOutput>(`/plan/${planId}/${verb}`, body, idempotencyKey);
  return {
    pay: (planId: string, installmentIds: readonly string[], idempotencyKey: string) =>
      change(planId, 'pay', { installment_ids: installmentIds }, idempotencyKey),
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
