import type { FieldError } from '@svc/contract';
import { isRetryable, readRetryAfter } from './retry.ts';
import { SvcError } from './svc-error.ts';

export interface AttemptSettings {
  number: number;
  idempotencyKey: string | null;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

export type Attempted<T> =
  | { ok: true; data: T }
  | { ok: false; error: SvcError; retryAfterMs: number | null };

interface WireError {
  code: string;
  message: string;
  param?: string;
  errors?: FieldError[];
  request_id?: string;
  doc_url?: string;
}

/** Unwraps `{ error, data }`. Any other body did not come from the service, and is kept in the error. */
export function readAnswer<T>(
  response: Response,
  text: string,
  settings: AttemptSettings,
): Attempted<T> {
  const envelope = readEnvelope(text);
  if (response.ok && envelope && envelope.error === null) {
    return { ok: true, data: envelope.data as T };
  }
  const { status, headers } = response;
  const wire = isWireError(envelope?.error) ? envelope.error : unexpectedResponse(response);
  const error = new SvcError({
    code: wire.code,
    message: wire.message,
    status,
    param: wire.param ?? null,
    errors: wire.errors ?? [],
    requestId: wire.request_id ?? headers.get('x-request-id'),
    docUrl: wire.doc_url ?? null,
    retryable: isRetryable(status, wire.code),
    idempotencyKey: settings.idempotencyKey,
    attempts: settings.number,
    responseBody: isWireError(envelope?.error) ? null : text.slice(0, 2000),
  });
  return { ok: false, error, retryAfterMs: readRetryAfter(headers) };
}

function readEnvelope(text: string): { error: unknown; data: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    return 'error' in value && 'data' in value ? { error: value.error, data: value.data } : null;
  } catch {
    return null;
  }
}

function isWireError(value: unknown): value is WireError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}

function unexpectedResponse({ status, headers }: Response): WireError {
  const location = headers.get('location');
  const message = location
    ? `The response is a redirect (${status}) to ${location}, which is not followed. Check baseUrl.`
    : `The response (${status}, ${headers.get('content-type') ?? 'no content type'}) did not come from the ` +
      'service. Check baseUrl, and proxies on the way.';
  return { code: 'unexpected_response', message };
}
