import { createPublicKey, verify } from 'node:crypto';
import { sql } from '@svc/db';
import { afterAll, describe, expect, test } from 'vitest';
import { startRunning, useService } from '../harness.ts';
import { type Backend, openPortal, type Portal } from './portal.ts';

const svc = await useService();

async function openRun(
  changes: Partial<Backend> = {},
  input: object | ((portal: Portal) => object) = {},
) {
  const { key, id: partnerId } = await svc.newPartner();
  const portal = await openPortal(svc, key, changes);
  afterAll(() => portal.server.close());
  const start = (body = typeof input === 'function' ? input(portal) : input) =>
    svc.call('POST', '/certifications', { key, body });
  const started = await start();
  const id = started.data?.id as string;
  const runCase = (name: string) =>
    svc.call('POST', `/certifications/${id}/cases/${name}`, { key });
  return { key, partnerId, portal, start, started, id, runCase };
}

test('a run is listed and read with its cases, its requests have no secret, and the report is signed', async () => {
  const { key, id, runCase, start } = await openRun();
  await runCase('handshake');
  await runCase('altered_body');
  const body = {
    results: [
      { case: 'csp', status: 'pass', summary: 'The policy allows it.', docs: '/docs/csp' },
      {
        case: 'sizes',
        status: 'fail',
        summary: 'It is 200 px wide.',
        cause: 'A container is too narrow.',
        fix: 'Make it wider.',
        steps: [{ title: 'Opened the page', duration_in_ms: 300 }],
      },
    ],
  };
  expect((await svc.call('PUT', `/certifications/${id}/page_results`, { key, body })).status).toBe(
    200,
  );
  const { data: finished } = await svc.call('POST', `/certifications/${id}/finish`, { key });
  expect(finished).toMatchObject({
    state: 'failed',
    verdict: '3 of 45 cases passed, 1 failed, 41 were not run or could not be judged.',
  });
  const [handshake] = finished.cases;
  expect(handshake).toMatchObject({ name: 'handshake', status: 'pass', reported_by: 'service' });
  expect(handshake.steps[0]).toMatchObject({
    title: 'tenant.updated, signed',
    request: { method: 'POST', headers: { 'webhook-id': expect.stringMatching(/^evt_/) } },
    response: { status: 204 },
  });
  expect(JSON.parse(handshake.steps[0].request.body)).toMatchObject({ test: true });
  expect(finished.cases.find((it: { name: string }) => it.name === 'sizes')).toMatchObject({
    status: 'fail',
    reported_by: 'cli',
    area: 'page',
  });
  expect(JSON.stringify(finished)).not.toContain(key);

  const { payload, signature, key_id } = finished.signed_report;
  const { keys } = (await svc.call('GET', '/certifications/public_key')).data;
  const known = keys.find((it: { key_id: string }) => it.key_id === key_id);
  const x = Buffer.from(known.public_key, 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const isSigned = (text: string) =>
    verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
  expect(isSigned(payload)).toBe(true);
  expect(isSigned(payload.replace('failed', 'passed'))).toBe(false);
  expect(JSON.parse(payload)).toMatchObject({ id, state: 'failed', service: svc.origin });

  // Finished for good: repeating the call returns the report, and nothing else changes it.
  expect((await svc.call('POST', `/certifications/${id}/finish`, { key })).data).toEqual(finished);
  for (const refused of [
    await runCase('handshake'),
    await svc.call('PUT', `/certifications/${id}/page_results`, { key, body }),
  ]) {
    expect(refused).toMatchObject({ status: 409, error: { code: 'certification_finished' } });
  }
  // None of its cases has failed.
  const second = await start();
  const ended = await svc.call('POST', `/certifications/${second.data.id}/finish`, { key });
  expect(ended.data.state).toBe('incomplete');
  const { data: list } = await svc.call('GET', '/certifications?limit=1', { key });
  expect(list.items).toMatchObject([{ id: second.data.id, state: 'incomplete' }]);
  const next = await svc.call('GET', `/certifications?cursor=${list.next_cursor}`, { key });
  expect(next.data).toMatchObject({ items: [{ id, state: 'failed' }], next_cursor: null });
});

test('nothing hostile is sent before the handshake has passed', async () => {
  const { portal, runCase } = await openRun({ handle: async () => 500 });
  const early = await runCase('altered_body');
  expect(early.data).toMatchObject({
    status: 'skipped',
    summary: expect.stringContaining('Run the case "handshake" first'),
  });
  expect(portal.received).toHaveLength(0);
  expect((await runCase('handshake')).data.status).toBe('fail');
  expect((await runCase('altered_body')).data).toMatchObject({
    status: 'skipped',
    summary: expect.stringContaining('may not be yours'),
  });
  // The valid webhook only: the forged one is not sent to a receiver that refuses the valid one.
  expect(portal.received).toHaveLength(1);
});

test('a receiver that accepts a forged webhook gets the rest only with anyway, on loopback', async () => {
  const verify: Backend['verify'] = ({ raw }) => JSON.parse(raw.toString());
  const careful = await openRun({ verify });
  expect((await careful.runCase('handshake')).data).toMatchObject({ status: 'fail' });
  expect((await careful.runCase('raw_body')).data.status).toBe('skipped');
  const anyway = await openRun({ verify }, { anyway: true });
  await anyway.runCase('handshake');
  expect((await anyway.runCase('altered_body')).data).toMatchObject({
    status: 'fail',
    cause: 'The text that your receiver verifies does not contain the whole body.',
  });
  const { key } = await svc.newPartner();
  const url = 'https://portal.example/webhooks';
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const refused = await svc.call('POST', '/certifications', { key, body: { anyway: true } });
  expect(refused).toMatchObject({ status: 422, error: { param: 'anyway' } });
});

test('an endpoint that changed since the run began gets nothing', async () => {
  const { key, portal, runCase } = await openRun();
  await runCase('handshake');
  const path = `/webhooks/endpoints/${portal.endpointId}`;
  const url = `${portal.endpointUrl}/other`;
  await svc.call('PATCH', path, { key, body: { url } });
  expect((await runCase('altered_body')).data).toMatchObject({
    status: 'skipped',
    summary: expect.stringContaining('disabled or changed'),
  });
  expect(portal.received).toHaveLength(2);
});

test('one run at a time, 20 in an hour, and another one ten minutes after the last step', async () => {
  const { key, id, start } = await openRun();
  const refused = await start();
  expect(refused).toMatchObject({ status: 409, error: { code: 'certification_running' } });
  expect(refused.error?.message).toContain(id);
  const both = await Promise.all([start(), start()]);
  expect(both.map(({ status }) => status)).toEqual([409, 409]);
  svc.clock.advance(10 * 60_000 + 1);
  const { data: second } = await start();
  expect((await svc.call('GET', `/certifications/${id}`, { key })).data.state).toBe('abandoned');
  await svc.call('POST', `/certifications/${second.id}/finish`, { key });
  for (let runs = 2; runs < 20; runs += 1) {
    const { data } = await start();
    await svc.call('POST', `/certifications/${data.id}/finish`, { key });
  }
  expect(await start()).toMatchObject({ status: 429, error: { code: 'rate_limited' } });
});

test('two calls for cases of one run at once: one of them waits for its turn', async () => {
  const held: (() => void)[] = [];
  const { runCase } = await openRun({
    respond(_, response) {
      held.push(() => response.writeHead(204).end());
      return held.length === 1;
    },
  });
  const first = runCase('handshake');
  while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await runCase('burst')).toMatchObject({
    status: 409,
    error: { code: 'certification_running', message: expect.stringContaining('handshake') },
  });
  held[0]?.();
  expect((await first).status).toBe(200);
});

test('a case whose process died is run again after 90 seconds, with new tenants', async () => {
  const { partnerId, id, runCase, key } = await openRun();
  await runCase('handshake');
  // This is what a process leaves behind that was killed during a case.
  await svc.db.run(sql`
    update certification set running_case = 'duplicates', running_since = ${svc.clock.now()},
      attempt = attempt + 1
    where partner_id = ${partnerId} and id = ${id}`);
  expect((await runCase('duplicates')).error?.code).toBe('certification_running');
  const early = await svc.call('POST', `/certifications/${id}/finish`, { key });
  expect(early.error?.code).toBe('certification_running');
  svc.clock.advance(90_001);
  expect((await runCase('declined')).data.status).toBe('pass');
  const again = await runCase('declined');
  expect(again.data.status).toBe('pass');
  const { items } = (await svc.call('GET', '/partner/tenants?search=certify-', { key })).data;
  expect(new Set(items.map((it: { external_id: string }) => it.external_id)).size).toBe(2);
});

test('the endpoint: none, disabled, several, unknown, filtered, and with some types only', async () => {
  const { key } = await svc.newPartner();
  const start = (body: object = {}) => svc.call('POST', '/certifications', { key, body });
  const create = async (body: object) =>
    (await svc.call('POST', '/webhooks/endpoints', { key, body })).data.id as string;
  const url = 'http://127.0.0.1:9/hook';
  expect((await start()).error?.message).toContain('there is no endpoint');
  const disabled = await create({ url, state: 'disabled' });
  expect((await start()).error?.message).toContain('every endpoint is disabled');
  expect((await start({ endpoint_id: disabled })).error?.message).toContain('is disabled');
  const filter = [{ field: 'data.product_variant', equals: 'hoa' }];
  const filtered = await create({ url, filter });
  expect((await start()).error?.message).toContain('with a filter');
  const typed = await create({ url, event_types: ['plan.*'] });
  expect((await start()).error?.message).toContain(`${filtered} (${url}), ${typed} (${url})`);
  expect((await start({ endpoint_id: 'ep_none' })).error?.message).toContain('is not one of yours');
  const run = await start({ endpoint_id: typed });
  const path = `/certifications/${run.data.id}/cases`;
  expect((await svc.call('POST', `${path}/debited_once`, { key })).data).toMatchObject({
    status: 'skipped',
    summary: 'The endpoint does not receive settlement.created.',
  });
  expect(await svc.call('POST', `${path}/csp`, { key })).toMatchObject({
    status: 422,
    error: { message: expect.stringContaining('must be a case that the service runs') },
  });
});

describe('the partner’s own tenants', () => {
  test('start over for each case, whatever they have and however often they are used', async () => {
    const { key, portal, id, runCase } = await openRun({}, ({ queryUrl }) => {
      return { tenants: ['t-1'], tenant_query_url: queryUrl };
    });
    const play = (scenario: string) =>
      svc.call('POST', '/simulation/t-1/scenario', { key, body: { scenario } });
    const earlier = (await play('split')).data.settlement.id;
    const known = () => portal.books.settlements.get('t-1')?.map((it) => it.id) ?? [];
    await expect.poll(known).toEqual([earlier]);
    await play('moved_out');
    await runCase('handshake');
    for (const name of ['split', 'declined', 'charged_off', 'moved_out', 'split'] as const) {
      expect((await runCase(name)).data).toMatchObject({
        name,
        status: 'pass',
        summary: expect.stringContaining('agrees'),
      });
    }
    expect(known()).toContain(earlier);
    expect((await runCase('duplicates')).data).toMatchObject({
      status: 'skipped',
      summary: 'This case plays 2 tenants. Pass that many as tenants, and run it again.',
    });
    expect(portal.books.plans.get('t-1')).toMatchObject({ state: 'active' });
    const finish = () => svc.call('POST', `/certifications/${id}/finish`, { key });
    expect((await finish()).data.tenants).toEqual(['t-1']);
    await expect.poll(() => portal.books.plans.get('t-1')?.state).toBe('canceled');
    const { items } = (await svc.call('GET', '/partner/tenants', { key })).data;
    expect(items).toMatchObject([{ external_id: 't-1' }]);

    // A repeated call does not touch what the tenant has begun since.
    const { plan } = (await play('split')).data;
    await finish();
    expect((await svc.call('GET', `/plans/${plan.id}`, { key })).data.state).toBe('active');
  });

  test('are refused if one is named twice, has no valid id, or if there are too many', async () => {
    const { key } = await svc.newPartner();
    for (const tenants of [['t-1', 't-1'], ['..'], [], Array.from({ length: 21 }, String)]) {
      const body = { tenants };
      expect((await svc.call('POST', '/certifications', { key, body })).error).toMatchObject({
        code: 'validation_failed',
        errors: [{ param: expect.stringMatching(/^tenants/) }],
      });
    }
  });
});

test('a tenant query with a password, another scheme or a wrong answer', async () => {
  const { key, portal, start, id } = await openRun();
  await svc.call('POST', `/certifications/${id}/finish`, { key });
  for (const tenant_query_url of ['http://a:b@127.0.0.1/', 'ftp://portal.example/', 'portal']) {
    expect(await start({ tenant_query_url })).toMatchObject({
      status: 422,
      error: { param: 'tenant_query_url' },
    });
  }
  const { data: run } = await start({ tenant_query_url: `${portal.queryUrl}/none` });
  const path = `/certifications/${run.id}/cases`;
  await svc.call('POST', `${path}/handshake`, { key });
  expect((await svc.call('POST', `${path}/declined`, { key })).data).toMatchObject({
    status: 'fail',
    cause: expect.stringContaining('refuses our signature'),
  });
});

test('production has no certification', async () => {
  const production = await startRunning({ environment: 'production' });
  try {
    const { key } = await production.newPartner();
    for (const path of ['/certifications', '/certifications/crt_1/cases/handshake']) {
      expect(await production.call('POST', path, { key, body: {} })).toMatchObject({
        status: 403,
        error: { code: 'simulation_unavailable' },
      });
    }
  } finally {
    await production.close();
  }
});
