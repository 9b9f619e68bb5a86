import type { Running } from '../harness.ts';

/**
 * Whoever waits too long for the row is told 503, and whose idle connection is closed in the very
 * moment of use is told nothing: both repeat, as the contract says.
 */
export function patient(call: Running['call']): Running['call'] {
  return async (...request) => {
    for (;;) {
      const answer = await call(...request).catch(orReset);
      if (answer && answer.status !== 503) return answer;
    }
  };
}

function orReset(error: Error & { cause?: { code?: string } }): undefined {
  if (error.cause?.code !== 'ECONNRESET' && error.cause?.code !== 'UND_ERR_SOCKET') throw error;
}
