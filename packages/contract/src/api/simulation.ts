import { z } from 'zod';
import { exampleIds, extensible, field, logged, loggedField, named } from '../describe-schema.ts';
import { type ChargebackCode, type FailureCode, failureCodes } from '../payment-failures.ts';
import { applicationStates } from '../plan-states.ts';
import {
  cents,
  dateInput,
  externalId,
  instant,
  instantInput,
  isoDate,
  productVariant,
} from '../primitives.ts';
import { paymentMethodTypes } from '../vocabulary.ts';
import { planOutput } from './plans.ts';
import { eligibility, rentCycle, warning } from './portal-info.ts';
import { refundOutput, settlementOutput } from './settlements.ts';

export const underwritingResults = ['WILL_BE_APPROVED', 'WILL_BE_DECLINED'] as const;
export const underwritingResult = named(
  'UnderwritingResult',
  'The decision that the tenant’s next application gets.',
  logged(z.enum(underwritingResults)),
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
    rent_cycle_date: loggedField(
      dateInput.optional(),
      'Also moves the tenant’s clock, to noon of this due date.',
      '2026-02-01',
    ),
    decline_reasons: loggedField(
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
    rent_cycle_date: loggedField(
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
      to: loggedField(
        instantInput.optional(),
        `The new time of the tenant’s clock, at most ${longestAdvanceDays} days ahead.`,
        '2026-02-09T18:00:00Z',
      ),
      by: loggedField(
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
    return_code: loggedField(
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

interface ScenarioFacts {
  readonly about: string;
  /** True if the tenant accepts a plan, so that `installment_count` and `payment_method` apply. */
  readonly hasPlan: boolean;
  /** The kind of payment that fails, so that `failure_code` applies: a charge, or one that is reversed. */
  readonly fails: 'charge' | 'reversal' | null;
}

/** The points of a plan's life that a tenant can be taken to, in the order of that life. */
const scenarioFacts = {
  applied: {
    about: 'has applied, and adds an account or card before the decision',
    hasPlan: false,
    fails: null,
  },
  in_review: { about: 'has applied, and a person decides', hasPlan: false, fails: null },
  approved: { about: 'is approved and has no plan', hasPlan: false, fails: null },
  declined: { about: 'is declined', hasPlan: false, fails: null },
  first_payment_failed: {
    about:
      'accepted a plan whose first payment failed: the plan is canceled, and there is no settlement',
    hasPlan: true,
    fails: 'charge',
  },
  split: {
    about: 'has an active plan, and the settlement is `unsettled`: report your debit next',
    hasPlan: true,
    fails: null,
  },
  settled: { about: 'has a plan whose settlement is `verified`', hasPlan: true, fails: null },
  installment_failed: {
    about: 'has an active plan, and the next payment failed',
    hasPlan: true,
    fails: 'charge',
  },
  past_due: {
    about: 'has not paid for 30 days after a payment’s due date',
    hasPlan: true,
    fails: 'charge',
  },
  paid_off: { about: 'has paid all installments', hasPlan: true, fails: null },
  refunded: {
    about: 'has a plan whose settlement arrived and was sent back in full',
    hasPlan: true,
    fails: null,
  },
  disputed: {
    about: 'has a plan with a payment that the bank or card network reversed',
    hasPlan: true,
    fails: 'reversal',
  },
  charged_off: {
    about: 'has not paid for 120 days, and the plan is written off',
    hasPlan: true,
    fails: 'charge',
  },
  moved_out: {
    about: 'has moved out: the lease has ended. An open plan is paid off first',
    hasPlan: false,
    fails: null,
  },
} as const satisfies Record<string, ScenarioFacts>;

export type Scenario = keyof typeof scenarioFacts;
export const scenarios = Object.keys(scenarioFacts) as [Scenario, ...Scenario[]];

const scenarioCodes = [...codes, 'charged_back'] as [
  FailureCode | ChargebackCode,
  ...(FailureCode | ChargebackCode)[],
];

const scenarioRequest = z.strictObject({
  scenario: loggedField(
    z.enum(scenarios),
    `Where the tenant is afterwards. The tenant: ${scenarios
      .map((name) => `\`${name}\` ${scenarioFacts[name].about}`)
      .join('; ')}.`,
    'installment_failed',
  ),
  installment_count: loggedField(
    z.int().min(2).max(4).optional(),
    'Payments of the plan. Default: the most that are offered, usually 4.',
    4,
  ),
  payment_method: loggedField(
    z.enum(paymentMethodTypes).optional(),
    'Adds the sandbox’s account or card whose payments succeed. Default: the one that the tenant has, else a bank account.',
    'bank_account',
  ),
  failure_code: loggedField(
    z.enum(scenarioCodes).optional(),
    'Why the payment fails: a bank’s return code or a card’s decline code. Default: R01. For `disputed`, why it was reversed: a return code, default R10, or `charged_back`. If the tenant pays with the other kind, the matching code of that kind is used.',
    'R01',
  ),
  product_variant: loggedField(
    productVariant.optional(),
    'What the tenant pays, if the call creates the tenant. Default: rent.',
    'hoa',
  ),
});

export const scenarioInput = named(
  'ScenarioInput',
  'The point of a plan’s life to take the tenant to, and how.',
  scenarioRequest.superRefine(checkOptions),
);
export type ScenarioInput = z.infer<typeof scenarioInput>;

/** Refuses an option that the scenario would ignore. */
function checkOptions(input: z.output<typeof scenarioRequest>, context: z.RefinementCtx): void {
  const { hasPlan, fails }: ScenarioFacts = scenarioFacts[input.scenario];
  const refuse = (option: keyof ScenarioInput, message: string) =>
    context.addIssue({ code: 'custom', path: [option], message });
  for (const option of ['installment_count', 'payment_method'] as const) {
    if (input[option] === undefined || hasPlan) continue;
    refuse(option, `is only for scenarios with a plan, not for "${input.scenario}"`);
  }
  if (input.failure_code === undefined) return;
  const isReversal = input.failure_code === 'charged_back' || /^R\d\d$/.test(input.failure_code);
  if (fails === null) {
    const failing = scenarios.filter((name) => scenarioFacts[name].fails !== null);
    refuse('failure_code', `is only for scenarios in which a payment fails: ${failing.join(', ')}`);
  } else if (fails === 'charge' && input.failure_code === 'charged_back') {
    refuse('failure_code', 'must not be charged_back: only "disputed" reverses a payment');
  } else if (fails === 'reversal' && !isReversal) {
    refuse('failure_code', 'must be a bank’s return code such as R10, or charged_back');
  }
}

const scenarioTenant = named(
  'ScenarioTenant',
  'The tenant after a scenario.',
  z.object({
    external_id: externalId,
    product_variant: field(productVariant.nullable(), 'What the tenant pays.', 'rent'),
    rent_cycle: field(rentCycle.nullable(), 'The month that is due. Null if nothing is due.'),
    eligibility,
  }),
  {
    external_id: 't-100',
    product_variant: 'rent',
    rent_cycle: {
      due_date: '2026-02-01',
      opens_at: '2026-01-25T06:00:00.000Z',
      closes_at: '2026-02-11T06:00:00.000Z',
      is_open: true,
      amount_due_in_cents: 152012,
    },
    eligibility: { state: 'has_plan', reason: null },
  },
);

const scenarioApplication = named(
  'ScenarioApplication',
  'The newest application of a tenant.',
  z.object({
    id: field(z.string(), 'Id of the application.', exampleIds.application),
    state: field(
      extensible(z.enum(applicationStates)),
      'The state of the application. More states may be added.',
      'approved',
    ),
    rent_cycle_date: field(isoDate, 'The due date of the rent that is split.', '2026-02-01'),
    approved_amount_in_cents: field(
      cents.nullable(),
      'The largest balance that can be split, in cents. Null without an approval.',
      152012,
    ),
  }),
);

const scenarioClock = named(
  'ScenarioClock',
  'The tenant’s clock after a scenario.',
  z.object({
    simulated_time: field(
      instant.nullable(),
      'The tenant’s time. Null in real time.',
      '2026-02-01T18:00:00.000Z',
    ),
    rent_cycle_date: field(
      isoDate.nullable(),
      'The due date of the month that is due. Null if nothing is due.',
      '2026-02-01',
    ),
  }),
);

const scenarioEvent = named(
  'ScenarioMessage',
  'A webhook that a scenario published.',
  z.object({
    id: field(z.string(), 'Id of the message: its `webhook-id`.', exampleIds.message),
    type: field(z.string(), 'The event type.', 'plan.activated'),
  }),
);

const api = 'https://sandbox.svc.example/v1';
const scenarioLinks = named(
  'ScenarioLinks',
  'Addresses of the API, to read with your API key.',
  z.object({
    tenant: field(z.url(), 'The tenant.', `${api}/tenants/t-100`),
    plan: field(
      z.url().nullable(),
      'The plan. Null without one.',
      `${api}/plans/${exampleIds.plan}`,
    ),
    settlement: field(
      z.url().nullable(),
      'The settlement. Null without one.',
      `${api}/settlements/${exampleIds.settlement}`,
    ),
    messages: field(
      z.url(),
      'The webhooks about the tenant.',
      `${api}/webhooks/messages?external_id=t-100`,
    ),
    simulation: field(z.url(), 'The tenant’s simulation.', `${api}/simulation/t-100`),
  }),
);

export const scenarioOutput = named(
  'PlayedScenario',
  'Everything that the scenario left behind. A repeated call returns it again, with empty `events`.',
  z.object({
    scenario: field(extensible(z.enum(scenarios)), 'The scenario. More may be added.', 'split'),
    external_id: externalId,
    tenant: scenarioTenant,
    application: field(scenarioApplication.nullable(), 'The newest application. Null without one.'),
    plan: field(
      planOutput.nullable(),
      'The plan with its installments; after `first_payment_failed` the canceled one. Null without one.',
    ),
    settlement: field(settlementOutput.nullable(), 'The settlement of the plan. Null without one.'),
    refund: field(
      refundOutput.nullable(),
      'The newest refund of the settlement. Null without one.',
      null,
    ),
    clock: scenarioClock,
    events: field(z.array(scenarioEvent), 'The webhooks that this call published, in order.'),
    links: scenarioLinks,
  }),
);
export type ScenarioOutput = z.infer<typeof scenarioOutput>;
