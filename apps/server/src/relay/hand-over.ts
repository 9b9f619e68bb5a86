import type { Clock, Log } from '@svc/runtime';
import type { Destination, Handover } from './destination.ts';
import type { Item, Stream } from './streams.ts';

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly destination: Destination;
  readonly observer?: HandoverObserver;
  /** Milliseconds after which a handover without an answer counts as an unknown outcome. */
  readonly handoverMs: number;
}

/** Observes handovers, for metrics. */
export interface HandoverObserver {
  handedOver(destination: string, kind: Handover['kind'], seconds: number): void;
}

/** Hands one item over. Never throws: a failure is a result. */
export async function handOver(
  { partnerKnown }: Pick<Stream, 'partnerKnown'>,
  item: Item,
  deps: Deps,
): Promise<Handover> {
  const { log, destination, observer } = deps;
  const { message, messageId, outcomeUnknown } = item;
  const { name } = destination;
  if (message === 'gone') {
    return { kind: 'refused', reason: 'The message is no longer stored, so it cannot be sent.' };
  }
  if (message === 'expunged') {
    log.info({ destination: name, message_id: messageId }, 'expunged message not handed over');
    return { kind: 'accepted' };
  }
  const began = performance.now();
  const earlier = { outcomeUnknown, partnerKnown };
  const sent = destination.send(message, earlier).catch((error: unknown): Handover => {
    log.error({ err: error, destination: name, message_id: messageId }, 'handover failed');
    return { kind: 'retry', reason: 'The handover failed: see the log.', outcomeUnknown: true };
  });
  const handover = await withinLimit(sent, deps);
  observer?.handedOver(name, handover.kind, (performance.now() - began) / 1_000);
  return handover;
}

/** Ends the wait for a handover before the lease ends, so that no two processes send for one stream. */
async function withinLimit(
  sent: Promise<Handover>,
  { clock, destination, handoverMs }: Deps,
): Promise<Handover> {
  let cancel = () => {};
  const late = new Promise<Handover>((resolve) => {
    const reason = `${destination.name} did not answer within ${handoverMs / 1_000} seconds.`;
    const handover: Handover = { kind: 'retry', reason, outcomeUnknown: true };
    cancel = clock.after(handoverMs, () => resolve(handover));
  });
  const first = await Promise.race([sent, late]);
  cancel();
  return first;
}
