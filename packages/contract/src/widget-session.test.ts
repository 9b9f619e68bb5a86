import { expect, test } from 'vitest';
import { widgetSessionInput, widgetSessionOf, widgetSessionOutput } from './widget-session.ts';

test('the product variant is rent unless the page names one', () => {
  const asked = { pms: 'maple', external_id: 't-1', signature: 'a1' };
  expect(widgetSessionInput.parse(asked).product_variant).toBe('rent');
});

test.for([
  ['new', 'new', null, null],
  ['can_split', 'can_split', null, null],
  ['applied', 'can_split', null, null],
  ['in_review', 'can_split', null, null],
  ['approved', 'can_split', null, null],
  ['has_plan', 'has_plan', '2026-02-15', null],
  ['starting', 'has_plan', null, null],
  ['payment_failed', 'has_plan', '2026-02-15', null],
  ['past_due', 'has_plan', '2026-02-15', null],
  ['paid_off', 'nothing_due', null, null],
  ['nothing_due', 'nothing_due', null, null],
  ['too_early', 'unavailable', null, '2026-03-01'],
  ['moved_out', 'unavailable', null, null],
  ['needs_attention', 'unavailable', null, null],
  ['unavailable', 'unavailable', null, '2026-03-01'],
] as const)('the status %s is %s for older SDKs', ([status, state, next, available]) => {
  const payments = [{ due_on: '2026-02-15', state: 'due' as const }];
  const session = widgetSessionOf(status, next, available, payments);
  expect(session).toEqual({
    state,
    status,
    next_payment_on: next,
    available_on: available,
    payments,
  });
  expect(widgetSessionOutput.parse(session)).toEqual(session);
});

test('an amount or a name is not part of the answer', () => {
  const session = { ...widgetSessionOf('has_plan', '2026-02-15'), amount_in_cents: 1, name: 'Ada' };
  expect(widgetSessionOutput.parse(session)).toEqual(widgetSessionOf('has_plan', '2026-02-15'));
});
