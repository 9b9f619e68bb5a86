import { expect, test } from 'vitest';
import { checkFilterText, type Filter, formatFilter, parseFilter } from './filter-text.ts';

const filter: Filter = [
  { field: 'data.product_variant', equals: 'hoa' },
  { field: 'data.amount_in_cents', in: [100, 250, -3] },
  { field: 'external_id', in: ['123', 'a, "b"', 'true', ' x', 'Ünit 4'] },
  { field: 'simulated', exists: false },
  { field: 'data.reason', exists: true },
  { field: 'custom', equals: true },
];

test('a filter is shown as a condition a line, and read back the same', () => {
  expect(formatFilter(filter)).toBe(
    [
      'data.product_variant = hoa',
      'data.amount_in_cents in 100, 250, -3',
      'external_id in "123", "a, \\"b\\"", "true", " x", Ünit 4',
      'simulated missing',
      'data.reason exists',
      'custom = true',
    ].join('\n'),
  );
  expect(parseFilter(formatFilter(filter))).toEqual(filter);
  expect(parseFilter(' \n\n ')).toBeNull();
  expect(formatFilter(null)).toBe('');
});

test('spaces do not matter, and the name of an operator can be a field', () => {
  expect(parseFilter('  in   =  in ')).toEqual([{ field: 'in', equals: 'in' }]);
});

test.each([
  ['external_id', 'Line 1: write a field and then'],
  ['type = plan.created\nexternal_id is t-1', 'Line 2: write a field and then'],
  ['external_id =', 'Line 1: write one value after “=”'],
  ['external_id = a, b', 'Line 1: write one value after “=”'],
  ['external_id in ,', 'Line 1: write values after “in”'],
  ['external_id exists now', 'Line 1: write nothing after “exists”'],
  ['external_id = "a', 'Line 1: the text in quotes'],
])('%j is refused', (text, message) => {
  expect(checkFilterText(text)).toContain(message);
});
