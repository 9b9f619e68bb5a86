import { forgetKey, keyFor } from './idempotency-keys.ts';

/**
 * Calls the service on the page's own origin with the session cookie and returns `data`. A `body` that
 * is a string is JSON already and is sent as it is.
 */
export async function call<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  options: { query?: object; body?: object | string; signal?: AbortSignal } = {},
): Promise<T> {
  const body = typeof options.body === 'object' ? JSON.stringify(options.body) : options.body;
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (method !== 'GET') headers.set('idempotency-key', keyFor(method, path, body));
  const request: RequestInit = { method, headers, credentials: 'same-origin' };
  if (body !== undefined) request.body = body;
  if (options.signal) request.signal = options.signal;
  const response = await send(`/v1${path}${queryString(options.query)}`, request);
  const answer = await envelope(response);
  if (answer.error?.code !== 'idempotency_key_in_progress') forgetKey(method, path, body);
  if (response.ok && !answer.error) return answer.data as T;
  throw refusal(response, answer.error);
}

/** All pages of a list, oldest cursor first. For lists that a person made: endpoints, types. */
export async function callAll<T>(path: string, signal: AbortSignal): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = await call('GET', path, { query: { limit: 100, cursor }, signal });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** A refusal by the service, or `status` 0 when it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | null;
  constructor(message: string, details: Omit<ApiError, keyof Error>) {
    super(message);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields;
    this.requestId = details.requestId;
  }
}

export interface FieldProblem {
  param: string;
  message: string;
}

interface EnvelopeError {
  code: string;
  message: string;
  param?: string;
  errors?: FieldProblem[];
  request_id?: string;
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ApiError('The service could not be reached. Check your connection and try again.', {
      status: 0,
      code: 'network',
      fields: [],
      requestId: null,
    });
  }
}

async function envelope(
  response: Response,
): Promise<{ error: EnvelopeError | null; data: unknown }> {
  const text = await response.text();
  if (text === '') return { error: null, data: null };
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's page, not our envelope: the status says what there is to say.
    return { error: null, data: null };
  }
}

function refusal(response: Response, error: EnvelopeError | null): ApiError {
  const message = error?.message ?? `The service answered ${response.status} without saying why.`;
  const single = error?.param === undefined ? [] : [{ param: error.param, message }];
  return new ApiError(message, {
    status: response.status,
    code: error?.code ?? 'unknown',
    fields: error?.errors ?? single,
    requestId: error?.request_id ?? response.headers.get('x-request-id'),
  });
}

function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? '' : `?${search}`;
}
