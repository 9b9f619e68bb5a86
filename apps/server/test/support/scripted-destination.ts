import type { Destination, Handover, RelayedMessage } from '../../src/relay/destination.ts';

export interface HandoverCall {
  readonly message: RelayedMessage;
  readonly outcomeUnknown: boolean;
  readonly partnerKnown: boolean;
  answer(handover: Handover): void;
  fail(error: Error): void;
}

/** A destination whose test answers each call. */
export interface ScriptedDestination extends Destination {
  /** The next call that the test has not seen, as soon as it is made. */
  next(): Promise<HandoverCall>;
  /** The calls that were made and not taken by `next`. */
  readonly waiting: readonly HandoverCall[];
  /** All calls, answered or not. */
  readonly calls: readonly HandoverCall[];
  readonly closed: boolean;
}

export function createScriptedDestination(name = 'svix'): ScriptedDestination {
  const waiting: HandoverCall[] = [];
  const calls: HandoverCall[] = [];
  const takers: ((call: HandoverCall) => void)[] = [];
  let closed = false;
  return {
    name,
    waiting,
    calls,
    get closed() {
      return closed;
    },
    send: (message, earlier) =>
      new Promise((answer, fail) => {
        const call = { message, ...earlier, answer, fail };
        calls.push(call);
        const taker = takers.shift();
        if (taker) taker(call);
        else waiting.push(call);
      }),
    next() {
      const call = waiting.shift();
      return call ? Promise.resolve(call) : new Promise((taken) => takers.push(taken));
    },
    async close() {
      closed = true;
    },
  };
}
