import type { Clock } from '@svc/runtime';
import { parseSecret, signatureHeaders, signatureOf } from '@svc/webhooks';
import { type ReviewAnswer, reviewAnswer } from '../domain/underwriting/review-answer.ts';
import { reasonOf, textOf } from './read-response.ts';

/** Returns the decision, or the reason why there is none. A failure of the service is data, not an error. */
export interface DecisionService {
  ask(question: Question): Promise<{ answer: ReviewAnswer } | { failure: string }>;
}

interface Question {
  /** The application's id. It is the same in each retry, so the service can reuse its answer. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

const deadlineMs = 10_000;

/**
 * Calls the operator's decision service by HTTP, with the same signature as our webhooks. The URL
 * comes from the settings only, so it may be a private address.
 */
export function createDecisionService(
  clock: Clock,
  { url, secret }: { readonly url: string; readonly secret: string },
): DecisionService {
  const key = parseSecret(secret);
  return {
    async ask(question) {
      const deadline = new AbortController();
      const cancel = clock.after(deadlineMs, () => deadline.abort());
      try {
        const response = await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          signal: deadline.signal,
          headers: headersOf(question, key, clock.now()),
          body: question.body,
        });
        if (response.status !== 200) {
          await response.body?.cancel();
          return { failure: `answered ${response.status}` };
        }
        return parseAnswer(await textOf(response));
      } catch (error) {
        return { failure: deadline.signal.aborted ? 'did not answer in time' : reasonOf(error) };
      } finally {
        cancel();
      }
    },
  };
}

function headersOf({ id, body }: Question, key: Buffer, now: Date): Record<string, string> {
  const signed = { messageId: id, timestamp: Math.floor(now.getTime() / 1000), body };
  const flat = signatureHeaders(signed, signatureOf(signed, [key]), false);
  const pairs = flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : [],
  );
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    ...Object.fromEntries(pairs),
  };
}

function parseAnswer(text: string): { answer: ReviewAnswer } | { failure: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { failure: 'the answer is not JSON' };
  }
  const parsed = reviewAnswer.safeParse(value);
  if (parsed.success) return { answer: parsed.data };
  const mistakes = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { failure: `the answer is not a valid decision (${mistakes.join('; ')})` };
}
