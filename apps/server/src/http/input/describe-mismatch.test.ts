import { type EventType, eventExamples, eventTypes } from '@svc/contract';
import { expect, test } from 'vitest';
import { describeMismatches } from './describe-mismatch.ts';

const failed = eventExamples['installment.failed'];

test.each(eventTypes)('the example of %s matches', (type) => {
  expect(describeMismatches(type, eventExamples[type] as Record<string, unknown>)).toEqual([]);
});

test.each<[string, EventType, Record<string, unknown>, string, string]>([
  [
    'a misspelled field',
    'installment.failed',
    { ...failed, retrun_code: 'R02' },
    'data.retrun_code',
    'Sent as given, but data.retrun_code is not a field of installment.failed. Did you mean return_code?',
  ],
  [
    'an unknown code',
    'installment.failed',
    { ...failed, return_code: 'R19' },
    'data.return_code',
    'Sent as given, but data.return_code is not a known return or decline code. Did you mean R09, R10 or R11?',
  ],
  [
    'dollars',
    'installment.failed',
    { ...failed, amount_in_cents: 1520.12 },
    'data.amount_in_cents',
    'Sent as given, but data.amount_in_cents must be a whole number of cents, such as 152012 for $1,520.12.',
  ],
  [
    'a field of a list',
    'plan.created',
    {
      ...eventExamples['plan.created'],
      installments: [{ ...eventExamples['plan.created'].installments[0], dueDate: '2026-02-01' }],
    },
    'data.installments[0].dueDate',
    'Sent as given, but data.installments[0].dueDate is not a field of plan.created. Did you mean due_date?',
  ],
])('%s is a mismatch in words', (_, type, data, param, message) => {
  expect(describeMismatches(type, data)).toEqual([{ code: 'schema_mismatch', param, message }]);
});

test('at most 20 mismatches are listed', () => {
  const extra = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`extra${at}`, at]));
  expect(describeMismatches('plan.canceled', extra)).toHaveLength(20);
});
