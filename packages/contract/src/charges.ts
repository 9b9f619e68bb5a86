import { z } from 'zod';
import { field, loggedField, named } from './describe-schema.ts';
import { earliestDate, latestDate } from './limits.ts';
import {
  amountInput,
  cents,
  dateInput,
  isoDate,
  positiveAmountInput,
  text,
  visibleText,
} from './primitives.ts';

export const chargeTypes = [
  'rent',
  'utility',
  'fee',
  'late_fee',
  'security_deposit',
  'credit',
  'hoa_dues',
  'hoa_assessment',
  'other',
] as const;
export type ChargeType = (typeof chargeTypes)[number];

/** A charge as the portal sends it. */
export const charge = named(
  'ChargeInput',
  'A line of the tenant’s balance, as your ledger has it.',
  z
    .strictObject({
      id: loggedField(text(200), 'Your id of the charge. Settlements name it.', 'C-1'),
      type: loggedField(
        z.enum(chargeTypes).optional(),
        'The kind of charge. Security deposits and late fees cannot be split; leave it out if you do not know.',
        'rent',
      ),
      description: field(
        visibleText(500).nullish(),
        'The text that your portal shows for the charge.',
        'Rent for February',
      ),
      due_date: loggedField(
        dateInput,
        `The day it is due, from ${earliestDate} to ${latestDate}.`,
        '2026-02-01',
      ),
      amount_in_cents: loggedField(
        amountInput,
        'Integer cents (USD); negative is a credit.',
        152012,
      ),
      amount_paid_in_cents: loggedField(
        positiveAmountInput.default(0),
        'The part that is paid already: from 0 to `amount_in_cents`; 0 for a credit.',
        0,
      ),
    })
    .refine((it) => it.amount_paid_in_cents <= Math.max(it.amount_in_cents, 0), {
      path: ['amount_paid_in_cents'],
      error: 'must be from 0 to amount_in_cents, and 0 for a credit',
    }),
);
export type ChargeInput = z.infer<typeof charge>;

/** A charge as the tenant sees it. */
export const chargeOutput = z.object({
  id: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  due_date: isoDate,
  amount_in_cents: cents,
  amount_paid_in_cents: cents,
});
export type ChargeOutput = z.infer<typeof chargeOutput>;

/** A charge that a settlement pays, and how much of it. */
export const paidCharge = named(
  'PaidCharge',
  'A charge that a settlement pays, and how much of it.',
  z.object({
    charge_id: field(z.string(), 'Your id of the charge.', 'C-1'),
    amount_in_cents: field(cents, 'The part of the charge that is paid, in cents.', 152012),
  }),
);
export type PaidCharge = z.infer<typeof paidCharge>;

/** The charges that a settlement pays. Fields of its events, of the API and of the SDK's SPLIT_RENT. */
export const paidCharges = {
  amount_in_cents: field(
    cents,
    'The amount to debit from our account, in cents: the sum of `charges_and_amounts_paid`.',
    152012,
  ),
  charges_paid: field(z.array(z.string()), 'Your ids of the charges that it pays.', ['C-1']),
  charges_and_amounts_paid: field(
    z.array(paidCharge),
    'The charges that it pays, with the amount of each.',
  ),
};
