import { expect, test } from 'vitest';
import { nearestCase } from './cases.ts';

test.each([
  ['duplicate', 'duplicates'],
  ['double-click', 'double_click'],
  ['Handshake', 'handshake'],
  ['handshke', 'handshake'],
  ['keyboard', 'keyboard_only'],
  ['weather', undefined],
  ['', undefined],
])('%j is nearest to %j', (typed, known) => {
  expect(nearestCase(typed)).toBe(known);
});
