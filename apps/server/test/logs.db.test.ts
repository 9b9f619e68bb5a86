import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { playTenant, testAccount } from './journeys/play-tenant.ts';

const svc = await useService();

test('a journey logs one line per request, without secrets or personal data', async () => {
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
  for (const hidden of [
    key,
    info.data.token,
    tenant.exchanged.data.session,
    secret.data.secret,
    link.data.url.split('#')[1],
    'ada@example.com',
    'Lane',
    'ada-7',
    'pw-7',
    'hidden-query',
    testAccount.account_number,
    '1990-04-01',
  ]) {
    expect(log).not.toContain(hidden);
  }
  const requests = svc.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(12);
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
