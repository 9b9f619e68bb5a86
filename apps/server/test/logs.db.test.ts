import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { playTenant, testAccount } from './journeys/play-tenant.ts';

const svc = await useService();

test('a journey logs one line per request, without secrets or personal data, here and in the request log', async () => {
  const { pms, key, id } = await svc.newPartner();
  const date = { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' };
  await svc.call('POST', '/simulation/ada-7/set_underwriting_result', { key, body: date });
  const path = '/tenant/portal_info/ada-7';
  const info = await svc.call('POST', path, { key, body: ada });
  const who = { pms, apiKey: key, externalId: 'ada-7', productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  expect((await tenant.accept(items[0])).status).toBe(200);
  const made = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: {
      url: 'http://127.0.0.1:9/hook',
      auth: { type: 'basic', username: 'u', password: 'pw-7' },
    },
  });
  const secret = await svc.call('GET', `/webhooks/endpoints/${made.data.id}/secret`, { key });
  const link = await svc.call('GET', '/partner/webhook_portal_url?read_only=true', { key });
  await svc.call('GET', '/settlements?cursor=hidden-query', { key });
  await svc.call('POST', path, { key, body: '{"first_name": "Ada"' });

  const log = svc.lines.join('');
  // The request log has the external id, and of bodies and queries only what cannot be personal.
  await svc.call('GET', '/partner/requests', { key });
  const stored = await rowsOf<{ text: string }>(
    svc.db,
    sql`select to_jsonb(l)::text as text from request_log l`,
  );
  expect(stored).toHaveLength(7);
  const storedText = stored.map(({ text }) => text).join('');
  for (const hidden of [
    key,
    info.data.token,
    tenant.exchanged.data.session,
    secret.data.secret,
    link.data.url.split('#')[1],
    'ada@example.com',
    'Lane',
    'pw-7',
    'hidden-query',
    testAccount.account_number,
    '1990-04-01',
  ]) {
    expect(log).not.toContain(hidden);
    expect(storedText).not.toContain(hidden);
  }
  expect(log).not.toContain('ada-7');
  const requests = svc.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  // The last one reads the request log.
  expect(requests).toHaveLength(15);
  expect(requests.find(({ route }) => route === '/v1/tenant/portal_info/:external_id')).toEqual({
    level: 30,
    time: expect.anything(),
    pid: expect.anything(),
    hostname: expect.anything(),
    msg: 'request',
    method: 'POST',
    route: '/v1/tenant/portal_info/:external_id',
    status: 200,
    ms: expect.any(Number),
    request_id: info.headers.get('x-request-id'),
    address: '127.0.0.1',
    partner_id: id,
  });
});
