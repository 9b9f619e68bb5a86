import { healthNames } from '@svc/contract/operator';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { describeResult } from '../src/operator/administer.ts';
import { useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { signInOperator } from './support/sign-in-operator.ts';

// What runs, and what the company that runs Svc has earned, owes and lost.

const svc = await useService();
const partner = await svc.newPartner();
const other = await svc.newPartner();
const { pms } = partner;
const admin = await signInOperator(svc, { role: 'admin' });
const limited = await signInOperator(svc, { role: 'finance', partners: [other.pms] });

const read = async (path: string, who = admin) => {
  const { status, data, error } = await who.call('GET', path);
  expect([status, error]).toEqual([200, null]);
  return data;
};

/** A report as text. */
async function csv(path: string, who = admin): Promise<string[]> {
  const response = await fetch(`${svc.url}/operator/v1${path}`, { headers: who.headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ]);
  return (await response.text()).trimEnd().split('\r\n');
}

const tenant = await withPlan(svc, partner, 't-1');
await tenant.simulate('fail_next_payment', { return_code: 'R02' });
await tenant.simulate('advance_clock', { by: 'P16D' });

test('each part of the service has a state, a sentence and its page of the runbook', async () => {
  const { items } = await read('/health');
  expect(items.map(({ name }: { name: string }) => name)).toEqual(healthNames);
  for (const item of items) {
    expect(item.sentence).toMatch(/^[A-Z].*\.$/);
    expect((await fetch(`${svc.url}${new URL(item.runbook).pathname}`)).status).toBe(200);
  }
  const stateOf = (list: { name: string; state: string }[], name: string) =>
    list.find((it) => it.name === name)?.state;
  expect(stateOf(items, 'money')).toBe('ok');
  await svc.administer({ command: 'money stop' });
  // The health is read at most once in ten seconds.
  expect(stateOf((await read('/health')).items, 'money')).toBe('ok');
  svc.clock.advance(10_000);
  expect(stateOf((await read('/health')).items, 'money')).toBe('failed');
  await svc.administer({ command: 'money start' });
});

test('the trial balance leads to the postings of an account, and these to their causes', async () => {
  const { lines, debit_in_cents, credit_in_cents } = await read(
    '/books/trial-balance?as_of=2026-12-31',
  );
  expect(debit_in_cents).toBe(credit_in_cents);
  const line = lines.find((it: { kind: string }) => it.kind === 'tenant_receivable');
  const { items } = await read('/books/accounts/tenant_receivable/postings');
  expect(items[0]).toMatchObject({
    partner: pms,
    external_id: 't-1',
    cause_id: expect.any(String),
    others: expect.arrayContaining([expect.objectContaining({ account: expect.any(String) })]),
  });
  const sum = items.reduce(
    (total: number, it: { amount_in_cents: number }) => total + it.amount_in_cents,
    0,
  );
  // The ledger is sealed by a lane, and the balance counts what is sealed.
  expect(Math.abs(line.debit_in_cents - line.credit_in_cents)).toBeLessThanOrEqual(Math.abs(sum));
  const paged = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { items: object[]; next_cursor: string | null } = await read(
      `/books/accounts/tenant_receivable/postings?limit=1${cursor && `&cursor=${cursor}`}`,
    );
    paged.push(...page.items);
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(items);
  const before = await read('/books/accounts/tenant_receivable/postings?to=2020-01-01');
  expect(before.items).toEqual([]);
});

test.each([
  '/books/trial-balance',
  '/books/days',
  '/books/lines?bank=checking&day=2026-01-01',
  '/books/lines.csv?bank=checking&day=2026-01-01',
  '/books/exceptions.csv',
])('%s is not for an operator who may see some partners only', async (path) => {
  expect(await limited.call('GET', path)).toMatchObject({
    status: 403,
    error: { code: 'permission_required' },
  });
});

test('an operator who is limited to partners reads the reports of those', async () => {
  const postings = '/books/accounts/tenant_receivable/postings';
  expect((await read(postings, limited)).items).toEqual([]);
  expect((await limited.call('GET', `${postings}?partner=${pms}`)).status).toBe(404);
  for (const path of [
    '/reports/delinquency',
    '/reports/losses',
    '/reports/portfolio',
    '/payouts',
  ]) {
    expect((await read(path, limited)).items).toEqual([]);
  }
});

test('what is late is summed by age, and plans by month', async () => {
  const late = await read('/reports/delinquency');
  expect(late.items).toEqual([
    {
      partner: pms,
      age: '1-30',
      plans: 1,
      late_in_cents: 38_003,
      owed_in_cents: 114_009,
    },
  ]);
  expect((await read('/reports/portfolio')).items).toMatchObject([
    { partner: pms, month: '2026-01', plans: 1, principal_in_cents: 152_012, open: 1 },
  ]);
  expect((await read('/reports/portfolio?from=2025-01&to=2025-06')).items).toEqual([]);
  expect((await read('/reports/losses')).items).toEqual([]);
});

test('reports are CSV, too', async () => {
  expect(await csv('/reports/delinquency.csv')).toEqual([
    'partner,age,plans,late,owed',
    `${pms},1-30,1,380.03,1140.09`,
  ]);
  const [head, line] = await csv('/reports/portfolio.csv');
  expect(head).toContain('partner,month,plans,principal,fee,open');
  expect(line).toContain(`${pms},2026-01,1,1520.12`);
});

test('partners and payouts are CSV, of the operator’s partners only', async () => {
  const [head, ...partners] = await csv('/partners.csv');
  expect(head).toBe('pms,name,live_keys,created_at,last_used_at,endpoints,failing_endpoints');
  expect(partners.some((line) => line.startsWith(`${pms},`))).toBe(true);
  expect((await csv('/partners.csv', limited)).some((line) => line.startsWith(`${pms},`))).toBe(
    false,
  );
  expect(await csv(`/payouts.csv?partner=${pms}&status=paid`)).toEqual(['']);
  expect(await limited.call('GET', `/payouts.csv?partner=${pms}`)).toMatchObject({ status: 404 });
  expect((await admin.call('GET', '/payouts?status=lost')).error?.param).toBe('status');
});

/** Moves the clock until a lane has sealed every transfer. */
async function sealAll(): Promise<void> {
  await expect
    .poll(async () => {
      svc.clock.advance(1_000);
      return rowsOf(svc.db, sql`select count(*) as unsealed from ledger_unsealed`);
    })
    .toEqual([{ unsealed: 0 }]);
}

test('fees are what was posted to their accounts, by partner and month of the books', async () => {
  const plan_id = tenant.plan.id;
  const waived = await svc.administer({ command: 'plan waive-fee', plan_id, amount_in_cents: 100 });
  if (!waived.ok) throw new Error(waived.message);
  await withPlan(svc, other, 't-2');
  await sealAll();
  const postedIn = async (account: string, of: string, month: string) => {
    const { items } = await read(
      `/books/accounts/${account}/postings?limit=100&partner=${of}&from=${month}-01&to=${month}-28`,
    );
    return items.reduce(
      (sum: number, it: { amount_in_cents: number }) => sum + it.amount_in_cents,
      0,
    );
  };
  const { items } = await read('/reports/fees');
  expect(items.map((it: { partner: string; month: string }) => [it.partner, it.month])).toEqual(
    [pms, other.pms].toSorted().map((it) => [it, '2026-02']),
  );
  for (const { partner: of, month, ...fees } of items) {
    const { earned_in_cents, given_back_in_cents, cost_in_cents, net_in_cents } = fees;
    expect(earned_in_cents).toBeGreaterThan(0);
    expect(given_back_in_cents).toBe(of === pms ? 100 : 0);
    expect(given_back_in_cents - earned_in_cents).toBe(await postedIn('fee_income', of, month));
    expect(cost_in_cents).toBe(await postedIn('processing_cost', of, month));
    expect(net_in_cents).toBe(earned_in_cents - given_back_in_cents - cost_in_cents);
  }
  expect((await read('/reports/fees', limited)).items).toEqual(
    items.filter((it: { partner: string }) => it.partner === other.pms),
  );
  expect((await read('/reports/fees?from=2026-02&to=2026-02')).items).toEqual(items);
  expect((await read('/reports/fees?from=2025-02&to=2026-01')).items).toEqual([]);

  // A partner that an earlier version has sealed is read as before.
  await svc.db.run(sql`delete from ledger_counted where partner_id = ${partner.id}`);
  expect((await read('/reports/fees')).items).toEqual(items);
});

test.each(['delinquency', 'losses', 'fees', 'portfolio'] as const)(
  'the command "report %s --csv" prints what the console saves',
  async (name) => {
    const request = { command: `report ${name}`, csv: true } as const;
    const answer = await svc.administer(request);
    if (!answer.ok) throw new Error(answer.message);
    expect(describeResult(request, answer.result).trimEnd().split('\r\n')).toEqual(
      await csv(`/reports/${name}.csv`),
    );
    expect(describeResult({ command: `report ${name}` }, answer.result)).not.toContain('_in_cents');
  },
);

test('the postings of days are found before and after their seal, and without totals', async () => {
  for (const account of ['tenant_receivable', 'processor_clearing', 'fee_income']) {
    const path = `/books/accounts/${account}/postings?limit=100`;
    const compareDays = async () => {
      const { items } = await read(path);
      const days: string[] = items.map(({ day }: { day: string }) => day);
      for (const day of new Set(days)) {
        const among = (which: (it: string) => boolean) =>
          items.filter((_: unknown, index: number) => which(days[index] ?? ''));
        expect((await read(`${path}&from=${day}&to=${day}`)).items).toEqual(
          among((it) => it === day),
        );
        expect((await read(`${path}&from=${day}`)).items).toEqual(among((it) => it >= day));
        expect((await read(`${path}&to=${day}`)).items).toEqual(among((it) => it <= day));
      }
      expect((await read(`${path}&to=2020-01-01`)).items).toEqual([]);
      return days.length;
    };
    expect(await compareDays()).toBeGreaterThan(0);
    await sealAll();
    await compareDays();
    const [counted] = await rowsOf<{ seal_number: number }>(
      svc.db,
      sql`delete from ledger_counted where partner_id = ${partner.id} returning seal_number`,
    );
    await compareDays();
    await svc.db.run(sql`
      insert into ledger_counted values (${partner.id}, ${counted?.seal_number ?? 0})`);
    await tenant.simulate('advance_clock', { by: 'P15D' });
  }
});

test.each([
  '/reports/fees?from=2026-05&to=2026-01',
  '/reports/portfolio?from=2026-13',
  '/reports/portfolio?from=2026-05&to=2026-01',
  '/reports/portfolio?from=2020-01&to=2026-01',
  '/books/trial-balance?as_of=2026-02-30',
  '/books/accounts/Cash/postings',
  '/books/accounts/cash/postings?cursor=x',
  '/books/lines?bank=checking',
])('%s is refused', async (path) => {
  expect((await admin.call('GET', path)).status).toBe(422);
});
