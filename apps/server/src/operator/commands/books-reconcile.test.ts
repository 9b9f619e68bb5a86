import { expect, test } from 'vitest';
import { booksReconcile } from './books-reconcile.ts';

const nothing = { reference: 0, same_reference: 0, amount: 0, batch: 0, collected: 0 };

test('the rules say what they matched, and what is left', () => {
  const say = (result: Partial<Parameters<typeof booksReconcile.describe>[0]>) =>
    booksReconcile.describe({ ...nothing, unmatched: 0, ...result }, {});
  expect(say({ collected: 4, reference: 3, batch: 1, unmatched: 2 })).toBe(
    'Found 4 new ledger entries to compare. The rules matched: 3 by reference, 1 by the sum of a day.\n2 items are not matched: "svc-admin books exceptions" says why.\n',
  );
  // As after a statement was replaced, when its entries are known and match again.
  expect(say({ same_reference: 1 })).toBe(
    'Found 0 new ledger entries to compare. The rules matched: 1 by the sum of a reference.\nEverything is matched.\n',
  );
  expect(say({ collected: 1, unmatched: 1 })).toBe(
    'Found 1 new ledger entry to compare. The rules found no new match.\n1 item is not matched: "svc-admin books exceptions" says why.\n',
  );
});
