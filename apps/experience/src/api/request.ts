import type { ApiInput, ApiMethod, ApiOutput, ApiPath } from '@svc/contract';
import type { FieldError } from '@svc/contract/errors';
import { fillPath } from '@svc/contract/fill-path';

/** A failed call as data. `kind` decides which screen is shown. */
export interface Problem {
  /**
   * `network`: no response arrived, so a change may or may not have happened. `session`: the session
   * has expired. `server`: the service failed and changed nothing. `refused`: it rejected the request.
   */
  kind: 'network' | 'session' | 'server' | 'refused';
  code: string;
  message: string;
  fields: FieldError[];
  requestId: string | null;
  retryAfterSeconds: number | null;
}

export type Result<T> = { ok: true; data: T } | { ok: false; problem: Problem };

export interface CallOptions {
  session: string | null;
  idempotencyKey?: string;
  timeoutMs?: number;
}

/** Long enough for a phone on a slow connection. After this time, the retry button is shown. */
const defaultTimeoutMs = 30_000;

export type ExperiencePath<Method extends ApiMethod> = Extract<
  ApiPath<Method>,
  `/experience/${string}`
>;

/**
 * Sends one request to the experience API on our own origin. The contract's `ApiRoutes` has the types of `input` and
 * the result. Never throws.
 */
export function request<Method extends ApiMethod, Path extends ExperiencePath<Method>>(
  method: Method,
  path: Path,
  input: ApiInput<Method, Path>,
  options: CallOptions,
): Promise<Result<ApiOutput<Method, Path>>> {
  return send(method, path, input, options);
}

interface AnyInput {
  params?: Readonly<Record<string, string>>;
  /** No call for data has one. */
  query?: object;
  body?: unknown;
}

function fetchApi(
  method: ApiMethod,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<Response> {
  return fetch(`/v1${path}`, {
    method,
    headers: headersOf(body, options),
    body: body === undefined ? null : JSON.stringify(body),
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs),
  });
}

async function send<Data>(
  method: ApiMethod,
  route: string,
  { params, body }: AnyInput,
  options: CallOptions,
): Promise<Result<Data>> {
  try {
    const path = fillPath(route, params);
    const response = await fetchApi(method, path, body, options);
    const envelope: unknown = await response.json();
    if (!isEnvelope(envelope)) return { ok: false, problem: noResponse };
    if (response.ok && envelope.error === null) return { ok: true, data: envelope.data as Data };
    return { ok: false, problem: problemOf(response, envelope.error) };
  } catch {
    return { ok: false, problem: noResponse };
  }
}

const noResponse: Problem = {
  kind: 'network',
  code: 'network',
  message: 'The service did not respond.',
  fields: [],
  requestId: null,
  retryAfterSeconds: null,
};

interface WireError {
  code: string;
  message: string;
  errors?: FieldError[];
  request_id?: string;
}

interface Envelope {
  error: WireError | null;
  data: unknown;
}

function headersOf(
  body: unknown,
  { session, idempotencyKey }: CallOptions,
): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (session !== null) headers.Authorization = `Bearer ${session}`;
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  return headers;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'error' in value && 'data' in value;
}

function problemOf(response: Response, error: WireError | null): Problem {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const code = error?.code ?? 'internal_error';
  return {
    kind: kindOf(response.status, code),
    code,
    message: error?.message ?? '',
    fields: error?.errors ?? [],
    requestId: error?.request_id ?? response.headers.get('X-Request-Id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}

function kindOf(status: number, code: string): Problem['kind'] {
  const isIdentityProblem = code === 'signature_invalid' || code === 'portal_unknown';
  if (status === 401 && !isIdentityProblem) return 'session';
  return status >= 500 ? 'server' : 'refused';
}
