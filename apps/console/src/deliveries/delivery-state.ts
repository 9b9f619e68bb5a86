import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import { describeWait } from '@svc/ui/console/time/format-time.ts';
import type { Delivery } from '../api/messages.ts';

/** Summarizes all deliveries of a message in one word: the state that most needs attention. */
export function summarizeState(deliveries: readonly Delivery[]): { tone: Tone; word: string } {
  const worst = order.find((state) => deliveries.some((delivery) => delivery.state === state));
  if (worst === undefined) return { tone: 'neutral', word: 'No endpoint' };
  const count = deliveries.filter(({ state }) => state === worst).length;
  const { tone, word } = stateMarks[worst];
  if (count === deliveries.length) return { tone, word };
  return { tone, word: `${count} of ${deliveries.length} ${word.toLowerCase()}` };
}

/** Describes the deliveries: "Delivered to 2 of 3 endpoints; 1 retrying, next in 4 min." */
export function describeDeliveries(deliveries: readonly Delivery[], now: number): string {
  const total = deliveries.length;
  if (total === 0) return 'No endpoint was subscribed to it when it was published.';
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const rest = order
    .filter((state) => state !== 'delivered')
    .map((state) =>
      describeState(
        deliveries.filter((delivery) => delivery.state === state),
        now,
      ),
    )
    .filter((words) => words !== '');
  const tail = rest.length > 0 ? `; ${rest.join('; ')}` : '';
  if (delivered === total)
    return total === 1 ? 'Delivered.' : `Delivered to all ${total} endpoints.`;
  if (total === 1) return `${capitalize(tail.slice(2).replace(/^1 /, ''))}.`;
  return `Delivered to ${delivered} of ${total} endpoints${tail}.`;
}

/** The color and word of each delivery state. */
export const stateMarks: Record<Delivery['state'], { tone: Tone; word: string }> = {
  exhausted: { tone: 'bad', word: 'Failed' },
  retrying: { tone: 'warn', word: 'Retrying' },
  delivering: { tone: 'info', word: 'Sending' },
  pending: { tone: 'info', word: 'Pending' },
  held: { tone: 'neutral', word: 'Held' },
  skipped: { tone: 'neutral', word: 'Skipped' },
  delivered: { tone: 'good', word: 'Delivered' },
};

/** Delivery states, the ones that most need attention first. */
const order: Delivery['state'][] = [
  'exhausted',
  'retrying',
  'delivering',
  'pending',
  'held',
  'skipped',
  'delivered',
];

function describeState(deliveries: readonly Delivery[], now: number): string {
  const [first] = deliveries;
  if (!first) return '';
  const count = deliveries.length;
  switch (first.state) {
    case 'exhausted':
      return `${count} failed all eight attempts`;
    case 'retrying':
      return `${count} retrying${nextOf(deliveries, now)}`;
    case 'delivering':
      return `${count} being sent now`;
    case 'pending':
      return `${count} about to be sent`;
    case 'held':
      return `${count} held until the endpoint is enabled`;
    case 'skipped':
      return `${count} skipped`;
    case 'delivered':
      return '';
  }
}

function nextOf(deliveries: readonly Delivery[], now: number): string {
  const times = deliveries.flatMap(({ next_attempt_at }) =>
    next_attempt_at === null ? [] : [Date.parse(next_attempt_at)],
  );
  return times.length === 0 ? '' : `, next ${describeWait(Math.min(...times) - now)}`;
}

function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
