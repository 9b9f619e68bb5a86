import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type ProcessorEvent,
  type WebhookHeaders,
  WebhookNotAuthentic,
} from '../../domain/payments/processor.ts';
import type { SimulatedWebhook } from '../../domain/payments/simulator.ts';

const toleranceMs = 300_000;

/** Signs the simulator's webhooks and checks them. Each process sends its webhooks to itself. */
export function createSimulatedWebhooks() {
  const secret = randomBytes(32);
  const sign = (raw: Buffer, time: string) =>
    createHmac('sha256', secret).update(`${time}.`).update(raw).digest();

  return {
    write(event: ProcessorEvent, now: Date): SimulatedWebhook {
      const raw = Buffer.from(JSON.stringify(event));
      const time = String(now.getTime());
      const signature = sign(raw, time).toString('hex');
      return {
        raw,
        headers: { 'x-simulator-time': time, 'x-simulator-signature': signature },
      };
    },

    /** @throws WebhookNotAuthentic */
    read(raw: Buffer, headers: WebhookHeaders, now: Date): ProcessorEvent {
      const time = String(headers['x-simulator-time'] ?? '');
      const signature = Buffer.from(String(headers['x-simulator-signature'] ?? ''), 'hex');
      const expected = sign(raw, time);
      const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected);
      // Two-sided: a time in the future would stay valid for longer than a captured webhook should.
      if (!isSigned || !(Math.abs(now.getTime() - Number(time)) <= toleranceMs)) {
        throw new WebhookNotAuthentic('The signature of the simulator’s webhook is not right.');
      }
      const event = JSON.parse(raw.toString('utf8')) as ProcessorEvent;
      return { ...event, occurredAt: new Date(event.occurredAt) };
    },
  };
}

/** Repeats some webhooks and shuffles all of them, as a network does. `random` is like `Math.random`. */
export function repeatAndShuffle(
  webhooks: readonly SimulatedWebhook[],
  random: () => number,
): SimulatedWebhook[] {
  const some = webhooks.flatMap((it) => (random() < 0.3 ? [it, it] : [it]));
  return some
    .map((it) => ({ it, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ it }) => it);
}
