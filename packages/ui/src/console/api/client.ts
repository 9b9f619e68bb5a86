import type { ApiParams, RouteInput, RouteOutput } from '@svc/contract';
import { fillPath } from '@svc/contract/fill-path';
import { withCredentials } from './frame-token.ts';
import { isUserActive } from './user-activity.ts';

/** A table of routes in the contract, such as `ApiRoutes`. */
export interface RouteTable {
  readonly GET: object;
}

type MethodOf<Routes> = keyof Routes & string;
type PathOf<Routes, Method extends MethodOf<Routes>> = keyof Routes[Method] & string;

type CallInput<Path extends string, Route> = JsonText<RouteInput<Route, Path>> &
  (Route extends { file: unknown } ? { file: Blob; reason?: string } : object) & {
    signal?: AbortSignal;
    /** The timeout for the response. Default: 10 s for a GET, 60 s for other methods. */
    timeoutMs?: number;
  };

/** A body may also be JSON text, which is sent unchanged. */
type JsonText<Input> = Input extends { body: infer Body }
  ? Omit<Input, 'body'> & { body: Body | string }
  : Input;

export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
  /** Set if the page ended before it was full. Everything newer than this was searched. */
  searched_back_to?: string | null;
}

/** The path of a list. */
export type ListPath<Routes extends RouteTable> = {
  [Path in PathOf<Routes, 'GET'>]: RouteOutput<Routes['GET'][Path]> extends Page<unknown>
    ? Path
    : never;
}[PathOf<Routes, 'GET'>];

export type ItemOf<Routes extends RouteTable, Path extends ListPath<Routes>> =
  RouteOutput<Routes['GET'][Path]> extends Page<infer Item> ? Item : never;

/** Calls the routes of one table. Each call throws an ApiError if it is refused or gets no response. */
export interface ApiClient<Routes extends RouteTable> {
  /**
   * Calls a route and returns the envelope's `data`. A `file` is sent with its own media type, and with the
   * `reason` why, if its route needs one.
   *
   * @throws ApiError if the service refuses the request, cannot be reached, or does not respond in time
   */
  call<Method extends MethodOf<Routes>, Path extends PathOf<Routes, Method>>(
    method: Method,
    path: Path,
    ...[input]: object extends CallInput<Path, Routes[Method][Path]>
      ? [input?: CallInput<Path, Routes[Method][Path]>]
      : [input: CallInput<Path, Routes[Method][Path]>]
  ): Promise<RouteOutput<Routes[Method][Path]>>;

  /** Returns one page of a list. The service checks `query`, which can be text from the page's address. */
  callPage<Path extends ListPath<Routes>>(
    path: Path,
    input: { params?: PathParams; query: object; signal: AbortSignal },
  ): Promise<Page<ItemOf<Routes, Path>>>;

  /** Loads all pages of a list. Use it only for short lists, such as endpoints and event types. */
  callAll<Path extends ListPath<Routes>>(
    path: Path,
    input: ApiParams<Path> & { signal: AbortSignal },
  ): Promise<ItemOf<Routes, Path>[]>;
}

/**
 * Creates a client for an API on the page's origin, which is called with the session's cookie.
 *
 * @param base what each path follows, such as "/v1"
 */
export function createClient<Routes extends RouteTable>(base: string): ApiClient<Routes> {
  const callPage: ApiClient<Routes>['callPage'] = (path, input) =>
    callRoute(base, 'GET', path, input);
  return {
    call: (method, path, ...[input]) => callRoute(base, method, path, input),
    callPage,
    async callAll<Path extends ListPath<Routes>>(
      path: Path,
      input: ApiParams<Path> & { signal: AbortSignal },
    ) {
      const items: ItemOf<Routes, Path>[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<ItemOf<Routes, Path>> = await callPage(path, {
          ...input,
          query: { limit: 100, cursor },
        });
        items.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== null);
      return items;
    },
  };
}

type PathParams = Readonly<Record<string, string>>;

interface AnyInput {
  params?: PathParams;
  query?: object;
  /** Text is JSON already and is sent unchanged. */
  body?: unknown;
  file?: Blob;
  reason?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

async function callRoute<Data>(
  base: string,
  method: string,
  route: string,
  input: AnyInput = {},
): Promise<Data> {
  const path = fillPath(route, input.params);
  const body = typeof input.body === 'string' ? input.body : JSON.stringify(input.body);
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (method !== 'GET') headers.set('idempotency-key', idempotencyKeyFor(method, path, body));
  // Polling must not keep the session of an unattended page open.
  else if (!isUserActive()) headers.set('svc-background', '1');
  const request: RequestInit = { method };
  if (body !== undefined) request.body = body;
  if (input.file !== undefined) {
    headers.set('content-type', input.file.type);
    request.body = input.file;
  }
  if (input.reason !== undefined) headers.set('svc-reason', encodeURIComponent(input.reason));
  const url = `${base}${path}${queryString(input.query)}`;
  const { response, answer } = await withCredentials((credentials) => {
    const { timeoutMs = method === 'GET' ? 10_000 : 60_000 } = input;
    const timeout = withTimeout(timeoutMs, input.signal);
    const allHeaders = new Headers([...headers, ...new Headers(credentials.headers)]);
    return send(url, {
      ...request,
      headers: allHeaders,
      credentials: credentials.mode,
      signal: timeout.signal,
    }).finally(timeout.done);
  });
  if (answer.error?.code !== 'idempotency_key_in_progress')
    releaseIdempotencyKey(method, path, body);
  if (response.ok && !answer.error) return answer.data as Data;
  throw refusal(response, answer.error);
}

/** An error response from the service, or `status` 0 if the service could not be reached. */
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

interface FieldProblem {
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

/**
 * Returns a signal that aborts with `signal` or after `timeoutMs`. Without the timeout, a service that accepts
 * connections but never responds would keep the page loading.
 */
function withTimeout(
  timeoutMs: number,
  signal: AbortSignal | undefined,
): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(timeoutError(timeoutMs)), timeoutMs);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

function timeoutError(afterMs: number): ApiError {
  const message = `The service did not respond within ${afterMs / 1000} seconds. Try again.`;
  return new ApiError(message, {
    status: 0,
    code: 'timeout',
    fields: [],
    requestId: null,
  });
}

async function send(
  url: string,
  request: RequestInit,
): Promise<{
  response: Response;
  answer: Envelope;
}> {
  try {
    const response = await fetch(url, request);
    return { response, answer: await envelope(response) };
  } catch (error) {
    if (request.signal?.aborted) throw error;
    // The browser does not send a file that was saved again after the user chose it.
    const isChanged = request.body instanceof Blob && !(await isReadable(request.body));
    const message = isChanged
      ? 'The file has changed since you chose it. Choose it again.'
      : 'The service could not be reached. Check your connection and try again.';
    throw new ApiError(message, {
      status: 0,
      code: isChanged ? 'file_changed' : 'network',
      fields: [],
      requestId: null,
    });
  }
}

function isReadable(file: Blob): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

interface Envelope {
  error: EnvelopeError | null;
  data: unknown;
}

async function envelope(response: Response): Promise<Envelope> {
  const text = await response.text();
  if (text === '') return { error: null, data: null };
  try {
    return JSON.parse(text);
  } catch {
    // An error page from a proxy rather than our envelope. The caller reports the status.
    return { error: null, data: null };
  }
}

function refusal(response: Response, error: EnvelopeError | null): ApiError {
  const message =
    busyMessage(response, error) ??
    error?.message ??
    `The service returned status ${response.status} without an explanation.`;
  const single = error?.param === undefined ? [] : [{ param: error.param, message }];
  return new ApiError(message, {
    status: response.status,
    code: error?.code ?? 'unknown',
    fields: error?.errors ?? single,
    requestId: error?.request_id ?? response.headers.get('x-request-id'),
  });
}

/**
 * Returns the message to show if the service asks the caller to wait, because its own message names the header,
 * which is for programs. Null for other errors, and for rate limits without a `retry-after` header: their
 * message says what to do.
 */
function busyMessage(response: Response, error: EnvelopeError | null): string | null {
  const what = waitMessages[error?.code ?? ''];
  if (what === undefined) return null;
  if (error?.code === 'rate_limited' && !response.headers.has('retry-after')) return null;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const when =
    seconds > 0 ? `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : 'in a moment';
  return `${what} Try again ${when}.`;
}

const waitMessages: Record<string, string> = {
  unavailable: 'The service can’t answer right now.',
  rate_limited: 'There were too many requests.',
  payments_paused: 'Payments are paused for the moment. No money moved, and nothing was changed.',
  idempotency_key_in_progress: 'The same action is still running.',
};

/** Returns the query string of a call, without empty parameters. */
export function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? '' : `?${search}`;
}

/**
 * Returns the idempotency key of a write. Repeating an identical write returns the same key until the service
 * has responded, so clicking again after a lost response does not repeat the action.
 */
function idempotencyKeyFor(method: string, path: string, body: string | undefined): string {
  const write = describeWrite(method, path, body);
  const known = unansweredKeys.get(write);
  if (known !== undefined) return known;
  const key = newIdempotencyKey();
  unansweredKeys.set(write, key);
  return key;
}

function releaseIdempotencyKey(method: string, path: string, body: string | undefined): void {
  unansweredKeys.delete(describeWrite(method, path, body));
}

const unansweredKeys = new Map<string, string>();

function describeWrite(method: string, path: string, body = ''): string {
  return `${method} ${path} ${body}`;
}

/** Returns 128 random bits in hex. `crypto.randomUUID` is not available on plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
