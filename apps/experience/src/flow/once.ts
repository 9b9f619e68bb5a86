import type { Answer, Problem } from '../api/request.ts';
import type { Flow } from './flow.ts';

/**
 * Makes one change once: an intention keeps its idempotency key until a definite answer, so that
 * pressing again after a broken connection can't do it twice. The first request may still be
 * running when the second asks: waits for its answer, five times.
 */
export async function once<T>(
  flow: Flow,
  intention: string,
  call: (key: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const { store } = flow;
  if (store.pendingKey?.intention !== intention) {
    store.pendingKey = { intention, key: flow.newKey() };
  }
  const { key } = store.pendingKey;
  let answer = await call(key);
  for (let turn = 0; turn < 5; turn += 1) {
    if (answer.ok || answer.problem.code !== 'idempotency_key_in_progress') break;
    const seconds = answer.problem.retryAfterSeconds ?? 1;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    answer = await call(key);
  }
  if (answer.ok || isDefinite(answer.problem)) store.pendingKey = null;
  return answer;
}

/** Whether nothing more can come of the request. After a 500 the server's own rules still guard. */
function isDefinite(problem: Problem): boolean {
  const mayPass = ['rate_limited', 'idempotency_key_in_progress', 'unavailable'];
  return !['network', 'session'].includes(problem.kind) && !mayPass.includes(problem.code);
}
