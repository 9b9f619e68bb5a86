import type { Running } from '../harness.ts';

/**
 * Repeats calls as the contract asks callers to: on a 503, which a lock timeout causes, and on a
 * connection that the server closed as idle just when it was reused.
 */
export function retryUnavailable(call: Running['call']): Running['call'] {
  return async (...request) => {
    for (;;) {
      const answer = await call(...request).catch(undefinedIfReset);
      if (answer && answer.status !== 503) return answer;
    }
  };
}

function undefinedIfReset(error: Error & { cause?: { code?: string } }): undefined {
  if (error.cause?.code !== 'ECONNRESET' && error.cause?.code !== 'UND_ERR_SOCKET') throw error;
}
