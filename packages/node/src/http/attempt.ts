import { type Attempted, type AttemptSettings, readAnswer } from './answer.ts';
import { SvcConnectionError, SvcTimeoutError } from './svc-error.ts';
import type { Transport } from './transport.ts';

export interface RequestSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** A file to send instead of `body`, with its media type. */
  file?: { type: string; bytes: Uint8Array };
}

/** Sends one HTTP request. The timeout includes reading the body. Redirects are not followed. */
export async function attempt<T>(
  transport: Transport,
  spec: RequestSpec,
  settings: AttemptSettings,
): Promise<Attempted<T>> {
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  const signals = settings.signal ? [timeout, settings.signal] : [timeout];
  try {
    const response = await transport.fetch(urlOf(transport.baseUrl, spec), {
      method: spec.method,
      headers: headersOf(transport.apiKey, spec, settings.idempotencyKey),
      body: spec.file ? Buffer.from(spec.file.bytes) : bodyOf(spec),
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    });
    return readAnswer<T>(response, await response.text(), settings);
  } catch (thrown) {
    settings.signal?.throwIfAborted();
    const error = networkError(thrown, timeout.aborted, transport.baseUrl, settings);
    return { ok: false, error, retryAfterMs: null };
  }
}

function bodyOf({ body }: RequestSpec): string | null {
  return body === undefined ? null : JSON.stringify(body);
}

function urlOf(baseUrl: string, { path, query = {} }: RequestSpec): string {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

function headersOf(apiKey: string, spec: RequestSpec, idempotencyKey: string | null) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${apiKey}`,
    accept: 'application/json',
    'user-agent': 'svc-node/0.3.0',
  };
  if (spec.file) headers['content-type'] = spec.file.type;
  else if (spec.body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey;
  return headers;
}

function networkError(
  thrown: unknown,
  timedOut: boolean,
  baseUrl: string,
  settings: AttemptSettings,
) {
  const details = {
    status: null,
    param: null,
    errors: [],
    requestId: null,
    docUrl: null,
    retryable: true,
    idempotencyKey: settings.idempotencyKey,
    attempts: settings.number,
    responseBody: null,
  };
  if (timedOut) {
    const message = `No response from ${baseUrl} within ${settings.timeoutMs} ms.`;
    return new SvcTimeoutError({ ...details, code: 'timed_out', message }, thrown);
  }
  const message = `Cannot reach ${baseUrl}: ${reasonOf(thrown)}.`;
  return new SvcConnectionError({ ...details, code: 'connection_failed', message }, thrown);
}

/** The message of Node's fetch is only "fetch failed"; its cause has the reason. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  if (!(cause instanceof Error)) return thrown.message;
  return 'code' in cause ? `${cause.message} (${String(cause.code)})` : cause.message;
}
