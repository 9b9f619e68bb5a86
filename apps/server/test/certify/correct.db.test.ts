import { type CertificationCaseOutput, pageCaseNames, serviceCaseNames } from '@svc/contract';
import { afterAll, expect, test } from 'vitest';
import { useService } from '../harness.ts';
import { type Backend, bookPlan, correctBackend, openPortal } from './portal.ts';

const svc = await useService();

type Result = CertificationCaseOutput;

/** Certifies a backend with every case that the service runs. Returns its results, and how to finish the run. */
async function certify(
  changes: Partial<Backend>,
  input: object,
  prepare: (pms: string) => Promise<unknown> = async () => {},
) {
  const { key, pms } = await svc.newPartner();
  await prepare(pms);
  const portal = await openPortal(svc, key, changes);
  afterAll(() => portal.server.close());
  const body = { tenant_query_url: portal.queryUrl, ...input };
  const { data: run } = await svc.call('POST', '/certifications', { key, body });
  const results: Result[] = [];
  for (const name of serviceCaseNames) {
    const answer = await svc.call('POST', `/certifications/${run.id}/cases/${name}`, { key });
    expect(answer.error).toBeNull();
    results.push(answer.data);
  }
  const path = `/certifications/${run.id}`;
  return { key, path, results };
}

const notPassed = (results: readonly Result[]) => results.filter(({ status }) => status !== 'pass');

// Forty tenants, and 350 requests to the backend: 25 s on an idle machine.
test('a correct backend passes every case that the service runs', {
  timeout: 240_000,
}, async () => {
  const { key, path, results } = await certify({}, {});
  expect(notPassed(results)).toEqual([]);
  for (const { name, steps } of results) {
    if (name === 'paid_off' || name === 'duplicates') expect(steps.length).toBeGreaterThan(15);
  }
  const { data } = await svc.call('POST', `${path}/finish`, { key });
  expect(data).toMatchObject({
    state: 'incomplete',
    verdict: '33 of 45 cases passed, 12 were not run or could not be judged.',
  });
  const { items } = (await svc.call('GET', '/partner/go_live', { key })).data;
  const done = items.filter((it: { done: boolean }) => it.done).map((it: { id: string }) => it.id);
  expect(done).toEqual(
    expect.arrayContaining(['forgery_refused', 'duplicates_handled', 'decline_rehearsed']),
  );
});

test('a correct backend that refuses unknown tenants passes with two tenants of its own', {
  timeout: 240_000,
}, async () => {
  const own = ['t-1', 't-2'];
  const { results } = await certify(
    {
      async handle(event, portal) {
        const isKnown = own.includes(event.external_id ?? '') || event.test || event.custom;
        return isKnown ? correctBackend.handle(event, portal) : 404;
      },
    },
    { tenants: own },
  );
  expect(notPassed(results)).toEqual([]);
});

test('a portal of associations that gets payouts passes without the cases about debits', {
  timeout: 240_000,
}, async () => {
  const { key, path, results } = await certify(
    {
      async handle(event, { books }) {
        if (event.test || event.custom) return 204;
        bookPlan(event, books);
        if (event.type === 'settlement.created' && event.external_id !== null) {
          const { settlement_id: id } = event.data;
          const none = { debited_in_cents: 0, sent_back_in_cents: 0, debits: 0, isReported: false };
          books.settlements.set(event.external_id, [{ id, status: 'unsettled', ...none }]);
        }
        return 204;
      },
    },
    { product_variant: 'hoa' },
    (pms) => svc.administer({ command: 'payout schedule', pms, method: 'debit' }),
  );
  expect(notPassed(results).map(({ name, status }) => `${name} ${status}`)).toEqual([
    'settled skipped',
    'debited_once skipped',
    'reported skipped',
    'report_repeated skipped',
    'returned skipped',
    'refunded skipped',
    'daily_report skipped',
  ]);
  const body = {
    results: pageCaseNames.map((name) => ({ case: name, status: 'pass', summary: 'It works.' })),
  };
  await svc.call('PUT', `${path}/page_results`, { key, body });
  const { data } = await svc.call('POST', `${path}/finish`, { key });
  expect(data).toMatchObject({ state: 'passed', verdict: '38 of 38 cases passed.' });
});
