import { z } from 'zod';
import { payoutStatus } from '../api/payouts.ts';
import { dateInput, instant, isoDate, pms } from '../primitives.ts';
import { sumInCents } from './books.ts';

export const trialBalanceQuery = z.strictObject({
  as_of: dateInput.optional().describe('The day at whose end. Today if left out.'),
});

const accountOfChart = z.object({
  kind: z.string(),
  number: z.int(),
  name: z.string(),
  type: z.string(),
});

export const trialBalanceOutput = z.object({
  as_of: isoDate,
  lines: z.array(
    accountOfChart.extend({ debit_in_cents: sumInCents, credit_in_cents: sumInCents }),
  ),
  debit_in_cents: sumInCents,
  credit_in_cents: sumInCents,
});

export const accountOfPath = z.strictObject({ account: z.string().regex(/^[a-z_]{1,60}$/) });

export const postingsQuery = z.strictObject({
  partner: pms.optional(),
  from: dateInput.optional(),
  to: dateInput.optional().describe('Inclusive.'),
  cursor: z
    .string()
    .regex(/^trf_[0-9a-z]{26}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

/** The entries of one kind of account, newest first, each with what it was posted for. */
export const postingsOutput = z.object({
  items: z.array(
    z.object({
      transfer_id: z.string(),
      partner: z.string(),
      external_id: z.string().nullable(),
      day: isoDate,
      posted_at: instant,
      kind: z.string(),
      cause_id: z.string().describe('The payment, plan or other thing that it was posted for.'),
      amount_in_cents: sumInCents.describe('Positive for a debit.'),
      others: z.array(z.object({ account: z.string(), amount_in_cents: sumInCents })),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const statementLinesQuery = z.strictObject({
  bank: z.string().min(1).max(100),
  day: dateInput,
});

const bookedItem = z.object({
  item: z.string(),
  amount_in_cents: sumInCents,
  kind: z.string(),
  reference: z.string(),
  day: isoDate,
});

/** The lines of a bank's statement, with what each is matched with or may be. */
export const statementLinesOutput = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      amount_in_cents: sumInCents,
      reference: z.string(),
      description: z.string(),
      match: z
        .object({
          id: z.string(),
          rule: z.string(),
          reason: z.string(),
          matched_by: z.string(),
          items: z.array(bookedItem),
        })
        .nullable(),
      candidates: z
        .array(bookedItem)
        .describe('Open entries with the amount or the reference of an open line.'),
    }),
  ),
});

export const operatorPayoutsQuery = z.strictObject({
  partner: pms.optional(),
  status: payoutStatus.optional(),
});
export const operatorPayoutsOutput = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      partner: z.string(),
      method: z.string(),
      status: z.string(),
      day: isoDate,
      amount_in_cents: sumInCents,
      line_count: z.int(),
      destination: z.string(),
      sent_by: z.string(),
      reference: z.string().nullable(),
      failure_reason: z.string().nullable(),
    }),
  ),
  has_more: z.boolean(),
});

/** Days since the due date of the oldest payment that was not made. */
export const delinquencyAges = ['1-30', '31-60', '61-90', '91+'] as const;

export const delinquencyOutput = z.object({
  items: z.array(
    z.object({
      partner: z.string(),
      age: z.enum(delinquencyAges),
      plans: z.int(),
      late_in_cents: sumInCents.describe('Payments that should have been made.'),
      owed_in_cents: sumInCents.describe('All that is left of these plans.'),
    }),
  ),
});

export const lossesOutput = z.object({
  items: z.array(
    z.object({
      written_off_on: isoDate,
      partner: z.string(),
      external_id: z.string(),
      plan_id: z.string(),
      written_off_in_cents: sumInCents,
      still_owed_in_cents: sumInCents,
    }),
  ),
  has_more: z.boolean(),
});

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, { error: 'must be a month as YYYY-MM' });

/** The months of a report. */
export const portfolioQuery = z.strictObject({
  from: month.optional().describe('Eleven months before `to` if left out.'),
  to: month.optional().describe('This month if left out.'),
});

export const portfolioOutput = z.object({
  items: z.array(
    z.object({
      partner: z.string(),
      month: z.string().describe('In which the plans were agreed, as YYYY-MM.'),
      plans: z.int(),
      principal_in_cents: sumInCents,
      fee_in_cents: sumInCents,
      open: z.int(),
      past_due: z.int(),
      completed: z.int(),
      canceled: z.int(),
      charged_off: z.int(),
    }),
  ),
});

export const feesOutput = z.object({
  items: z.array(
    z.object({
      partner: z.string(),
      month: z.string().describe('Of the books, as YYYY-MM.'),
      earned_in_cents: sumInCents.describe('Fees of tenants for their plans.'),
      given_back_in_cents: sumInCents,
      cost_in_cents: sumInCents.describe('Fees of processors and banks.'),
      net_in_cents: sumInCents,
    }),
  ),
});

export const csvOutput = z.string();
