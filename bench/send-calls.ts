import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { plainRow, type Row } from './rows.ts';

/**
 * Fewer than the 40 requests that the service works on at once (`http/edge/limit-load.ts`), so that
 * a bench measures the service and not its overload guard.
 */
export const fewConnections = 32;

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** The duration of each answered and of each refused request. */
export interface Answers {
  readonly answeredMs: number[];
  readonly refusedMs: number[];
}

interface CallLoad {
  readonly connections: number;
  /** Returns the call with this number, which starts at 0. */
  readonly callAt: (index: number) => Call;
  /** Asked before each request. */
  readonly isOver: (answers: Answers) => boolean;
}

/**
 * Sends calls on each connection, one after another. A call that is refused with 503 is repeated after
 * the time of its Retry-After, as partners do.
 */
export async function sendCalls(url: string, load: CallLoad): Promise<Answers> {
  const { connections, callAt, isOver } = load;
  const pool = new Pool(url, { connections, pipelining: 1 });
  const answers: Answers = { answeredMs: [], refusedMs: [] };
  let begun = 0;
  const nextCall = () => callAt(begun++);
  const sendOnConnection = async () => {
    let call = nextCall();
    while (!isOver(answers)) {
      const began = performance.now();
      const { statusCode, headers, body } = await pool.request({
        ...call,
        body: call.body ?? null,
      });
      const text = await body.text();
      const tookMs = performance.now() - began;
      if (statusCode === 200) {
        answers.answeredMs.push(tookMs);
        call = nextCall();
      } else if (statusCode === 503) {
        answers.refusedMs.push(tookMs);
        await sleep(Number(headers['retry-after']) * 1_000);
      } else throw new Error(`${call.path}: ${statusCode} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendOnConnection));
  await pool.close();
  return answers;
}

export interface CallRate {
  readonly perSecond: number;
  readonly answered: number;
  readonly refused: number;
}

/** Sends calls from a few connections until `count` are answered. The time includes the waits after refusals. */
export async function measureRate(
  url: string,
  count: number,
  callAt: (index: number) => Call,
): Promise<CallRate> {
  const began = performance.now();
  const { answeredMs, refusedMs } = await sendCalls(url, {
    connections: fewConnections,
    callAt,
    isOver: (answers) => answers.answeredMs.length >= count,
  });
  const answered = answeredMs.length;
  const perSecond = (answered * 1_000) / (performance.now() - began);
  return { perSecond, answered, refused: refusedMs.length };
}

export function refusedRow(refused: number): Row {
  return plainRow('calls refused with 503 and repeated', refused, 'calls');
}
