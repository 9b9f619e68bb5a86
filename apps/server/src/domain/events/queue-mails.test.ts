import { expect, test } from 'vitest';
import { mailsOf } from './queue-mails.ts';

test('a mail keeps what its letter reports, and not the rest of the event', () => {
  const to = { partnerId: 'ptn_1', externalId: 't-1', simulated: false };
  const facts = { plan_id: 'pln_1', number: 2, due_date: '2026-02-09', amount_in_cents: 38_003 };
  const method = { id: 'pmt_1', type: 'card', brand: 'visa', last4: '4242' };
  const mails = mailsOf(new Date('2026-02-06T15:00:00Z'), to, [
    { type: 'installment.upcoming', data: { ...facts, id: 'ins_1', state: 'scheduled', method } },
    { type: 'plan.created', data: facts },
    { type: 'installment.failed', data: { ...facts, method, return_code: 'R01' } },
  ]);
  expect(mails.map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'installment.upcoming', data: facts },
    { type: 'installment.failed', data: { ...facts, return_code: 'R01' } },
  ]);
});
