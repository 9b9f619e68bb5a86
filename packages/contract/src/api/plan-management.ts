import { z } from 'zod';
import { type CardBrand, cardBrands } from '../card.ts';
import { largestAmountInCents } from '../limits.ts';
import { planStates } from '../plan-states.ts';
import { cents, dateInput, instant, isoDate, locale } from '../primitives.ts';
import { paymentMethodTypes, rescheduleReasons } from '../vocabulary.ts';
import { planOutput } from './plans.ts';

const brands = Object.keys(cardBrands) as [CardBrand, ...CardBrand[]];

/** The bank account or card that the tenant pays with. */
export const paymentMethodOutput = z.object({
  id: z.string(),
  type: z.enum(paymentMethodTypes),
  brand: z.enum(brands).nullable().describe('Null for a bank account.'),
  last4: z.string(),
  expires: z
    .string()
    .nullable()
    .describe(
      'The last month of a card, `YYYY-MM`. Null for a bank account, and for a card added before it was stored.',
    ),
  label: z.string().describe('The payment method in English, for display.'),
});
export type PaymentMethodOutput = z.infer<typeof paymentMethodOutput>;

/**
 * All amounts of a plan, computed by the server in one place. In total and for each installment:
 * agreed = credited + canceled + paid + left.
 */
export const planAmounts = z.object({
  agreed_in_cents: cents.describe('Total of payments, as agreed: principal and fee.'),
  credited_in_cents: cents.describe('Credits that reduced the debt.'),
  waived_in_cents: cents
    .default(0)
    .describe(
      'The part of `credited_in_cents` that is our waiver of the fee. The rest is from the landlord.',
    ),
  canceled_in_cents: cents.describe('The part that is not charged because the plan was canceled.'),
  paid_in_cents: cents,
  left_in_cents: cents,
  late_in_cents: cents.describe('The part of `left_in_cents` that is overdue.'),
  refunded_in_cents: cents.describe('Refunded to the tenant’s account or card.'),
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

/** The actions that the tenant can take on a plan, and its history. `plan` has its amounts. */
export const planManagement = z.object({
  autopay: z.boolean(),
  collections_paused: z
    .boolean()
    .default(false)
    .describe('The operator has paused automatic collections: `autopay` takes nothing meanwhile.'),
  payment_method: paymentMethodOutput,
  card_ends_before: isoDate
    .nullable()
    .describe('The day of the last open payment, if the card expires before it.'),
  method_refusal: z
    .object({ return_code: z.string(), is_final: z.boolean() })
    .nullable()
    .describe(
      'Why the latest payment from `payment_method` failed; null if it did not. If `is_final`, a retry cannot succeed.',
    ),
  shares_lease: z
    .boolean()
    .describe(
      'True if someone else was billed for the same month of the lease when the plan was accepted.',
    ),
  amounts: planAmounts,
  may_cancel: z.boolean().describe('True only before the first payment has succeeded.'),
  installments: z.array(
    z.object({
      id: z.string(),
      paid_on: isoDate.nullable(),
      may_pay: z.boolean(),
      part_payment: z
        .object({ least_in_cents: cents, most_in_cents: cents })
        .nullable()
        .default(null)
        .describe('How little and how much may be paid of it. Null if it must be paid in full.'),
      reschedule_days: z
        .array(isoDate)
        .describe('The days to which it can be moved; empty if it cannot be moved.'),
      failure: z
        .object({
          return_code: z.string(),
          message: z.string(),
          taken_back: z
            .boolean()
            .describe('True if the payment had succeeded and was reversed later.'),
        })
        .nullable(),
      next_attempt_on: isoDate
        .nullable()
        .describe('The day of the next automatic attempt; null without autopay.'),
    }),
  ),
  history: z
    .array(
      z.object({
        at: instant,
        on: isoDate.describe('The date of `at` in the time zone of the home.'),
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
          'fee_waived',
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
      amount_in_cents: cents.describe('The part that paid the plan.'),
      returned_in_cents: cents.describe(
        'The part that was returned, because it was no longer owed.',
      ),
      method: z.string().describe('The label of `payment_method`.'),
      payment_method: paymentMethodOutput,
    }),
  ),
  agreement: z
    .object({ accepted_at: instant, sha256: z.string(), text: z.string(), locale })
    .describe('The text that the tenant agreed to, in the language in which they read it.'),
});
export type PlanManagement = z.infer<typeof planManagement>;

/** A plan that has ended. */
export const pastPlan = z.object({
  id: z.string(),
  state: z.enum(planStates).extract(['completed', 'canceled', 'charged_off']),
  rent_cycle_date: isoDate,
  amount_financed_in_cents: cents,
  total_of_payments_in_cents: cents.describe('As agreed.'),
  amounts: planAmounts,
  installment_count: z.int(),
});

/** One plan of the tenant, open or ended. */
export const ownPlanOutput = z.object({ plan: planOutput, management: planManagement });
export type OwnPlanOutput = z.infer<typeof ownPlanOutput>;

/** Installments are charged one at a time, in this order, until one fails. */
export const payInput = z.strictObject({
  installment_ids: z.array(z.string().min(1).max(100)).min(1).max(12),
  part: z
    .strictObject({
      amount_in_cents: z.int().min(1).max(largestAmountInCents),
      of_in_cents: z
        .int()
        .describe(
          'The amount still owed for the installment, as the tenant saw it. If it has changed, nothing is charged: a second window cannot pay the part again.',
        ),
    })
    .optional()
    .describe('Pays only a part of the one installment in `installment_ids`.'),
});
export type PayInput = z.infer<typeof payInput>;
export const rescheduleInput = z.strictObject({
  installment_id: z.string().min(1).max(100),
  due_date: dateInput,
  reason: z
    .enum(rescheduleReasons)
    .optional()
    .describe('Why the tenant moves it, if the tenant says so.'),
});
export const autopayInput = z.strictObject({ enabled: z.boolean() });
