import type { ApiInput, ApiMethod, ApiOutput, ApiPath, ApiRoutes } from '@svc/contract';
import type { Attempted } from './answer.ts';
import { attempt, type RequestSpec } from './attempt.ts';
import { fillPath } from './path.ts';
import { pauseBeforeRetry } from './retry.ts';
import type { Transport } from './transport.ts';

/** Options of one call. They override those of the client. */
export interface CallOptions {
  /** For POST and PATCH: 1 to 255 visible ASCII characters. Default: a random one for each call. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Timeout of each attempt in milliseconds. */
  timeoutMs?: number;
  /** Retries after the first attempt; with 0 there is one attempt. */
  maxRetries?: number;
}

/**
 * Calls a route of the contract, whose `ApiRoutes` has the types of the input and the result. Each method of
 * the client calls it.
 */
export type Call = <Method extends ApiMethod, Path extends ApiPath<Method>>(
  spec: RouteSpec<Method, Path>,
  options?: CallOptions,
) => Promise<ApiOutput<Method, Path>>;

/** `path` as the contract writes it, such as `/plans/{id}`, with `params` for its parameters. */
type RouteSpec<Method extends ApiMethod, Path extends ApiPath<Method>> = {
  method: Method;
  path: Path;
} & ApiInput<Method, Path> &
  (ApiRoutes[Method][Path] extends { file: unknown }
    ? Required<Pick<RequestSpec, 'file'>>
    : object);

/** Calls `request` with a path whose parameters are passed separately. */
export function requestRoute<T>(
  transport: Transport,
  { params, ...spec }: RequestSpec & { params?: Readonly<Record<string, string>> },
  options?: CallOptions,
): Promise<T> {
  return request(transport, { ...spec, path: fillPath(spec.path, params) }, options);
}

/**
 * Makes one call: as many attempts as its retries and its deadline allow, all with the same
 * Idempotency-Key. Returns the envelope's `data`.
 *
 * @throws SvcError, or the signal's reason if the caller aborted.
 */
export async function request<T>(
  transport: Transport,
  spec: RequestSpec,
  options: CallOptions = {},
): Promise<T> {
  const { timeoutMs = transport.timeoutMs, maxRetries = transport.maxRetries, signal } = options;
  const repeatable = spec.method === 'POST' || spec.method === 'PATCH';
  const idempotencyKey = repeatable ? (options.idempotencyKey ?? crypto.randomUUID()) : null;
  const endsAt = transport.elapsed() + transport.deadlineMs;

  for (let number = 1; ; number++) {
    signal?.throwIfAborted();
    const remaining = Math.max(1, Math.round(endsAt - transport.elapsed()));
    const attempted: Attempted<T> = await attempt(transport, spec, {
      number,
      idempotencyKey,
      timeoutMs: Math.min(timeoutMs, remaining),
      signal,
    });
    if (attempted.ok) return attempted.data;
    if (!attempted.error.retryable || number > maxRetries) throw attempted.error;
    const pause = pauseBeforeRetry(number, attempted.retryAfterMs, transport.random);
    if (transport.elapsed() + pause >= endsAt) throw attempted.error;
    await transport.wait(pause, signal);
  }
}
