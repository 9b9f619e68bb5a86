import type { PaymentMethodType, SettlementStatus } from '@svc/contract';
import { concludeReview, findReview, holdReview } from '../applications/review.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import {
  acceptPlan,
  addPaymentMethod,
  payInstallments,
  submitApplication,
} from '../intake/experience-commands.ts';
import { recordPortalInfo } from '../intake/record-portal-info.ts';
import { chooseElectronicRecords, electronicRecordsConsents } from '../mail/electronic-records.ts';
import { listQuotes } from '../offers/list-quotes.ts';
import { workHour } from '../partners/operating-hours.ts';
import { isOpen, type LivePlan } from '../plans/live-plan.ts';
import { waitForSent } from '../plans/send-calls.ts';
import { refundSettlement } from '../refunds/refund.ts';
import { Refusal } from '../refusal.ts';
import { updateSettlement } from '../settlements/update.ts';
import { setPaymentFailures } from '../simulation/advance-clock.ts';
import { runDueUntil } from '../simulation/run-due-until.ts';
import { clearUnderwritingResult, simulateResult } from '../simulation/set-underwriting-result.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { addDays, addMonth, hourOf, localDate, monthOf } from '../tenants/calendar.ts';
import { openPersonal } from '../tenants/personal-data.ts';
import type { TenantTime } from '../tenants/time.ts';
import { passToNextReport, passUntil } from './clock.ts';
import { asTenant, keyOf, notReachable, type Scene, tenantOf } from './scene.ts';
import { readSituation, type Situation, type Stage } from './situation.ts';
import {
  applicationAt,
  inventReport,
  paysAsAsked,
  reportOfEndedLease,
  testInstrument,
} from './test-tenant.ts';

/**
 * One step towards a scenario. It runs the same commands as the tenant's clicks and the partner's calls, so
 * it locks nothing and posts nothing itself.
 */
export interface Step {
  /** Set if the step pays from a test account or decides a payment, which only the simulator allows. */
  readonly needsSimulator?: true;
  /** Returns whether the tenant has passed this step, so that a repeated call skips it. */
  isDone(now: Situation, scene: Scene): boolean;
  /** @throws Refusal `scenario_not_reachable` before it has any effect, if it can't be taken */
  run(scene: Scene, now: Situation): Promise<void>;
}

/** The portal reports a new tenant, and the clock is set to the due date of the rent. */
export const report: Step = {
  isDone: ({ stage }) => stage !== 'unknown',
  async run(scene, now) {
    const { steps, externalId } = scene;
    const today = localDate(now.at, now.tenant?.timeZone ?? 'UTC');
    const dueDate = now.cycleDate ?? addMonth(`${monthOf(today)}-01`);
    await simulate(scene, dueDate);
    await steps.step((ctx) =>
      recordPortalInfo(ctx, {
        external_id: externalId,
        input: inventReport(dueDate, scene.input.product_variant ?? 'rent'),
        dry_run: false,
      }),
    );
  },
};

/** Moves the clock to the due date of the tenant's charges, on which they can be split. */
export const openWindow: Step = {
  isDone: ({ stage }) => stage !== 'outside_window',
  run: (scene, { cycleDate }) => simulate(scene, cycleDate ?? undefined),
};

/** The tenant applies. The decision waits for an account or card. */
export const applyAndWait: Step = {
  isDone: ({ stage }) => isPast(stage, 'ready'),
  async run(scene, now) {
    requireUnblocked(scene, now);
    if (now.method) {
      throw notReachable(
        scene,
        'has added an account or card before, so an application is decided at once',
        'Use another external id.',
      );
    }
    if (await changesResult(scene, now, 'WILL_BE_APPROVED')) return;
    await apply(scene, now, { decisionNeedsAccount: true });
  },
};

/** The tenant applies, and a person reviews the application. */
export const applyForReview: Step = {
  isDone: ({ stage }) => isPast(stage, 'applied'),
  async run(scene, now) {
    requireUnblocked(scene, now);
    const { steps } = scene;
    const key = keyOf(now);
    await steps.step((ctx) => clearUnderwritingResult(ctx, key));
    const program = { decidesOutside: true, decisionNeedsAccount: false };
    if (now.stage === 'applied') await addAccount(scene, now, 'bank_account', program);
    else await apply(scene, now, program);
    await steps.step(async (ctx) => {
      const { application: reviewed } =
        (await loadTenantSnapshot(ctx.tx, key, { lock: true })) ?? {};
      if (!reviewed) return;
      // The scenario is the person who decides, so a decision service that is set up is not asked.
      await holdReview(ctx, { ...key, applicationId: reviewed.id });
    });
  },
};

/** The tenant applies if needed, and is approved. */
export const approve: Step = {
  isDone: ({ stage }) => stage === 'approved' || stage === 'plan',
  run: (scene, now) => decideApplication(scene, now, 'approved'),
};

/** The tenant applies if needed, and is declined. */
export const decline: Step = {
  isDone: ({ stage }) => stage === 'declined' || stage === 'plan',
  run: (scene, now) => decideApplication(scene, now, 'declined'),
};

/** The tenant adds an account or card, unless there is one of the requested kind. */
export const addMethod: Step = {
  needsSimulator: true,
  isDone({ plan, method }, { input }) {
    if (plan && plan.state !== 'active' && plan.state !== 'past_due') return true;
    return paysAsAsked(plan?.method ?? method, input.payment_method);
  },
  run: (scene, now) => addAccount(scene, now, scene.input.payment_method ?? 'bank_account'),
};

/** The tenant accepts a plan, and the first payment succeeds. */
export const accept: Step = {
  needsSimulator: true,
  isDone: ({ stage }) => stage === 'plan',
  async run(scene, now) {
    const failure = await acceptQuote(scene, now, []);
    if (failure === null) return;
    throw notReachable(
      scene,
      `accepted a plan, but the first payment failed (${failure})`,
      'Pass "payment_method" to pay from an account or card of the sandbox that works.',
    );
  },
};

/** The tenant accepts a plan, and the bank refuses the first payment. */
export const acceptWithFailure: Step = {
  needsSimulator: true,
  isDone: ({ stage, failedPlanId }) => stage === 'plan' || failedPlanId !== null,
  async run(scene, now) {
    await acceptQuote(scene, now, [failureCode(scene)]);
  },
};

/** Waits for a first payment that another request is taking, or was taking when it was lost. */
export const awaitFirstOutcome: Step = {
  isDone: ({ plan }) => plan?.state !== 'created',
  async run(scene, now) {
    if (!(await hasFirstOutcome(scene, now))) throw waitsForFirstPayment(scene);
  },
};

/** Moves the clock to the day on which a slow bank reports the outcome of the first payment. */
export const awaitFirstPayment: Step = {
  isDone: ({ plan }) => plan?.state !== 'created',
  async run(scene, now) {
    // If another request is making the payment, its outcome arrives without moving the clock.
    if (await hasFirstOutcome(scene, now)) return;
    await setFailures(scene, now, []);
    if (!(await passToNextReport(scene, now))) throw waitsForFirstPayment(scene);
  },
};

async function hasFirstOutcome({ steps, externalId }: Scene, now: Situation): Promise<boolean> {
  await waitForSent(steps, keyOf(now));
  const { plan } = await steps.step((ctx) => readSituation(ctx, externalId));
  return plan?.state !== 'created';
}

function waitsForFirstPayment(scene: Scene): Refusal {
  const why = 'waits for the outcome of the first payment';
  return notReachable(scene, why, 'Repeat the call later.');
}

/** The partner's debit arrives. */
export const settle: Step = {
  isDone: ({ settlement }) => settlement?.status === 'verified',
  async run(scene, { settlement }) {
    const { steps } = scene;
    if (!settlement) throw notReachable(scene, 'has a plan without a settlement');
    const { id, status } = settlement;
    if (status === 'failed' || status === 'returned') {
      throw notReachable(scene, `has a settlement that is ${status}`);
    }
    const reports: SettlementStatus[] =
      status === 'unsettled' ? ['unverified', 'verified'] : ['verified'];
    for (const reported of reports) {
      await steps.step((ctx) =>
        updateSettlement(ctx, {
          id,
          input: {
            status: reported as 'verified',
            ...(settlement.processor_transaction_id === null
              ? { processor_transaction_id: `scenario-${id}` }
              : {}),
          },
        }),
      );
    }
  },
};

/** The day of the next payment comes, and the bank refuses it. */
export const failNextInstallment: Step = {
  needsSimulator: true,
  isDone: ({ plan }) => plan?.state !== 'active' || plan.parts.some(isLatePart),
  async run(scene, now) {
    if (now.plan?.autopay === false) {
      throw notReachable(scene, 'has turned autopay off, so no payment is collected');
    }
    await setFailures(scene, now, [failureCode(scene)]);
    await passUntil(scene, now, ({ parts }) => parts.some(isLatePart));
    await setFailures(scene, now, []);
  },
};

/** Every further payment fails, until one is 30 days late. */
export const fallBehind: Step = {
  needsSimulator: true,
  isDone: ({ plan }) => plan?.state !== 'active',
  run: (scene, now) => stopPaying(scene, now, ({ state }) => state !== 'active'),
};

/** Nothing is paid until a payment is 120 days late. */
export const chargeOff: Step = {
  needsSimulator: true,
  isDone: ({ plan }) => plan?.state !== 'past_due',
  run: (scene, now) => stopPaying(scene, now, ({ state }) => state !== 'past_due'),
};

/** Each payment is collected on its day. Then the tenant pays what is late. */
export const payOff: Step = {
  isDone: ({ plan }) => plan?.state !== 'active' && plan?.state !== 'past_due',
  async run(scene, now) {
    await setFailures(scene, now, []);
    if (now.plan?.parts.some(isCollected(now.plan))) {
      await passUntil(scene, now, (plan) => !plan.parts.some(isCollected(plan)));
      return;
    }
    const { plan } = now;
    if (!plan) return;
    const installment_ids = plan.parts.filter(isOpen).map(({ id }) => id);
    const { failure } = await payInstallments(asTenant(scene, now), {
      id: plan.id,
      input: { installment_ids },
    });
    if (!failure) return;
    throw notReachable(
      scene,
      `could not pay what is late (${failure.code})`,
      'Pass "payment_method" to pay from an account or card of the sandbox that works.',
    );
  },
};

/** The partner sends the whole settlement back. */
export const refund: Step = {
  isDone: ({ settlement }) =>
    settlement !== null && settlement.refunded_in_cents >= settlement.amount_in_cents,
  async run(scene, { settlement, ...now }) {
    const { steps } = scene;
    if (!settlement) throw notReachable(scene, 'has a plan without a settlement');
    const { id, amount_in_cents, refunded_in_cents } = settlement;
    await steps.step((ctx) =>
      refundSettlement(ctx, {
        id,
        input: {
          amount_in_cents: amount_in_cents - refunded_in_cents,
          reason: 'The landlord credited the tenant',
        },
      }),
    );
    // Makes the calls to the processor that pay the tenant back.
    await runDueUntil(steps, keyOf({ settlement, ...now }), now.at);
  },
};

/** Days until the bank or card network reports a reversal. */
const reversedAfterDays = 3;

/** The bank returns the newest payment, or the card network charges it back. */
export const dispute: Step = {
  needsSimulator: true,
  isDone: ({ isDisputed }) => isDisputed,
  async run(scene, now) {
    const { steps, input } = scene;
    const key = keyOf(now);
    const { reversible, at, plan } = now;
    if (!reversible || plan?.state === 'charged_off') {
      throw notReachable(scene, 'has no payment that can still be reversed');
    }
    const { timeZone } = tenantOf(now);
    const day = nextBankingDay(addDays(localDate(at, timeZone), reversedAfterDays));
    const code = input.failure_code;
    const bankReturnCode = code === undefined || code === 'charged_back' ? 'R10' : code;
    const reversedAt = await steps.step(({ tx, service }) =>
      simulatorOf(service).planReturn(tx, {
        tenant: key,
        key: reversible.id,
        returnCode: reversible.type === 'card' ? 'charged_back' : bankReturnCode,
        at: hourOf(day, workHour, timeZone) as TenantTime,
      }),
    );
    await setFailures(scene, now, []);
    await runDueUntil(steps, key, reversedAt);
  },
};

/** The portal reports that the lease ended yesterday. */
export const endLease: Step = {
  isDone: ({ hasMovedOut }) => hasMovedOut,
  async run({ steps, externalId }, now) {
    const { timeZone } = tenantOf(now);
    const yesterday = addDays(localDate(now.at, timeZone), -1);
    await steps.step(async (ctx) => {
      const known = await loadTenantSnapshot(ctx.tx, keyOf(now), { lock: true });
      if (!known) throw new Refusal('tenant_not_found');
      const { tenant, charges } = known;
      const personal = openPersonal(ctx.service.vault, tenant.id, tenant.personal);
      if (!personal) throw new Refusal('tenant_not_found');
      const input = reportOfEndedLease({ tenant, charges, personal }, yesterday);
      await recordPortalInfo(ctx, { external_id: externalId, input, dry_run: false });
    });
  },
};

const stageOrder: readonly Stage[] = [
  'ready',
  'applied',
  'in_review',
  'approved',
  'declined',
  'plan',
];

/** Returns whether `stage` comes after `than`. */
function isPast(stage: Stage, than: Stage): boolean {
  return stageOrder.indexOf(stage) > stageOrder.indexOf(than);
}

/** Fixes the underwriting result that the scenario needs and, with a date, the tenant's clock. */
async function simulate({ steps, externalId, input }: Scene, date?: string): Promise<void> {
  const declines = input.scenario === 'declined';
  await simulateResult(steps, {
    external_id: externalId,
    input: {
      underwriting_result: declines ? 'WILL_BE_DECLINED' : 'WILL_BE_APPROVED',
      rent_cycle_date: date,
    },
  });
}

/**
 * Fixes another underwriting result. That withdraws an application, so the caller returns, and the
 * step runs again from there. Returns false if the result is fixed already.
 */
async function changesResult(
  scene: Scene,
  now: Situation,
  result: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED',
): Promise<boolean> {
  if (tenantOf(now).underwritingResult === result) return false;
  await simulate(scene);
  return true;
}

async function decideApplication(
  scene: Scene,
  now: Situation,
  outcome: 'approved' | 'declined',
): Promise<void> {
  requireUnblocked(scene, now);
  if (now.stage === 'in_review') return answerReview(scene, now, outcome);
  const result = outcome === 'approved' ? 'WILL_BE_APPROVED' : 'WILL_BE_DECLINED';
  if (await changesResult(scene, now, result)) return;
  if (now.stage === 'applied') return addAccount(scene, now, 'bank_account');
  return apply(scene, now);
}

/** The tenant agrees to notices by email, and sends the application. */
async function apply(
  scene: Scene,
  now: Situation,
  program?: Parameters<typeof asTenant>[2],
): Promise<void> {
  await asTenant(scene, now, program).step(async (ctx) => {
    const [consent] = electronicRecordsConsents(ctx.service.creditor);
    await chooseElectronicRecords(ctx, ctx.actor, consent?.sha256 ?? null);
    return submitApplication(ctx, applicationAt(now));
  });
}

async function addAccount(
  scene: Scene,
  now: Situation,
  type: PaymentMethodType,
  program?: Parameters<typeof asTenant>[2],
): Promise<void> {
  simulatorOf(scene.steps.service);
  await addPaymentMethod(asTenant(scene, now, program), testInstrument(type, now));
}

/** Cents. More than any maximum, because the decision is limited to the terms' maximum anyway. */
const mostApproved = 1_000_000_00;

/** Answers the review in place of the person who would do it. */
async function answerReview(
  { steps }: Scene,
  now: Situation,
  outcome: 'approved' | 'declined',
): Promise<void> {
  const { partnerId } = keyOf(now);
  const applicationId = now.application?.id ?? '';
  await steps.step(async (ctx) => {
    const review = await findReview(ctx, { partnerId, applicationId });
    if (!review) throw new Refusal('step_not_allowed');
    const policy_version = 'scenario';
    await concludeReview(
      ctx,
      review,
      outcome === 'approved'
        ? { outcome, policy_version, approved_amount_in_cents: mostApproved }
        : { outcome, policy_version, reasons: ['unable_to_verify'] },
    );
  });
}

/** Accepts the plan with the number of payments asked for. Returns the code of a failed first payment. */
async function acceptQuote(
  scene: Scene,
  now: Situation,
  failures: readonly string[],
): Promise<string | null> {
  const tenant = asTenant(scene, now);
  simulatorOf(scene.steps.service);
  const { items } = await tenant.step((ctx) => listQuotes(ctx));
  const counts = items.map((it) => it.installments.length);
  const wanted = scene.input.installment_count ?? Math.max(...counts);
  const quote = items.find((it) => it.installments.length === wanted);
  if (!quote?.disclosure) {
    throw notReachable(
      scene,
      `is offered plans of ${counts.join(', ')} payments, not of ${wanted}`,
      'Pass another "installment_count", or leave it out.',
    );
  }
  await setFailures(scene, now, failures);
  const { failure } = await acceptPlan(tenant, {
    input: { quote_id: quote.id, accepted_disclosure_sha256: quote.disclosure.sha256 },
    ...scene.caller,
  });
  return failure?.code.split(':')[1] ?? null;
}

// The most that `pending_payment_failures` holds; three installments with two retries each need nine.
const mostFailures = 20;

async function stopPaying(
  scene: Scene,
  now: Situation,
  isAsWanted: (plan: LivePlan) => boolean,
): Promise<void> {
  await setFailures(scene, now, Array<string>(mostFailures).fill(failureCode(scene)));
  await passUntil(scene, now, isAsWanted);
  await setFailures(scene, now, []);
}

/** Also replaces failures from `fail_next_payment`, because the scenario decides which payments fail. */
async function setFailures(
  { steps }: Scene,
  now: Situation,
  codes: readonly string[],
): Promise<void> {
  await steps.step((ctx) => setPaymentFailures(ctx, keyOf(now), codes));
}

function failureCode({ input }: Scene): string {
  return input.failure_code ?? 'R01';
}

function isLatePart({ state }: LivePlan['parts'][number]): boolean {
  return state === 'failed' || state === 'overdue';
}

/** Returns a predicate that is true for a payment that will be collected without the tenant, now or later. */
function isCollected({ autopay }: LivePlan) {
  return ({ state, nextAttemptMs }: LivePlan['parts'][number]): boolean =>
    autopay && (state === 'scheduled' || (state === 'failed' && nextAttemptMs !== null));
}

function requireUnblocked(scene: Scene, { stage, eligibility, tenant }: Situation): void {
  if (stage !== 'blocked') return;
  const reason = eligibility?.reason ?? 'nothing_due';
  const why = obstacles[reason] ?? `can’t split (${reason})`;
  const resets = tenant?.simulatedCycleDate !== null && reason === 'nothing_due';
  throw resets
    ? notReachable(scene, why)
    : notReachable(
        scene,
        why,
        'Report it in portal_info and repeat the call, or use another external id.',
      );
}

const obstacles: Record<string, string> = {
  nothing_due: 'owes nothing: no charge is unpaid',
  past_due_balance: 'has an unpaid charge of an earlier month',
  security_deposit_open: 'has an unpaid security deposit',
  late_fee_open: 'has an unpaid late fee',
  payments_disabled: 'must not pay online: lease.payments_enabled is false',
  amount_above_cap: 'owes more than can be split',
  amount_below_minimum: 'owes less than can be split',
  not_monthly: 'has no monthly dues in this cycle',
  lease_ended: 'has moved out: the lease has ended',
  payments_unavailable: 'can’t pay: this service has no payment processor',
  state_unknown: 'has no home in a known state: report lease.property.state',
  not_offered_in_state: 'lives in a state where the operator does not offer this',
  cost_above_limit: 'lives in a state whose limits on cost allow no split of this amount',
};

/** @throws Refusal `simulation_not_possible` */
export function simulatorOf({ simulator, processor }: Scene['steps']['service']) {
  if (simulator) return simulator;
  throw new Refusal('simulation_not_possible', {
    message: `Payments of this sandbox are made by ${processor?.name ?? 'no processor'}, so a scenario can’t pay for the tenant. Scenarios without a plan work, and others for a tenant who has one.`,
  });
}
