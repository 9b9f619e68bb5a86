import type { FieldError } from '@svc/contract/errors';

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

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  session: string | null;
  body?: unknown;
  idempotencyKey?: string;
  timeoutMs?: number;
}

/** Long enough for a phone on a slow connection; after it, the retry button is shown. */
const defaultTimeoutMs = 30_000;

/** One call to the experience API on our own origin. Never throws. */
export async function request<T>(call: Call): Promise<Result<T>> {
  try {
    const response = await fetch(`/v1/experience${call.path}`, {
      method: call.method,
      headers: headersOf(call),
      body: call.body === undefined ? null : JSON.stringify(call.body),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(call.timeoutMs ?? defaultTimeoutMs),
    });
    const envelope: unknown = await response.json();
    if (!isEnvelope(envelope)) return { ok: false, problem: noResponse };
    if (response.ok && envelope.error === null) return { ok: true, data: envelope.data as T };
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

function headersOf(call: Call): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  if (call.session !== null) headers.Authorization = `Bearer ${call.session}`;
  if (call.idempotencyKey !== undefined) headers['Idempotency-Key'] = call.idempotencyKey;
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
  const isIdentity = code === 'signature_invalid' || code === 'portal_unknown';
  if (status === 401 && !isIdentity) return 'session';
  return status >= 500 ? 'server' : 'refused';
}
