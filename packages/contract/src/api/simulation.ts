import { z } from 'zod';
import { field, named } from '../describe-schema.ts';
import { type FailureCode, failureCodes } from '../payment-failures.ts';
import { dateInput, externalId, instant, instantInput, isoDate } from '../primitives.ts';
import { warning } from './portal-info.ts';

export const underwritingResults = ['WILL_BE_APPROVED', 'WILL_BE_DECLINED'] as const;
export const underwritingResult = named(
  'UnderwritingResult',
  'The decision that the tenant’s next application gets.',
  z.enum(underwritingResults),
  'WILL_BE_APPROVED',
);
export type UnderwritingResult = z.infer<typeof underwritingResult>;

export const declineReasons = [
  'income_too_low',
  'account_too_new',
  'past_plan_unpaid',
  'unable_to_verify',
] as const;
export const declineReason = z.enum(declineReasons);
export type DeclineReason = z.infer<typeof declineReason>;

export const setUnderwritingResultInput = named(
  'UnderwritingResultInput',
  'The decision to simulate.',
  z.strictObject({
    underwriting_result: underwritingResult,
    rent_cycle_date: field(
      dateInput.optional(),
      'Also moves the tenant’s clock, to noon of this due date.',
      '2026-02-01',
    ),
    decline_reasons: field(
      z.array(declineReason).min(1).max(4).optional(),
      'The reasons in the notice that a declined tenant gets.',
      ['income_too_low'],
    ),
  }),
);

/** Deprecated: result and date in one call. */
export const setFlowInput = named(
  'FlowInput',
  'The decision to simulate, and the due date to move to.',
  z.strictObject({
    rent_cycle_date: field(
      dateInput,
      'The due date that the tenant’s clock is moved to.',
      '2026-02-01',
    ),
    flow: underwritingResult,
  }),
);

const codes = Object.keys(failureCodes) as [FailureCode, ...FailureCode[]];

const longestAdvanceDays = 400;

/** Exactly one of the two: the new time, or a duration to advance by (`P3D`, `P1M`, `PT12H`). */
export const advanceClockInput = named(
  'ClockAdvance',
  'Exactly one of the two: the new time, or a duration to advance by.',
  z
    .strictObject({
      to: field(
        instantInput.optional(),
        `The new time of the tenant’s clock, at most ${longestAdvanceDays} days ahead.`,
        '2026-02-09T18:00:00Z',
      ),
      by: field(
        z
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
        `An ISO 8601 duration such as \`P3D\`, \`P1M\` or \`PT12H\`, at most ${longestAdvanceDays} days.`,
        'P3D',
      ),
    })
    .refine(({ to, by }) => (to === undefined) !== (by === undefined), {
      path: ['to'],
      error: `pass either "to" (a time) or "by" (a duration), at most ${longestAdvanceDays} days ahead`,
    }),
  { by: 'P3D' },
);
export type AdvanceClockInput = z.infer<typeof advanceClockInput>;
export { longestAdvanceDays };

export const failNextPaymentInput = named(
  'PaymentFailureInput',
  'How the tenant’s next payment fails.',
  z.strictObject({
    return_code: field(
      z.enum(codes).default('R01'),
      'A bank’s return code or a card’s decline code. If the tenant pays with the other kind, the matching code of that kind is used.',
      'R01',
    ),
  }),
);

export const simulationOutput = named(
  'Simulation',
  'The tenant’s clock and the results that you have fixed.',
  z.object({
    external_id: externalId,
    underwriting_result: field(
      underwritingResult.nullable(),
      'The decision that the next application gets. Null: the sandbox decides by its rules.',
    ),
    simulated_time: field(
      instant.nullable(),
      'The tenant’s clock. Null while it runs with real time.',
      '2026-01-31T18:00:00.000Z',
    ),
    rent_cycle_date: field(
      isoDate.nullable(),
      'The due date of the month that is due. Null if nothing is due.',
      '2026-02-01',
    ),
    pending_payment_failures: field(
      z.array(z.string()),
      'The codes with which the next payments fail, in order.',
      ['R01'],
    ),
    warnings: field(z.array(warning), 'What is probably a mistake in the request.', []),
  }),
);
export type SimulationOutput = z.infer<typeof simulationOutput>;
