import { expect, test } from 'vitest';
import { ada, useService } from '../harness.ts';
import { playTenant } from './play-tenant.ts';

const svc = await useService();
const partner = await svc.newPartner();

/** Sends portal_info about one tenant, who is approved regardless of income. */
async function reportTenant(externalId: string, body: object) {
  const { key, pms } = partner;
  await svc.call('POST', `/simulation/${externalId}/set_underwriting_result`, {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
    key,
    body: { ...ada, ...body },
  });
  expect(info.status).toBe(200);
  const enter = () =>
    playTenant(svc, info.data.token, { pms, apiKey: key, externalId, productVariant: 'rent' });
  return { info: info.data, enter };
}

async function split({ enter }: Awaited<ReturnType<typeof reportTenant>>) {
  const tenant = await enter();
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  const accepted = await tenant.accept(items.at(-1));
  return { tenant, items, accepted: accepted.data };
}

const share = (id: string, amount_in_cents: number) => ({
  charges: [{ id, due_date: '2026-02-01', amount_in_cents }],
});

test('roommates on one lease split their own shares only', async () => {
  const lee = await reportTenant('t-lee', { first_name: 'Lee', ...share('C-lee', 90_000) });
  const sam = await reportTenant('t-sam', { first_name: 'Sam', ...share('C-sam', 62_012) });
  expect(lee.info.eligibility.state).toBe('can_apply');
  const first = await split(lee);
  expect(first.accepted.settlement).toMatchObject({
    amount_in_cents: 90_000,
    charges_paid: ['C-lee'],
  });

  expect((await first.tenant.state()).data.tenant.shares_lease).toBe(true);
  const alone = { lease: { ...ada.lease, id: 'L-alone' }, ...share('C-alone', 60_000) };
  const single = await (await reportTenant('t-alone', alone)).enter();
  expect((await single.state()).data.tenant.shares_lease).toBe(false);

  const other = await reportTenant('t-sam', { first_name: 'Sam', ...share('C-sam', 62_012) });
  expect(other.info.eligibility.state).toBe('can_apply');
  const second = await split(other);
  expect(second.accepted.settlement).toMatchObject({
    amount_in_cents: 62_012,
    charges_paid: ['C-sam'],
  });

  const { data } = await svc.call('GET', '/settlements', { key: partner.key });
  const settled = data.items.map((it: { external_id: string; amount_in_cents: number }) => [
    it.external_id,
    it.amount_in_cents,
  ]);
  expect(settled.toSorted()).toEqual([
    ['t-lee', 90_000],
    ['t-sam', 62_012],
  ]);
  expect(sam.info.rent_cycle.amount_due_in_cents).toBe(62_012);
});

test('a roommate who owes from last month is the only one blocked', async () => {
  const owed = { id: 'C-old', due_date: '2026-01-01', amount_in_cents: 10_000 };
  const late = await reportTenant('t-late', {
    charges: [...share('C-late', 50_000).charges, owed],
  });
  const good = await reportTenant('t-good', share('C-good', 50_000));
  expect(late.info.eligibility).toEqual({ state: 'blocked', reason: 'past_due_balance' });
  expect(good.info.eligibility.state).toBe('can_apply');
});

test('portal_info warns when the external id is the id of the lease', async () => {
  const { info } = await reportTenant(ada.lease.id, share('C-lease', 50_000));
  expect(info.warnings).toContainEqual(
    expect.objectContaining({ code: 'external_id_equals_lease_id', param: 'lease.id' }),
  );
});

test('portal_info warns when the charges cannot be split today, with the days on which they can', async () => {
  const report = (due_date: string) =>
    svc.call('POST', '/tenant/portal_info/t-window', {
      key: partner.key,
      body: { ...ada, charges: [{ id: 'C-window', due_date, amount_in_cents: 90_000 }] },
    });
  const warning = async (due_date: string) => (await report(due_date)).data.warnings;

  expect(await warning('2026-03-01')).toEqual([
    {
      code: 'window_not_open',
      param: 'charges',
      message:
        'The charges due on 2026-03-01 can be split from 2026-02-22 to 2026-03-10. The tenant cannot split them before that. To rehearse now, call POST /simulation/t-window/set_underwriting_result with "rent_cycle_date": "2026-03-01".',
    },
  ]);
  expect(await warning('2026-01-01')).toEqual([
    expect.objectContaining({
      code: 'window_closed',
      message: expect.stringContaining('could be split until 2026-01-10.'),
    }),
  ]);
  expect(await warning('2026-01-22')).toEqual([]);
});
