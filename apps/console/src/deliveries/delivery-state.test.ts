import { expect, test } from 'vitest';
import type { Delivery } from '../api/messages.ts';
import { describeDeliveries, summarizeState } from './delivery-state.ts';

const now = Date.parse('2026-02-01T12:00:00.000Z');

function deliveries(...states: Delivery['state'][]): Delivery[] {
  return states.map((state, index) => ({
    id: `dlv_${index}`,
    endpoint_id: `ep_${index}`,
    endpoint_url: 'https://a.example',
    state,
    reason: null,
    attempts_made: 1,
    next_attempt_at: state === 'retrying' ? '2026-02-01T12:04:30.000Z' : null,
  }));
}

test.each<[Delivery['state'][], string, string]>([
  [[], 'No endpoint', 'No endpoint was subscribed to it when it was published.'],
  [['delivered'], 'Delivered', 'Delivered.'],
  [['delivered', 'delivered'], 'Delivered', 'Delivered to all 2 endpoints.'],
  [['retrying'], 'Retrying', 'Retrying, next in 5 min.'],
  [['exhausted'], 'Failed', 'Failed all eight attempts.'],
  [['held'], 'Held', 'Held until the endpoint is enabled.'],
  [
    ['delivered', 'retrying', 'delivered'],
    '1 of 3 retrying',
    'Delivered to 2 of 3 endpoints; 1 retrying, next in 5 min.',
  ],
  [
    ['exhausted', 'retrying', 'skipped'],
    '1 of 3 failed',
    'Delivered to 0 of 3 endpoints; 1 failed all eight attempts; 1 retrying, next in 5 min; 1 skipped.',
  ],
])('%j', (states, word, sentence) => {
  expect(summarizeState(deliveries(...states)).word).toBe(word);
  expect(describeDeliveries(deliveries(...states), now)).toBe(sentence);
});
