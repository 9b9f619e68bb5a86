import { z } from 'zod';
import { type CardBrand, cardBrands } from '../card.ts';
import { planStates } from '../plan-states.ts';
import { cents, dateInput, instant, isoDate, locale } from '../primitives.ts';
import { paymentMethodTypes, rescheduleReasons } from '../vocabulary.ts';
import { planOutput } from './plans.ts';

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

/**
 * All amounts of a plan, computed by the server in one place. In total and for each installment:
 * agreed = credited + canceled + paid + left.
 */
export const planAmounts = z.object({
  agreed_in_cents: cents.describe('Total of payments, as agreed: principal and fee.'),
  credited_in_cents: cents.describe('What the landlord’s credits took off the debt.'),
  canceled_in_cents: cents.describe('Of a canceled plan: what is not charged.'),
  paid_in_cents: cents,
  left_in_cents: cents,
  late_in_cents: cents.describe('The part of `left_in_cents` whose day has passed.'),
  refunded_in_cents: cents.describe('Sent back to the tenant’s account or card.'),
  installments: z
    .array(
      z.object({
        number: z.int(),
        agreed_in_cents: cents,
        credited_in_cents: cents,
        canceled_in_cents: cents,
        paid_in_cents: cents,
        left_in_cents: cents,
        is_late: z.boolean(),
      }),
    )
    .describe('By number.'),
});
export type PlanAmounts = z.infer<typeof planAmounts>;

/** What the tenant may do with the plan, and what has happened to it. `plan` holds its figures. */
export const planManagement = z.object({
  autopay: z.boolean(),
  payment_method: paymentMethodOutput,
  card_ends_before: isoDate
    .nullable()
    .describe('The last open payment’s day, where the card ends before it.'),
  method_refusal: z
    .object({ return_code: z.string(), is_final: z.boolean() })
    .nullable()
    .describe(
      'Why the latest payment from `payment_method` failed; null if it did not. Final: trying it again can’t help.',
    ),
  shares_lease: z
    .boolean()
    .describe('Somebody else was billed for the same month of the lease when the plan was made.'),
  amounts: planAmounts,
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
      amount_in_cents: cents.describe('What it paid of the plan.'),
      returned_in_cents: cents.describe('What of the payment went back, as no longer owed.'),
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
  state: z.enum(planStates).extract(['completed', 'canceled', 'charged_off']),
  rent_cycle_date: isoDate,
  amount_financed_in_cents: cents,
  total_of_payments_in_cents: cents.describe('As agreed.'),
  amounts: planAmounts,
  installment_count: z.int(),
});

/** One plan of the tenant's own, also when it is over. */
export const ownPlanOutput = z.object({ plan: planOutput, management: planManagement });
export type OwnPlanOutput = z.infer<typeof ownPlanOutput>;

/** Each installment is charged by itself, in their order; the first that fails ends it. */
export const payInput = z.strictObject({
  installment_ids: z.array(z.string().min(1).max(100)).min(1).max(12),
});
export const rescheduleInput = z.strictObject({
  installment_id: z.string().min(1).max(100),
  due_date: dateInput,
  reason: z.enum(rescheduleReasons),
});
export const autopayInput = z.strictObject({ enabled: z.boolean() });
