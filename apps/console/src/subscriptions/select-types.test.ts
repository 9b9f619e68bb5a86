import { expect, test } from 'vitest';
import {
  describeTypes,
  isChosen,
  isSubscribed,
  toggleGroup,
  toggleType,
  unknownTypes,
} from './select-types.ts';

const all = [
  'plan.created',
  'plan.activated',
  'plan.canceled',
  'endpoint.disabled',
  'message.recovered',
];

test('a group includes each of its types', () => {
  expect(isChosen('plan.created', ['plan.*'])).toBe(true);
  expect(isChosen('plan.created', ['plan.activated'])).toBe(false);
});

test('toggling selects and deselects a type', () => {
  expect(toggleType('plan.created', [], all)).toEqual(['plan.created']);
  expect(toggleType('plan.created', ['plan.created', 'endpoint.disabled'], all)).toEqual([
    'endpoint.disabled',
  ]);
});

test('deselecting a type of a whole group keeps the others', () => {
  expect(toggleType('plan.created', ['plan.*'], all)).toEqual(['plan.activated', 'plan.canceled']);
});

test('a catalog category can contain two groups', () => {
  const operational = ['endpoint.disabled', 'message.recovered'];
  const ticked = toggleGroup(operational, ['plan.created', 'endpoint.disabled']);
  expect(ticked).toEqual(['plan.created', 'endpoint.*', 'message.*']);
  expect(toggleGroup(operational, ticked)).toEqual(['plan.created']);
});

test.each([
  [null, 'All events'],
  [['plan.*'], 'plan.*'],
  [['plan.*', 'a.b'], 'plan.*, a.b'],
  [['plan.*', 'a.b', 'c.d'], 'plan.* and 2 more'],
])('%j reads %s', (chosen, words) => {
  expect(describeTypes(chosen, null)).toBe(words);
  expect(describeTypes(chosen, ['blue', 'green'])).toBe(`${words} on blue, green`);
});

test('names missing from the catalog are reported', () => {
  const catalog = all.map((name) => ({ name }));
  const chosen = ['plan.*', 'plan.craeted', 'endpoint.disabled', 'nonsense.*'];
  expect(unknownTypes(chosen, catalog)).toEqual(['plan.craeted', 'nonsense.*']);
});

test('an endpoint without channels receives every channel, one with channels only its own', () => {
  const everything = { event_types: null, channels: null };
  expect(isSubscribed(everything, 'plan.created', [])).toBe(true);
  expect(isSubscribed(everything, 'plan.created', ['blue'])).toBe(true);
  const blue = { event_types: ['plan.*'], channels: ['blue', 'green'] };
  expect(isSubscribed(blue, 'plan.created', ['red', 'green'])).toBe(true);
  expect(isSubscribed(blue, 'plan.created', ['red'])).toBe(false);
  expect(isSubscribed(blue, 'plan.created', [])).toBe(false);
  expect(isSubscribed(blue, 'settlement.created', ['blue'])).toBe(false);
});
