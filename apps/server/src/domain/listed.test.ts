import { expect, test } from 'vitest';
import { listNewest, mostListed } from './listed.ts';

test('a list that is cut to the limit says that there is more', () => {
  const rows = Array.from({ length: mostListed + 1 }, (_, at) => at);
  expect(listNewest(rows)).toEqual({ items: rows.slice(0, mostListed), has_more: true });
  expect(listNewest(rows.slice(1))).toMatchObject({ has_more: false });
});
