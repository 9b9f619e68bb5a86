import { expect, test } from 'vitest';
import { evenSplit } from './even-split.ts';

test('an even split adds up to the principal and the fee, with the remaining cents today', () => {
  for (const count of [2, 3, 4]) {
    const { today, each } = evenSplit(152012, 3000, count);
    expect(today + each * (count - 1)).toBe(152012 + 3000);
    expect(today - 3000).toBeGreaterThanOrEqual(each);
    expect(today - 3000 - each).toBeLessThan(count);
  }
});
