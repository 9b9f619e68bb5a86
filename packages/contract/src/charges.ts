import { z } from 'zod';
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
export const charge = z
  .strictObject({
    id: text(200),
    type: z.enum(chargeTypes).optional(),
    description: visibleText(500).nullish(),
    due_date: dateInput,
    amount_in_cents: amountInput.describe('Integer cents (USD); negative is a credit.'),
    amount_paid_in_cents: positiveAmountInput
      .default(0)
      .describe('From 0 to `amount_in_cents`; 0 for a credit.'),
  })
  .refine((it) => it.amount_paid_in_cents <= Math.max(it.amount_in_cents, 0), {
    path: ['amount_paid_in_cents'],
    error: 'must be from 0 to amount_in_cents, and 0 for a credit',
  });
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
export const paidCharge = z.object({ charge_id: z.string(), amount_in_cents: cents });
export type PaidCharge = z.infer<typeof paidCharge>;

/** The charges that a settlement pays. Fields of its events, of the API and of the SDK's SPLIT_RENT. */
export const paidCharges = {
  amount_in_cents: cents,
  charges_paid: z.array(z.string()),
  charges_and_amounts_paid: z.array(paidCharge),
};
