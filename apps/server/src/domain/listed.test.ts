import { expect, test } from 'vitest';
import { listed, mostListed } from './listed.ts';

test('a list that is cut to the limit says that there is more', () => {
  const rows = Array.from({ length: mostListed + 1 }, (_, at) => at);
  expect(listed(rows)).toEqual({ items: rows.slice(0, mostListed), has_more: true });
  expect(listed(rows.slice(1))).toMatchObject({ has_more: false });
});
