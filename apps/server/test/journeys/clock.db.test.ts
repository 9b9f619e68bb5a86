import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from '../harness.ts';
import { playTenant } from './play-tenant.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

interface Emitted {
  readonly type: string;
  readonly at: string;
  readonly state?: string;
  readonly reason?: string | null;
}

async function eventsOf(externalId: string, types: RegExp): Promise<Emitted[]> {
  const rows = await rowsOf<Emitted>(
    svc.db,
    sql`
    select type, body::json #>> '{data,occurred_at}' as at, body::json #>> '{data,state}' as state,
      body::json #>> '{data,reason}' as reason
    from webhook_messages where subject = ${externalId} order by id`,
  );
  return rows.filter((it) => types.test(it.type));
}

test('eligibility changes are emitted while the clock advances: the plan ends, the next cycle opens and closes', async () => {
  const tenant = await withPlan(svc, partner, 't-walk');
  const march = { id: 'C-2', type: 'rent', due_date: '2026-03-01', amount_in_cents: 152_012 };
  const charges = [...ada.charges, march];
  await svc.call('POST', '/tenant/portal_info/t-walk', {
    key: partner.key,
    body: { ...ada, charges },
  });
  await tenant.simulate('advance_clock', { by: 'P3M' });
  const completed = (await eventsOf('t-walk', /plan\.completed/))[0];
  const events = await eventsOf('t-walk', /tenant\.eligibility_changed/);
  expect(events.map(({ at, state, reason }) => [at, state, reason])).toEqual([
    [expect.any(String), 'approved', null],
    [expect.any(String), 'has_plan', null],
    // The simulated date is past the cycle, so the plan belongs to an earlier month.
    ['2026-02-11T06:00:00.000Z', 'has_plan', 'open_plan'],
    [completed?.at, 'can_apply', null],
    ['2026-03-11T05:00:00.000Z', 'cycle_closed', null],
  ]);
});

/** Ada splits her rent in real time: nothing is simulated, and her rent is due in two days. */
async function splitInRealTime(externalId: string) {
  const { key, pms } = partner;
  const now = svc.clock.now().getTime();
  const rentDue = new Date(now + 2 * 86_400_000).toISOString().slice(0, 10);
  const charges = [{ ...ada.charges[0], due_date: rentDue }];
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
    key,
    body: { ...ada, charges },
  });
  expect(info.data.simulated_time).toBeNull();
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await tenant.pay();
  await tenant.accept((await tenant.quotes()).data.items.at(-1));
  const { plan } = (await tenant.state()).data;
  expect(plan.state).toBe('active');
  const simulate = (call: string, body: object) =>
    svc.call('POST', `/simulation/${externalId}/${call}`, { key, body });
  const readPlan = async () => (await svc.call('GET', `/plans/${plan.id}`, { key })).data;
  return { rentDue, simulate, readPlan };
}

test.each(['set_underwriting_result', 'set_flow'])(
  '%s moves a plan that began in real time to the date, and runs what falls due on the way',
  async (call) => {
    const externalId = `t-real-${call}`;
    const { rentDue, simulate, readPlan } = await splitInRealTime(externalId);
    const to = (rent_cycle_date: string) =>
      call === 'set_flow'
        ? simulate(call, { flow: 'WILL_BE_APPROVED', rent_cycle_date })
        : simulate(call, { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date });
    const atDue = await to(rentDue);
    expect(atDue).toMatchObject({
      status: 200,
      data: {
        underwriting_result: 'WILL_BE_APPROVED',
        simulated_time: `${rentDue}T18:00:00.000Z`,
        rent_cycle_date: rentDue,
      },
    });
    // A portal that repeats the call for each page does not set the clock back.
    expect((await to(rentDue)).data).toEqual(atDue.data);
    const second = (await readPlan()).installments[1];
    const after = new Date(Date.parse(`${second.due_date}T12:00:00Z`) + 86_400_000);
    const nextDay = after.toISOString().slice(0, 10);
    expect((await to(nextDay)).data.simulated_time).toBe(`${nextDay}T18:00:00.000Z`);
    expect((await readPlan()).installments[1].state).toBe('paid');
    const marks = await rowsOf<{ simulated: boolean | null }>(
      svc.db,
      sql`
      select (body::json ->> 'simulated')::boolean as simulated from webhook_messages
      where subject = ${externalId} and type = 'installment.paid' order by sequence`,
    );
    // The first payment was made in real time, the second one by the simulated clock.
    expect(marks.map(({ simulated }) => simulated)).toEqual([null, true]);
    const back = await to(rentDue);
    expect(back).toMatchObject({ status: 409, error: { code: 'clock_cannot_go_back' } });
  },
);

test('a date before today is refused for a plan that began in real time, and changes nothing', async () => {
  const { simulate } = await splitInRealTime('t-real-back');
  const back = await simulate('set_underwriting_result', {
    underwriting_result: 'WILL_BE_DECLINED',
    rent_cycle_date: '2026-01-19',
  });
  expect(back).toMatchObject({ status: 409, error: { code: 'clock_cannot_go_back' } });
  const { data } = await svc.call('GET', '/simulation/t-real-back', { key: partner.key });
  expect(data).toMatchObject({ underwriting_result: null, simulated_time: null });
  // Without a date, the result is fixed and the tenant stays in real time.
  const fixed = await simulate('set_underwriting_result', {
    underwriting_result: 'WILL_BE_DECLINED',
  });
  expect(fixed.data).toMatchObject({
    underwriting_result: 'WILL_BE_DECLINED',
    simulated_time: null,
  });
});

test('an approval expires with an event at the exact instant', async () => {
  const { key, pms } = partner;
  await svc.call('POST', '/simulation/t-left/set_underwriting_result', {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const info = await svc.call('POST', '/tenant/portal_info/t-left', { key, body: ada });
  const who = { pms, apiKey: key, externalId: 't-left', productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await tenant.pay();
  const body = { by: 'P60D' };
  await svc.call('POST', '/simulation/t-left/advance_clock', { key, body });
  const events = await eventsOf('t-left', /expired|eligibility/);
  expect(events.map(({ type, at, state }) => [type, at, state])).toEqual([
    ['tenant.eligibility_changed', expect.any(String), 'approved'],
    ['application.expired', '2026-02-11T06:00:00.000Z', null],
    ['tenant.eligibility_changed', '2026-02-11T06:00:00.000Z', 'cycle_closed'],
  ]);
});

test('the clock refuses to go back, or further than 400 days', async () => {
  const tenant = await withPlan(svc, partner, 't-clock');
  const back = await tenant.simulate('advance_clock', { to: '2026-01-31T12:00:00Z' });
  expect(back.error?.code).toBe('clock_cannot_go_back');
  const far = await tenant.simulate('advance_clock', { by: 'P2Y' });
  expect(far.error?.errors?.[0]).toMatchObject({ param: 'by', code: 'too_big' });
  const both = await tenant.simulate('advance_clock', {});
  expect(both.status).toBe(422);
});

test('a tenant who moves out pays the plan off as agreed and gets no new offer', async () => {
  const tenant = await withPlan(svc, partner, 't-moves');
  const lease = { ...ada.lease, ends_on: '2026-02-10' };
  const march = { id: 'C-2', type: 'rent', due_date: '2026-03-01', amount_in_cents: 152_012 };
  const reported = await svc.call('POST', '/tenant/portal_info/t-moves', {
    key: partner.key,
    body: { ...ada, lease, charges: [...ada.charges, march] },
  });
  expect(reported.data.eligibility.state).toBe('has_plan');
  await tenant.simulate('advance_clock', { to: '2026-02-27T18:00:00Z' });
  expect((await tenant.read()).state).toBe('completed');
  expect((await tenant.state()).data).toMatchObject({
    step: 'blocked',
    eligibility: { state: 'blocked', reason: 'lease_ended' },
  });
});

test('a skipped year collects or writes off open plans, with events in order', async () => {
  const paid = await withPlan(svc, partner, 't-year');
  const owing = await withPlan(svc, partner, 't-owing');
  await owing.change('autopay', { enabled: false });
  for (const it of [paid, owing]) await it.simulate('advance_clock', { by: 'P1Y' });
  expect((await paid.read()).state).toBe('completed');
  expect((await owing.read()).state).toBe('charged_off');
  const times = (await eventsOf('t-owing', /./)).map(({ at }) => at);
  expect(times.slice(4)).toEqual(times.slice(4).sort());
  await paid.simulate('advance_clock', { by: 'P400D' });
  expect((await paid.state()).data.past_plans).toHaveLength(1);
});

test('a server whose clock is set back loses and repeats nothing', async () => {
  const tenant = await withPlan(svc, partner, 't-back');
  const { installments } = tenant.plan;
  svc.clock.advance(-2 * 86_400_000);
  const pay = () => tenant.change('pay', { installment_ids: [installments[1].id] });
  expect((await pay()).data.repayment.amount_in_cents).toBe(installments[1].amount_in_cents);
  expect((await pay()).data.repayment).toBeNull();
  await tenant.simulate('advance_clock', { by: 'P1M' });
  expect((await tenant.read()).state).toBe('completed');
  const { twice } = await oneRowOf<{ twice: number }>(
    svc.db,
    sql`
    select count(*) as twice from (select 1 from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      where i.plan_id = ${tenant.plan.id} and y.outcome = 'succeeded'
      group by i.id having count(*) > 1) t`,
  );
  expect(twice).toBe(0);
  svc.clock.advance(2 * 86_400_000);
});
