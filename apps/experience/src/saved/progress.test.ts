import { expect, test } from 'vitest';
import { emptyDrafts } from '../flow/drafts.ts';
import { createStore } from '../flow/store.ts';
import { progressIn } from './progress.ts';

test('the kind of payment method is saved, but no digit of an account or card', () => {
  const store = createStore({
    isSandbox: true,
    isStandalone: false,
    lender: null,
    partner: null,
    language: null,
  });
  const account = {
    ...emptyDrafts.account,
    method: 'card' as const,
    routing: '110000000',
    number: '99887766',
    card: { number: '4242 4242 4242 4242', expires: '12/28', cvc: '737' },
  };
  store.drafts.value = { ...emptyDrafts, account };
  const kept = progressIn(store);
  expect(kept.method).toBe('card');
  expect(JSON.stringify(kept)).not.toMatch(/\d{3}/);
});
