import { z } from 'zod';
import { type CardBrand, cardBrands } from '../card.ts';
import { cents, dateInput, instant, isoDate, locale } from '../primitives.ts';
import { planOutput } from './plans.ts';

export const paymentMethodTypes = ['bank_account', 'card'] as const;
const brands = Object.keys(cardBrands) as [CardBrand, ...CardBrand[]];

/** What the tenant pays from. */
export const paymentMethodOutput = z.object({
  id: z.string(),
  type: z.enum(paymentMethodTypes),
  brand: z.enum(brands).nullable().describe('Of a card.'),
  last4: z.string(),
  expires: z
    .string()
    .nullable()
    .describe('Of a card: its last month, `YYYY-MM`. Null of one that was added long ago.'),
  label: z.string().describe('The same in English.'),
});
export type PaymentMethodOutput = z.infer<typeof paymentMethodOutput>;

/** What the tenant may do with the plan, and what has happened to it. `plan` holds its figures. */
export const planManagement = z.object({
  autopay: z.boolean(),
  payment_method: paymentMethodOutput,
  card_ends_before: isoDate
    .nullable()
    .describe('The last open payment’s day, where the card ends before it.'),
  paid_in_cents: cents,
  left_in_cents: cents,
  credited_in_cents: cents
    .optional()
    .describe('Given back by the landlord and taken off what was left.'),
  refunded_in_cents: cents
    .optional()
    .describe('Given back by the landlord and sent to the tenant’s account.'),
  may_cancel: z.boolean().describe('Only before the first payment has gone through.'),
  installments: z.array(
    z.object({
      id: z.string(),
      paid_on: isoDate.nullable(),
      may_pay: z.boolean(),
      reschedule_days: z.array(isoDate).describe('The days it may be moved to; empty for none.'),
      failure: z
        .object({
          return_code: z.string(),
          message: z.string(),
          taken_back: z.boolean().describe('The payment had been made.'),
        })
        .nullable(),
      next_attempt_on: isoDate.nullable().describe('When we try by ourselves, autopay being on.'),
    }),
  ),
  history: z
    .array(
      z.object({
        at: instant,
        on: isoDate.describe('The same day where the home is.'),
        kind: z.enum([
          'accepted',
          'paid',
          'failed',
          'rescheduled',
          'payment_method',
          'autopay_enabled',
          'autopay_disabled',
          'past_due',
          'recovered',
          'completed',
          'canceled',
          'charged_off',
          'refunded',
          'credited',
          'charge_changed',
          'taken_back',
        ]),
        number: z.int().nullable(),
        amount_in_cents: cents.nullable(),
        from: isoDate.nullable(),
        to: isoDate.nullable(),
        return_code: z.string().nullable(),
      }),
    )
    .describe('Newest first.'),
  receipts: z.array(
    z.object({
      id: z.string(),
      number: z.int(),
      paid_on: isoDate,
      amount_in_cents: cents,
      method: z.string().describe('The label of `payment_method`.'),
      payment_method: paymentMethodOutput,
    }),
  ),
  agreement: z
    .object({ accepted_at: instant, sha256: z.string(), text: z.string(), locale })
    .describe('The words that were agreed to, in the language that was read.'),
});
export type PlanManagement = z.infer<typeof planManagement>;

/** A plan that is over, newest first. */
export const pastPlan = z.object({
  id: z.string(),
  state: z.enum(['completed', 'canceled', 'charged_off']),
  rent_cycle_date: isoDate,
  amount_financed_in_cents: cents,
  total_of_payments_in_cents: cents,
  installment_count: z.int(),
});

/** One plan of the tenant's own, also when it is over. */
export const ownPlanOutput = z.object({ plan: planOutput, management: planManagement });
export type OwnPlanOutput = z.infer<typeof ownPlanOutput>;

/** Each installment is charged by itself, in their order; the first that fails ends it. */
export const payInput = z.strictObject({
  installment_ids: z.array(z.string().min(1).max(100)).min(1).max(12),
});
/** Why a tenant moves a payment; asked, kept, never shown to the partner. */
export const rescheduleReasons = [
  'paid_on_another_day',
  'unexpected_expense',
  'income_changed',
  'other',
] as const;
export const rescheduleInput = z.strictObject({
  installment_id: z.string().min(1).max(100),
  due_date: dateInput,
  reason: z.enum(rescheduleReasons),
});
export const autopayInput = z.strictObject({ enabled: z.boolean() });
