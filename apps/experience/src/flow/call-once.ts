import type { Problem, Result } from '../api/request.ts';
import type { Flow } from './flow.ts';

/**
 * Makes a change at most once. An operation keeps its idempotency key until its outcome is known, so
 * trying again after a lost connection cannot repeat it. If the first request is still running when
 * the second arrives, asks for its result up to five more times.
 */
export async function callOnce<T>(
  flow: Flow,
  operation: string,
  call: (key: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { store } = flow;
  if (store.pendingKey?.operation !== operation) {
    store.pendingKey = { operation, key: flow.newKey() };
  }
  const { key } = store.pendingKey;
  let result = await call(key);
  for (let retry = 0; retry < 5; retry += 1) {
    if (result.ok || result.problem.code !== 'idempotency_key_in_progress') break;
    const seconds = result.problem.retryAfterSeconds ?? 1;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    result = await call(key);
  }
  if (result.ok || isDefinite(result.problem)) store.pendingKey = null;
  else if (result.problem.kind !== 'session') store.pendingKey.wasLost = true;
  return result;
}

/** Returns whether the outcome is known, or (after a 500) the server's own rules prevent a second change. */
function isDefinite(problem: Problem): boolean {
  const retryableCodes = ['rate_limited', 'idempotency_key_in_progress', 'unavailable'];
  return !['network', 'session'].includes(problem.kind) && !retryableCodes.includes(problem.code);
}
