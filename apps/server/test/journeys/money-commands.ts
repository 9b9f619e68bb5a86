import fc from 'fast-check';
import { ada, type Running } from '../harness.ts';
import { testAccount, testCard } from './play-tenant.ts';
import type { Partner, withPlan } from './with-plan.ts';

export interface Stage {
  /** If `administer` is missing, as for a service in another process, the operator's commands do nothing. */
  readonly svc: Pick<Running, 'call'> & Partial<Pick<Running, 'administer'>>;
  readonly partner: Partner;
}

type Tenant = Awaited<ReturnType<typeof withPlan>>;
export type TenantCommand = (tenant: Tenant, stage: Stage) => Promise<unknown>;

/** Methods that pay at once or on the next banking day, decline later, or are returned or disputed. */
export const methods: readonly object[] = [
  testAccount,
  { ...testAccount, account_number: '000111110003' },
  testCard,
  { ...testCard, number: '4000000000000341' },
  { ...testAccount, account_number: '000111110005' },
  { ...testCard, number: '4000000000002685' },
  { ...testCard, number: '4000000000005423' },
];

const installmentIndex = fc.integer({ min: 0, max: 3 });

const byTenant: fc.Arbitrary<[string, TenantCommand]> = fc.oneof(
  installmentIndex.map((at): [string, TenantCommand] => [
    `pay ${at}`,
    (it) => it.change('pay', { installment_ids: [it.plan.installments[at].id] }),
  ]),
  fc
    .tuple(installmentIndex, fc.integer({ min: 2_000, max: 30_000 }))
    .map(([at, amount_in_cents]): [string, TenantCommand] => [
      `pay ${amount_in_cents} of ${at}`,
      async (it) => {
        const { id } = it.plan.installments[at];
        const { data } = await it.ownPlan();
        const of_in_cents = data.management.amounts.installments[at].left_in_cents;
        await it.change('pay', { installment_ids: [id], part: { amount_in_cents, of_in_cents } });
      },
    ]),
  fc.constant<[string, TenantCommand]>([
    'pay all twice at once',
    (it) => {
      const installment_ids = it.plan.installments.map(({ id }: { id: string }) => id);
      const pay = () => it.change('pay', { installment_ids });
      return Promise.all([pay(), pay()]);
    },
  ]),
  fc.tuple(installmentIndex, fc.nat({ max: 30 })).map(([at, choice]): [string, TenantCommand] => [
    `move ${at} to the ${choice}th day`,
    async (it) => {
      const { management, plan } = (await it.state()).data;
      const days: string[] = management?.installments[at].reschedule_days ?? [];
      const due_date = days[choice % Math.max(days.length, 1)];
      if (!due_date) return;
      const installment_id = plan.installments[at].id;
      await it.change('reschedule', { installment_id, due_date, reason: 'other' });
    },
  ]),
  fc
    .boolean()
    .map((enabled): [string, TenantCommand] => [
      `autopay ${enabled}`,
      (it) => it.change('autopay', { enabled }),
    ]),
  fc
    .nat({ max: methods.length - 1 })
    .map((at): [string, TenantCommand] => [`method ${at}`, (it) => it.pay(methods[at])]),
  fc.constant<[string, TenantCommand]>(['cancel', (it) => it.change('cancel', {})]),
);

const byTime: fc.Arbitrary<[string, TenantCommand]> = fc.oneof(
  fc
    .constantFrom('R01', 'R02', 'R07', 'R09', 'insufficient_funds', 'expired_card')
    .map((return_code): [string, TenantCommand] => [
      `fail ${return_code}`,
      (it) => it.simulate('fail_next_payment', { return_code }),
    ]),
  fc
    .integer({ min: 1, max: 70 })
    .map((days): [string, TenantCommand] => [
      `${days} days`,
      (it) => it.simulate('advance_clock', { by: `P${days}D` }),
    ]),
  fc.constant<[string, TenantCommand]>(['reset', (it) => it.simulate('reset')]),
);

const byPartner: fc.Arbitrary<[string, TenantCommand]> = fc.oneof(
  fc
    .constantFrom('unverified', 'verified', 'failed')
    .map((status): [string, TenantCommand] => [
      `settlement ${status}`,
      (it, stage) => settle(it, stage, 'PATCH', '', { status }),
    ]),
  fc.constant<[string, TenantCommand]>([
    'settlement returned',
    (it, stage) => settle(it, stage, 'POST', '/return', {}),
  ]),
  fc
    .integer({ min: 1, max: 160_000 })
    .map((amount_in_cents): [string, TenantCommand] => [
      `refund ${amount_in_cents}`,
      (it, stage) => settle(it, stage, 'POST', '/refunds', { amount_in_cents }),
    ]),
  fc
    .integer({ min: 5_000, max: 200_000 })
    .map((amount_in_cents): [string, TenantCommand] => [
      `charge ${amount_in_cents}`,
      (it, stage) => reportTenant(it, stage, { charges: [{ ...ada.charges[0], amount_in_cents }] }),
    ]),
  fc.constant<[string, TenantCommand]>([
    'move out',
    (it, stage) => reportTenant(it, stage, { lease: { ...ada.lease, ends_on: '2026-02-10' } }),
  ]),
);

const anyCommand = fc.oneof(byTenant, byTime, byPartner);

/** Everything that a tenant, the portal and time can do to a plan. */
export const commands = anyCommand.map(named);

const byOperator: fc.Arbitrary<[string, TenantCommand]> = fc.oneof(
  fc
    .constantFrom('collections pause', 'collections resume')
    .map((command): [string, TenantCommand] => [
      command,
      async (it, { svc, partner: { pms } }) =>
        svc.administer?.({ command, pms, tenant: it.externalId }),
    ]),
  fc
    .integer({ min: 1, max: 3_000 })
    .map((amount_in_cents): [string, TenantCommand] => [
      `waive ${amount_in_cents}`,
      async (it, { svc }) =>
        svc.administer?.({ command: 'plan waive-fee', plan_id: it.plan.id, amount_in_cents }),
    ]),
  fc.constant<[string, TenantCommand]>([
    'plan cancel',
    async (it, { svc }) => svc.administer?.({ command: 'plan cancel', plan_id: it.plan.id }),
  ]),
);

/**
 * Like `commands`, but an operator also pauses collections, waives fees and cancels plans. About one command in ten
 * throws after its rows are written and before the commit.
 */
export function failingCommands({ service }: Pick<Running, 'service'>, onFailure: () => void) {
  const { publish } = service;
  const failing = anyCommand.map(([name, run]): [string, TenantCommand] => [
    `fails: ${name}`,
    async (it, stage) => {
      const fail: typeof publish = () => {
        onFailure();
        throw new Error('failed by the test');
      };
      Object.assign(service, { publish: fail });
      try {
        await run(it, stage);
      } finally {
        Object.assign(service, { publish });
      }
    },
  ]);
  return fc
    .oneof(
      { arbitrary: anyCommand, weight: 9 },
      { arbitrary: failing, weight: 1 },
      { arbitrary: byOperator, weight: 1 },
    )
    .map(named);
}

function named([name, run]: [string, TenantCommand]): TenantCommand {
  return Object.assign(run, { [fc.toStringMethod]: () => name });
}

async function settle(
  tenant: Tenant,
  { svc, partner }: Stage,
  method: string,
  path: string,
  body: object,
): Promise<void> {
  const { settlement_id: id } = await tenant.read();
  if (id) await svc.call(method, `/settlements/${id}${path}`, { key: partner.key, body });
}

async function reportTenant(
  tenant: Tenant,
  { svc, partner }: Stage,
  change: object,
): Promise<void> {
  await svc.call('POST', `/tenant/portal_info/${tenant.externalId}`, {
    key: partner.key,
    body: { ...ada, ...change },
  });
}
