import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { describeResult, type OperatorRequest } from '../src/operator/administer.ts';
import { useService } from './harness.ts';
import { testAccount, testCard } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService({ metricsPort: 0 });

async function print(request: OperatorRequest): Promise<string> {
  const answer = await svc.administer(request);
  return answer.ok ? describeResult(request, answer.result) : answer.message;
}

const account = (digit: number) => ({ ...testAccount, account_number: `00011111000${digit}` });

/** The metrics as scraped. The database is read at most every five seconds. */
async function scrape(): Promise<string[]> {
  svc.clock.advance(5_000);
  const text = await (await fetch(svc.metricsAt ?? '')).text();
  return text.split('\n').filter((it) => it.startsWith('svc_ach_') && !it.includes('exceptions'));
}

test('returned debits are counted for each portal, and cards are not', async () => {
  expect(await print({ command: 'ach returns' })).toMatch(/^all +overall +0 +0 +15\.00 %$/m);
  // The rates are measured in the background.
  await expect.poll(scrape).toContain('svc_ach_return_rate{category="overall"} 0');
  const [oak, elm] = [await svc.newPartner(), await svc.newPartner()];
  await withPlan(svc, oak, 't-card', { account: testCard });
  await withPlan(svc, oak, 't-closed', { account: account(2) });
  const paid = await withPlan(svc, oak, 't-paid');
  const { id: payment_id } = await oneRowOf<{ id: string }>(
    svc.db,
    sql`
    select y.id from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where i.plan_id = ${paid.plan.id}`,
  );
  const returned = await svc.administer({ command: 'payment return', payment_id, code: 'R07' });
  expect(returned).toMatchObject({ ok: true });
  // The bank returns the first payment on day 45. Two more have been paid by then, and a third is on its way.
  const late = await withPlan(svc, elm, 't-late', { account: account(5) });
  await late.simulate('advance_clock', { by: 'P46D' });
  expect(await print({ command: 'ach returns' })).toBe(
    [
      'portal    category        debits  returned  rate      limit',
      'all       unauthorized    6       2         33.33 %   0.50 %   over',
      'all       administrative  6       1         16.67 %   3.00 %   over',
      'all       overall         6       3         50.00 %   15.00 %  over',
      'portal-1  unauthorized    2       1         50.00 %   0.50 %   over',
      'portal-1  administrative  2       1         50.00 %   3.00 %   over',
      'portal-1  overall         2       2         100.00 %  15.00 %  over',
      'portal-2  unauthorized    4       1         25.00 %   0.50 %   over',
      'portal-2  administrative  4       0         0.00 %    3.00 %',
      'portal-2  overall         4       1         25.00 %   15.00 %  over',
      'Debits and returns from 2025-11-22 to 2026-01-20.',
      '',
    ].join('\n'),
  );
  expect(await print({ command: 'ach returns', pms: 'nowhere' })).toBe(
    'There is no partner nowhere.',
  );
  const before = { from: '2026-01-01', to: '2026-01-19' };
  expect(await print({ command: 'ach returns', pms: oak.pms, ...before })).toMatch(
    /^portal-1 +overall +0 +0 +15\.00 %$/m,
  );

  // The rates are measured once an hour.
  expect(await scrape()).toContain('svc_ach_debits 0');
  svc.clock.advance(3_600_000);
  await expect.poll(scrape).toEqual([
    'svc_ach_debits 6',
    `svc_ach_return_rate{category="unauthorized"} ${2 / 6}`,
    `svc_ach_return_rate{category="administrative"} ${1 / 6}`,
    'svc_ach_return_rate{category="overall"} 0.5',
    'svc_ach_return_limit{category="unauthorized"} 0.005',
    'svc_ach_return_limit{category="administrative"} 0.03',
    'svc_ach_return_limit{category="overall"} 0.15',
    // Both portals have too few debits for an alert.
    'svc_ach_portals_near_limit{category="unauthorized"} 0',
    'svc_ach_portals_near_limit{category="administrative"} 0',
    'svc_ach_portals_near_limit{category="overall"} 0',
  ]);
});

test('the file for the yearly review has twelve months', async () => {
  const request = { command: 'ach returns', by_month: true, to: '2026-01-31' } as const;
  const lines = (await print(request)).split('\r\n');
  expect(lines[0]).toBe('month,portal,category,debits,returned,rate,limit,over the limit');
  const ofAll = lines.filter((it) => it.includes(',all,overall,'));
  expect(ofAll).toHaveLength(12);
  expect([ofAll[0], ofAll[11]]).toEqual([
    '2025-02,all,overall,0,0,,15.00 %,',
    '2026-01,all,overall,6,3,50.00 %,15.00 %,over',
  ]);
  expect(lines.filter((it) => it.includes('portal-1')).map((it) => it.slice(0, 7))).toEqual([
    '2026-01',
    '2026-01',
    '2026-01',
  ]);
});
