import {
  type CertificationCaseOutput,
  type ServiceCaseName,
  serviceCaseNames,
} from '@svc/contract';
import { afterAll, expect, test } from 'vitest';
import { useService } from '../harness.ts';
import { type Backend, correctBackend, openPortal } from './portal.ts';

const svc = await useService();

const own = ['t-1', 't-2'];

// Forty tenants, and 350 requests to the backend: 25 s on an idle machine.
test.each<[string, object, Partial<Backend>]>([
  ['', {}, {}],
  [
    ' with its own tenants, which knows no others',
    { tenants: own },
    {
      handle: async (event, portal) =>
        event.test || event.custom || own.includes(event.external_id ?? '')
          ? correctBackend.handle(event, portal)
          : 404,
    },
  ],
])(
  'a correct backend%s passes every case that the service runs',
  {
    timeout: 240_000,
  },
  async (_, input, changes) => {
    const { key } = await svc.newPartner();
    const portal = await openPortal(svc, key, changes);
    afterAll(() => portal.server.close());
    const body = { tenant_query_url: portal.queryUrl, ...input };
    const { data: run } = await svc.call('POST', '/certifications', { key, body });
    const results: CertificationCaseOutput[] = [];
    for (const name of serviceCaseNames) {
      const answer = await svc.call('POST', `/certifications/${run.id}/cases/${name}`, { key });
      expect(answer.error).toBeNull();
      results.push(answer.data);
    }
    expect(results.filter(({ status }) => status !== 'pass')).toEqual([]);
    const isAboutTenants = (name: ServiceCaseName) => name === 'paid_off' || name === 'duplicates';
    for (const { name, steps } of results) {
      if (isAboutTenants(name as ServiceCaseName)) expect(steps.length).toBeGreaterThan(15);
    }
    const { data } = await svc.call('POST', `/certifications/${run.id}/finish`, { key });
    expect(data).toMatchObject({
      state: 'incomplete',
      verdict: '33 of 45 cases passed, 12 were not run or could not be judged.',
    });
    const { items } = (await svc.call('GET', '/partner/go_live', { key })).data;
    const done = items
      .filter((it: { done: boolean }) => it.done)
      .map((it: { id: string }) => it.id);
    expect(done).toEqual(
      expect.arrayContaining(['forgery_refused', 'duplicates_handled', 'decline_rehearsed']),
    );
  },
);
