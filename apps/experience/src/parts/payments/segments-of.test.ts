import { expect, test } from 'vitest';
import type { Payment } from '../../format/payments.ts';
import { segmentsOf } from './segments-of.ts';

const scheduled: Payment = {
  id: 'i-1',
  number: 1,
  dueDate: '2026-02-01',
  amountInCents: 38003,
  creditedInCents: 0,
  partlyPaidInCents: 0,
  feeInCents: 0,
  leftInCents: null,
  state: 'scheduled',
};

test('the bar tells a payment that was moved, credited or comes next from the others', () => {
  const payments: Payment[] = [
    { ...scheduled, state: 'paid' },
    { ...scheduled, id: 'i-2' },
    {
      ...scheduled,
      id: 'i-3',
      originally: { amountInCents: null, dueDate: '2026-02-09' },
    },
    { ...scheduled, id: 'i-4', state: 'canceled', amountInCents: 0 },
  ];
  expect(segmentsOf(payments, 'i-2')).toEqual(['paid', 'next', 'moved', 'credited']);
  expect(segmentsOf(payments, 'i-3')).toEqual(['paid', 'scheduled', 'next-moved', 'credited']);
});

test('a failed payment stays failed when it comes next, and a canceled plan has no credits', () => {
  const payments: Payment[] = [
    { ...scheduled, state: 'failed' },
    { ...scheduled, id: 'i-2', state: 'canceled' },
  ];
  expect(segmentsOf(payments, 'i-1')).toEqual(['failed', 'canceled']);
});
