import { testBankAccounts, testRoutingNumber } from '@svc/contract';
import { expect, test } from 'vitest';
import { testBank } from './test-bank.ts';

test('the one-tap accounts are the contract’s', () => {
  expect(testBank.routingNumber).toBe(testRoutingNumber);
  const outcomes = { succeeds: null, first_payment_fails: 'R01', account_closed: 'R02' } as const;
  expect(
    testBank.accounts.map(({ accountNumber, outcome }) => [accountNumber, outcomes[outcome]]),
  ).toEqual(
    testBankAccounts
      .slice(0, testBank.accounts.length)
      .map(({ account_number, return_code }) => [account_number, return_code]),
  );
});
