import { expect, test } from 'vitest';
import { widgetSessionInput, widgetSessionOf, widgetSessionOutput } from './widget-session.ts';

test('the product variant is rent unless the page names one', () => {
  const asked = { pms: 'maple', external_id: 't-1', signature: 'a1' };
  expect(widgetSessionInput.parse(asked).product_variant).toBe('rent');
});

test.for([
  ['new', null, null],
  ['can_split', null, null],
  ['nothing_due', null, null],
  ['has_plan', '2026-02-15', null],
  ['unavailable', null, '2026-03-01'],
] as const)('the state %s allows its dates and no other field', ([state, next, available]) => {
  const session = widgetSessionOf(state, next, available);
  expect(session).toEqual({ state, next_payment_on: next, available_on: available });
  expect(widgetSessionOutput.parse(session)).toEqual(session);
});
