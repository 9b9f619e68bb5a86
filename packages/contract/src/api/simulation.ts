import { z } from 'zod';
import { type FailureCode, failureCodes } from '../payment-failures.ts';
import { dateInput, externalId, instant, instantInput, isoDate } from '../primitives.ts';
import { warning } from './portal-info.ts';

export const underwritingResults = ['WILL_BE_APPROVED', 'WILL_BE_DECLINED'] as const;
export const underwritingResult = z.enum(underwritingResults);
export type UnderwritingResult = z.infer<typeof underwritingResult>;

export const declineReasons = [
  'income_too_low',
  'account_too_new',
  'past_plan_unpaid',
  'unable_to_verify',
] as const;
export const declineReason = z.enum(declineReasons);
export type DeclineReason = z.infer<typeof declineReason>;

export const setUnderwritingResultInput = z.strictObject({
  underwriting_result: underwritingResult,
  rent_cycle_date: dateInput.optional(),
  decline_reasons: z.array(declineReason).min(1).max(4).optional(),
});

/** Deprecated: result and date in one call. */
export const setFlowInput = z.strictObject({
  rent_cycle_date: dateInput,
  flow: underwritingResult,
});

const codes = Object.keys(failureCodes) as [FailureCode, ...FailureCode[]];

const longestAdvanceDays = 400;

/** Exactly one of the two: the new time, or a duration to advance by (`P3D`, `P1M`, `PT12H`). */
export const advanceClockInput = z
  .strictObject({
    to: instantInput.optional(),
    by: z
      .string()
      .max(40)
      // Limits the digits to those that 400 days can have, so that no sum is out of range.
      .regex(
        /^P(?=.)(\d{1,4}Y)?(\d{1,4}M)?(\d{1,4}W)?(\d{1,4}D)?(T(?=\d)(\d{1,8}H)?(\d{1,8}M)?(\d{1,8}S)?)?$/,
        {
          error: `must be an ISO 8601 duration such as P3D, P1M or PT12H, at most ${longestAdvanceDays} days`,
        },
      )
      .optional(),
  })
  .refine(({ to, by }) => (to === undefined) !== (by === undefined), {
    path: ['to'],
    error: `pass either "to" (a time) or "by" (a duration), at most ${longestAdvanceDays} days ahead`,
  });
export type AdvanceClockInput = z.infer<typeof advanceClockInput>;
export { longestAdvanceDays };

export const failNextPaymentInput = z.strictObject({
  return_code: z
    .enum(codes)
    .default('R01')
    .describe(
      'A bank’s return code or a card’s decline code. If the tenant pays with the other kind, the matching code of that kind is used.',
    ),
});

export const simulationOutput = z.object({
  external_id: externalId,
  underwriting_result: underwritingResult.nullable(),
  simulated_time: instant.nullable(),
  rent_cycle_date: isoDate.nullable(),
  pending_payment_failures: z.array(z.string()),
  warnings: z.array(warning),
});
export type SimulationOutput = z.infer<typeof simulationOutput>;
