import { sql } from '@svc/db';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../src/domain/index.ts';
import { type Running, startRunning } from '../harness.ts';
import { type Partner, withPlan } from './with-plan.ts';

let svc: Running;
let partner: Partner;
beforeAll(async () => {
  svc = await startRunning();
  partner = await svc.newPartner();
});
afterAll(() => svc.close());

type Tenant = Awaited<ReturnType<typeof withPlan>>;
type Command = (tenant: Tenant) => Promise<unknown>;

const part = fc.integer({ min: 0, max: 3 });
const commands: fc.Arbitrary<[string, Command]> = fc.oneof(
  part.map((at): [string, Command] => [
    `pay ${at}`,
    (it) => it.change('pay', { installment_ids: [it.plan.installments[at].id] }),
  ]),
  fc.constant<[string, Command]>([
    'pay all twice at once',
    (it) => {
      const installment_ids = it.plan.installments.map(({ id }: { id: string }) => id);
      const pay = () => it.change('pay', { installment_ids });
      return Promise.all([pay(), pay()]);
    },
  ]),
  fc.tuple(part, fc.nat({ max: 30 })).map(([at, choice]): [string, Command] => [
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
    .map((enabled): [string, Command] => [
      `autopay ${enabled}`,
      (it) => it.change('autopay', { enabled }),
    ]),
  fc
    .constantFrom('R01', 'R02', 'R07', 'R09')
    .map((return_code): [string, Command] => [
      `fail ${return_code}`,
      (it) => it.simulate('fail_next_payment', { return_code }),
    ]),
  fc
    .integer({ min: 1, max: 70 })
    .map((days): [string, Command] => [
      `${days} days`,
      (it) => it.simulate('advance_clock', { by: `P${days}D` }),
    ]),
  fc.constant<[string, Command]>(['reset', (it) => it.simulate('reset')]),
);

let tenants = 0;

test('whatever happens, cents add up and nobody pays an installment twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        commands.map(([name, run]) => Object.assign(run, { [fc.toStringMethod]: () => name })),
        { minLength: 1, maxLength: 12 },
      ),
      async (sequence) => {
        tenants += 1;
        const tenant = await withPlan(svc, partner, `t-${tenants}`);
        for (const run of sequence) {
          await run(tenant);
          await checkMoney(tenant);
        }
      },
    ),
    { numRuns: 25, seed: 20_261_121 },
  );
  expect((await verifyLedger(svc.db)).faults).toEqual([]);
  expect(svc.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
}, 120_000);

/** What the tenant owes by the ledger is what the plan's open installments say. */
async function checkMoney({ plan }: Tenant): Promise<void> {
  const now = await svc.db.one<{ owed: number; open: number; paid: number; twice: number }>(sql`
    select
      (select coalesce(sum(e.amount_in_cents), 0)::int8 from ledger_entry e
        join ledger_account a on a.id = e.account_id where a.tenant_id = p.tenant_id) as owed,
      (select coalesce(sum(i.amount_in_cents), 0)::int8 from installment i
        where i.plan_id = p.id and i.state not in ('paid', 'canceled')) as open,
      (select coalesce(sum(y.amount_in_cents), 0)::int8 from payment y
        join installment i on i.id = y.installment_id
        where i.plan_id = p.id and y.outcome = 'succeeded') as paid,
      (select count(*) from (select 1 from payment y join installment i on i.id = y.installment_id
        where i.plan_id = p.id and y.outcome = 'succeeded'
        group by i.id having count(*) > 1) t) as twice
    from plan p where p.id = ${plan.id}`);
  expect(now.owed).toBe(now.open);
  expect(now.twice).toBe(0);
  expect(now.paid).toBeLessThanOrEqual(plan.total_of_payments_in_cents);
}
