import { type PaymentMethodInput, type ScenarioInput, testRoutingNumber } from '@svc/contract';
import type { Ctx, Service } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';
import {
  addPaymentMethod,
  cancelPlan,
  payInstallments,
  setAutopay,
} from '../../domain/intake/experience-commands.ts';
import { recordPortalInfo } from '../../domain/intake/record-portal-info.ts';
import { chooseElectronicRecords } from '../../domain/mail/electronic-records.ts';
import { type CallToMake, claimCalls } from '../../domain/payments/calls.ts';
import { paymentsOf } from '../../domain/payments/list-payments.ts';
import { type Outcome, processorId, type RefundRequest } from '../../domain/payments/processor.ts';
import { processorOf } from '../../domain/payments/processor-of.ts';
import { isOpen } from '../../domain/plans/live-plan.ts';
import { sendCalls } from '../../domain/plans/send-calls.ts';
import { playScenario } from '../../domain/scenarios/play-scenario.ts';
import { asTenant, keyOf, type Scene } from '../../domain/scenarios/scene.ts';
import { readSituation, type Situation } from '../../domain/scenarios/situation.ts';
import { accept } from '../../domain/scenarios/steps.ts';
import { returnSettlement } from '../../domain/settlements/return.ts';
import { updateSettlement } from '../../domain/settlements/update.ts';
import { setPaymentFailures } from '../../domain/simulation/advance-clock.ts';
import { runDueUntil } from '../../domain/simulation/run-due-until.ts';
import { setUnderwritingResult } from '../../domain/simulation/set-underwriting-result.ts';
import { addDays, noonOf } from '../../domain/tenants/calendar.ts';
import type { TenantTime } from '../../domain/tenants/time.ts';
import { paymentRefund } from '../commands/payment-refund.ts';
import { paymentReturn } from '../commands/payment-return.ts';
import { tenantErase } from '../commands/tenant-erase.ts';
import type { DemoStage } from './demo-stage.ts';
import type { Afterwards, DemoTenant } from './demo-tenants.ts';

/** Stored with the tenants' consents. */
const caller = { ip: '203.0.113.20', userAgent: 'Mozilla/5.0 (demo data)' };

/**
 * The number of days after which a plan is over. Its last payment is due within 30 days, and its bank answers the
 * next morning.
 */
const planDays = 33;

interface Played {
  readonly stage: DemoStage;
  readonly tenant: DemoTenant;
  readonly partner: PartnerActor;
}

/** Plays everything that happens to the tenant, and continues where an earlier call stopped. */
export async function playDemoTenant(
  stage: DemoStage,
  tenant: DemoTenant,
  partner: PartnerActor,
): Promise<void> {
  const { externalId } = tenant;
  if (stage.isDone(externalId)) return;
  const played = { stage, tenant, partner };
  for (const [index, { dueDate, scenarios }] of tenant.rents.entries()) {
    const rent = stepOf(tenant, `rent ${index + 1}`);
    const next = stepOf(tenant, `rent ${index + 2}`);
    await stage.onceAs(partner, rent, (ctx) => reportRent(ctx, tenant, dueDate));
    // Played only once, because a plan that is past its scenario would refuse it.
    if (!stage.isDone(`${rent} played`)) {
      for (const scenario of scenarios) await play(played, { scenario });
      await stage.once(`${rent} played`, async () => {});
    }
    const isLast = index + 1 === tenant.rents.length;
    if (isLast || stage.isDone(next)) continue;
    await passDays(played, noonOf(addDays(dueDate, planDays), 'UTC'));
  }
  for (const it of tenant.after) {
    if (stage.isDone(stepOf(tenant, it))) continue;
    await afterwards[it](played);
    await stage.once(stepOf(tenant, it), async () => {});
  }
  await stage.once(externalId, async () => {});
}

function stepOf({ externalId }: DemoTenant, step: string): string {
  return `${externalId} ${step}`;
}

/**
 * Reports a rent. A simulated tenant's clock is set first, because a new plan must begin on the day that the rent is
 * due.
 */
async function reportRent(
  ctx: Ctx<PartnerActor>,
  { externalId, isSimulated, report }: DemoTenant,
  dueDate: string,
): Promise<void> {
  const underwriting_result = 'WILL_BE_APPROVED' as const;
  if (isSimulated) {
    const input = { underwriting_result, rent_cycle_date: dueDate };
    await setUnderwritingResult(ctx, { external_id: externalId, input });
  }
  await recordPortalInfo(ctx, { external_id: externalId, input: report(dueDate), dry_run: false });
}

async function play(played: Played, input: ScenarioInput): Promise<void> {
  const { stage, tenant, partner } = played;
  const { externalId, account, pays } = tenant;
  const hasPlan = input.scenario !== 'approved' && input.scenario !== 'declined';
  if (account !== undefined && hasPlan) await addAccount(played, account);
  await playScenario(stage.stepsOf(partner), {
    external_id: externalId,
    input: {
      ...input,
      ...(pays !== undefined && account === undefined && { payment_method: pays }),
    },
    caller,
  });
}

/** Adds a sandbox account or card with a known outcome, once the tenant is approved and before there is a plan. */
async function addAccount(played: Played, number: string): Promise<void> {
  if ((await loadScene(played)).now.stage === 'plan') return;
  await play(
    { ...played, tenant: { ...played.tenant, account: undefined } },
    { scenario: 'approved' },
  );
  const { scene, now } = await loadScene(played);
  if (now.method?.last4 === number.slice(-4)) return;
  const year = now.at.getUTCFullYear() + 3;
  const method: PaymentMethodInput =
    number.length === 16
      ? { type: 'card', number, expires: `${year}-12`, cvc: '123' }
      : {
          type: 'bank_account',
          routing_number: testRoutingNumber,
          account_number: number,
          account_type: 'checking',
        };
  await addPaymentMethod(asTenant(scene, now), method);
}

async function loadScene({
  stage,
  tenant,
  partner,
}: Played): Promise<{ scene: Scene; now: Situation }> {
  const { externalId } = tenant;
  const steps = stage.stepsOf(partner);
  const now = await steps.step((ctx) => readSituation(ctx, externalId));
  return { scene: { steps, externalId, input: { scenario: 'split' }, caller }, now };
}

/** Moves the tenant's clock to `until`, but not past the current time, and runs everything that falls due. */
async function passDays(played: Played, until?: Date): Promise<void> {
  const { scene, now } = await loadScene(played);
  const wall = scene.steps.now;
  const end = until !== undefined && until < wall ? until : wall;
  if (now.at < end) await runDueUntil(scene.steps, keyOf(now), end as TenantTime);
}

/**
 * The steps after the last scenario. Each can be repeated, because the process may have been killed before it
 * recorded that the step is done.
 */
const afterwards: Readonly<Record<Afterwards, (played: Played) => Promise<void>>> = {
  time_passes: (played) => passDays(played),
  async stops_paying(played) {
    const { scene, now } = await loadScene(played);
    const fail = (codes: readonly string[]) =>
      scene.steps.step((ctx) => setPaymentFailures(ctx, keyOf(now), codes));
    await fail(Array.from({ length: 20 }, () => 'R01'));
    await passDays(played);
    await fail([]);
  },
  async pays_what_is_late(played) {
    const { scene, now } = await loadScene(played);
    const { plan } = now;
    const installment_ids = plan?.parts.filter(isOpen).map(({ id }) => id) ?? [];
    if (!plan || installment_ids.length === 0) return;
    await payInstallments(asTenant(scene, now), { id: plan.id, input: { installment_ids } });
  },
  async waits_for_bank(played) {
    await addAccount(played, played.tenant.account ?? '');
    const { scene, now } = await loadScene(played);
    if (!accept.isDone(now, scene)) await accept.run(scene, now);
  },
  async cancels(played) {
    const { scene, now } = await loadScene(played);
    const { plan } = now;
    if (plan?.state !== 'created') return;
    await asTenant(scene, now).step((ctx) => cancelPlan(ctx, { id: plan.id }));
  },
  async chooses_paper(played) {
    const { scene, now } = await loadScene(played);
    const { plan } = now;
    if (!plan) return;
    // The law requires a notice when automatic payments are turned on.
    await asTenant(scene, now).step(async (ctx) => {
      await chooseElectronicRecords(ctx, ctx.actor, null);
      await setAutopay(ctx, { id: plan.id, input: { enabled: false } });
      await setAutopay(ctx, { id: plan.id, input: { enabled: true } });
    });
  },
  async turns_autopay_off(played) {
    const { scene, now } = await loadScene(played);
    const { plan } = now;
    if (!plan) return;
    await asTenant(scene, now).step((ctx) =>
      setAutopay(ctx, { id: plan.id, input: { enabled: false } }),
    );
  },
  debit_fails: (played) =>
    stepOnSettlement(played, 'debit_fails', async (ctx, id) => {
      const processor_transaction_id = `debit-${id.slice(-8)}`;
      await updateSettlement(ctx, {
        id,
        input: { status: 'unverified', processor_transaction_id },
      });
      await updateSettlement(ctx, { id, input: { status: 'failed', failure_reason: 'R02' } });
    }),
  debit_is_returned: (played) =>
    stepOnSettlement(played, 'debit_is_returned', (ctx, id) =>
      returnSettlement(ctx, { id, input: { reason: 'R10' } }),
    ),
  operator_refunds: (played) => stepOnNewestPayment(played, 'operator_refunds', refundHalf),
  async operator_refunds_in_vain(played) {
    const { scene, now } = await loadScene(played);
    let calls: CallToMake[] = [];
    // Claimed together with the refund, so that the service's own lane does not send it.
    await stepOnNewestPayment(played, 'operator_refunds_in_vain', async (ctx, payment) => {
      await refundHalf(ctx, payment);
      calls = await claimCalls(ctx, { limit: 1, tenant: keyOf(now) });
    });
    const { steps } = scene;
    await sendCalls({ ...steps, service: withRefusedRefunds(steps.service) }, calls);
  },
  operator_records_return: (played) =>
    stepOnNewestPayment(played, 'operator_records_return', (ctx, { payment_id }) =>
      paymentReturn.run(ctx, { payment_id, code: 'R07' }),
    ),
  is_erased: ({ stage, tenant }) =>
    stage.once(stepOf(tenant, 'is_erased'), (ctx) =>
      tenantErase.run(ctx, { pms: tenant.partner.pms, external_id: tenant.externalId }),
    ),
};

async function stepOnSettlement(
  played: Played,
  step: Afterwards,
  work: (ctx: Ctx<PartnerActor>, id: string) => Promise<unknown>,
): Promise<void> {
  const { stage, tenant, partner } = played;
  const { settlement } = (await loadScene(played)).now;
  if (!settlement) throw new Error(`the demo tenant ${tenant.externalId} has no settlement`);
  await stage.onceAs(partner, stepOf(tenant, step), (ctx) => work(ctx, settlement.id));
}

type WorkOnPayment = (
  ctx: Parameters<typeof paymentRefund.run>[0],
  payment: { readonly payment_id: string; readonly amount_in_cents: number },
) => Promise<unknown>;

const refundHalf: WorkOnPayment = (ctx, { payment_id, amount_in_cents }) =>
  paymentRefund.run(ctx, { payment_id, amount_in_cents: Math.round(amount_in_cents / 2) });

function withRefusedRefunds(service: Service): Service {
  const refund = async ({ key }: RefundRequest): Promise<Outcome> => ({
    state: 'failed',
    ref: processorId(key),
    returnCode: 'R02',
  });
  return { ...service, processor: { ...processorOf(service), refund } };
}

async function stepOnNewestPayment(
  played: Played,
  step: Afterwards,
  work: WorkOnPayment,
): Promise<void> {
  const { stage, tenant } = played;
  const { now } = await loadScene(played);
  await stage.once(stepOf(tenant, step), async (ctx) => {
    const { items } = await paymentsOf(ctx.tx, keyOf(now));
    const payment = items.find((it) => it.state === 'succeeded');
    if (!payment) throw new Error(`the demo tenant ${tenant.externalId} has paid nothing`);
    await work(ctx, payment);
  });
}
