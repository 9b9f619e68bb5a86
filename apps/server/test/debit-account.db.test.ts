import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { debitAccountOf, sandboxDebitAccounts } from '../src/debit-accounts.ts';
import { startRunning, useService } from './harness.ts';

const example = debitAccountOf(sandboxDebitAccounts, 'any-portal');
if (example === null) throw new Error('The sandbox has no example account.');
const { authorization } = example;
const own = { ...example, authorization: { ...authorization, reference: 'Agreement 7' } };

const svc = await useService();

test('the sandbox answers an example account until the operator sets one', async () => {
  const { key } = await svc.newPartner();
  const { data } = await svc.call('GET', '/partner/debit_account', { key });
  expect(data).toEqual({ environment: 'sandbox', ...example });
});

test('the account needs a key or a session of the console', async () => {
  const answer = await svc.call('GET', '/partner/debit_account');
  expect(answer).toMatchObject({ status: 401, error: { code: 'missing_credentials' } });
});

test('a portal gets its own account, or the one for all others', () => {
  const text = JSON.stringify({ 'my-portal': own, '*': example });
  const { debitAccounts } = readConfig({ SVC_DEBIT_ACCOUNTS: text });
  expect(debitAccountOf(debitAccounts, 'my-portal')).toEqual(own);
  expect(debitAccountOf(debitAccounts, 'other')).toEqual(example);
  expect(debitAccountOf({ 'my-portal': own }, 'other')).toBeNull();
  expect(debitAccountOf({}, 'constructor')).toBeNull();
});

test('without an account, the call says what the operator has to set', async () => {
  const other = await startRunning({ debitAccounts: {} });
  const { key } = await other.newPartner();
  const answer = await other.call('GET', '/partner/debit_account', { key });
  await other.close();
  expect(answer).toMatchObject({ status: 404, error: { code: 'debit_account_not_set' } });
  expect(answer.error?.message).toContain('SVC_DEBIT_ACCOUNTS');
});

test.each([
  ['no JSON', '{', /SVC_DEBIT_ACCOUNTS.*must be JSON/],
  [
    'a routing number with a wrong digit',
    { p1: { ...own, routing_number: '110000001' } },
    /p1\.routing_number: must be nine digits/,
  ],
  ['a misspelled field', { p1: { ...own, bank: 'x' } }, /At p1: .*bank/],
  [
    'an amount in dollars',
    { p1: { ...own, authorization: { ...authorization, maximum_in_cents: 10.5 } } },
    /p1\.authorization\.maximum_in_cents/,
  ],
])('%s is refused when the service starts', (_, value, message) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  expect(() => readConfig({ SVC_DEBIT_ACCOUNTS: text })).toThrow(message);
});
