import { parseSecret, signatureHeaders, signatureOf } from '@svc/webhooks';
import type { Clock } from '../clock.ts';
import { type ReviewAnswer, reviewAnswer } from '../domain/underwriting/review-answer.ts';

/** Answers what it decided, or in one sentence why there is no answer: that is data, not an error. */
export interface DecisionService {
  ask(question: Question): Promise<{ answer: ReviewAnswer } | { failure: string }>;
}

export interface Question {
  /** The application's: the same each time it is asked, so that an answer may be kept. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

const deadlineMs = 10_000;
const longestAnswer = 16 * 1024;

/**
 * A decision service of the operator, by HTTP: the request is signed as our webhooks are. Its
 * address comes from the settings and from nobody else, so that it may be a private one.
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
        return read(await textOf(response));
      } catch (error) {
        return { failure: deadline.signal.aborted ? 'did not answer in time' : wordsOf(error) };
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

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > longestAnswer) throw new Error(`answered more than ${longestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function read(text: string): { answer: ReviewAnswer } | { failure: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { failure: 'answered what is not JSON' };
  }
  const parsed = reviewAnswer.safeParse(value);
  if (parsed.success) return { answer: parsed.data };
  const params = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  return { failure: `answered what is no decision (${params})` };
}

function wordsOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? message;
}
