import { expect, test } from 'vitest';
import {
  widgetRefusalOf,
  widgetSessionInput,
  widgetSessionOf,
  widgetSessionOutput,
} from './widget-session.ts';

test('a page that names no variant asks for rent', () => {
  const asked = { pms: 'maple', external_id: 't-1', signature: 'a1' };
  expect(widgetSessionInput.parse(asked).product_variant).toBe('rent');
});

test.for([
  ['new', null, {}],
  ['can_split', null, {}],
  ['nothing_due', null, {}],
  ['has_plan', '2026-02-15', { line: 'Next payment on {date}', action: 'See my plan' }],
  ['has_plan', null, { line_at_zero: 'Your plan is active', action: 'See my plan' }],
  ['unavailable', null, { line: 'Not available right now' }],
] as const)('%s with %s says %o', ([state, next_payment_on, words]) => {
  const said = widgetSessionOf(state, next_payment_on);
  expect(said).toMatchObject({ state, next_payment_on, ...words });
  expect('line' in said).toBe(state === 'has_plan' || state === 'unavailable');
  expect(said.disabled).toBeUndefined();
  expect(widgetSessionOutput.parse(said)).toEqual(said);
});

test.for([
  [401, 1001, false],
  [403, 1300, false],
  [422, 1000, false],
  [400, 1500, false],
  [429, 1500, true],
  [500, 1500, true],
  [503, 1500, true],
] as const)('%i is ERROR %i, and closes the widget unless it may be tried again', (wanted) => {
  const [status, code, retryable] = wanted;
  const refusal = { status, code: 'no', message: 'Not so.', request_id: 'req_1' };
  const { event, tenant } = widgetRefusalOf(refusal);
  const data = { code, msg: 'Not so.', error_code: 'no', retryable, request_id: 'req_1' };
  expect(event).toEqual({ type: 'ERROR', data });
  expect(tenant?.disabled ?? false).toBe(!retryable);
});
