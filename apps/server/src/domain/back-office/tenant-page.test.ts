import { expect, test } from 'vitest';
import { positionSentence } from './tenant-page.ts';

const payment = (number: number, state: 'paid' | 'failed' | 'scheduled') => ({
  number,
  due_date: '2026-11-09',
  amount_in_cents: 56_500,
  state,
});

function say(state: 'failed' | 'scheduled', isPaused: boolean): string {
  const payments = [payment(1, 'paid'), payment(2, state)];
  return positionSentence({
    plan: { id: 'pln_1', state: 'active', autopay: true, method: 'pmt_1', payments },
    next: { kind: 'collect', at: '2026-11-10T12:00:00Z', number: 2, amount_in_cents: 56_500 },
    time_zone: 'America/Los_Angeles',
    waits_for: [],
    isPaused,
  });
}

test('the sentence says that a payment failed, and that a pause keeps it from being charged', () => {
  expect(say('scheduled', false)).toBe('Payment 2 of 2, $565.00, will be charged on Nov 10.');
  expect(say('failed', false)).toBe(
    'Payment 2 of 2, $565.00, failed and will be charged again on Nov 10.',
  );
  expect(say('failed', true)).toBe(
    'Payment 2 of 2, $565.00, is not charged on Nov 10 unless collections are resumed.',
  );
});
