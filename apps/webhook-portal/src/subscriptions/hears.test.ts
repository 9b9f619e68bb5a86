import { expect, test } from 'vitest';
import { hears } from './hears.ts';

test('an endpoint without channels hears every channel, one with channels only its own', () => {
  const everything = { event_types: null, channels: null };
  expect(hears(everything, 'plan.created', [])).toBe(true);
  expect(hears(everything, 'plan.created', ['blue'])).toBe(true);
  const blue = { event_types: ['plan.*'], channels: ['blue', 'green'] };
  expect(hears(blue, 'plan.created', ['red', 'green'])).toBe(true);
  expect(hears(blue, 'plan.created', ['red'])).toBe(false);
  expect(hears(blue, 'plan.created', [])).toBe(false);
  expect(hears(blue, 'settlement.created', ['blue'])).toBe(false);
});
