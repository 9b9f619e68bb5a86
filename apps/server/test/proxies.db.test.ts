import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';

const svc = await useService({ trustedProxies: ['192.0.2.1'] });

const warnings = () =>
  svc.lines
    .map((line) => JSON.parse(line))
    .filter(({ setting }) => setting === 'SVC_TRUSTED_PROXIES');

test('an untrusted proxy is logged once, with the setting that trusts it', async () => {
  const { key } = await svc.newPartner();
  const ask = (headers: Record<string, string>) =>
    svc.call('POST', '/tenant/portal_info/t-1?dry_run=true', { key, headers, body: ada });
  await ask({});
  expect(warnings()).toEqual([]);
  await ask({ 'x-forwarded-for': '203.0.113.5' });
  await ask({ 'x-forwarded-for': '203.0.113.6' });
  await ask({ forwarded: 'for=203.0.113.7' });
  expect(warnings()).toEqual([
    expect.objectContaining({
      level: 40,
      peer: '127.0.0.1',
      header: 'x-forwarded-for',
      msg: '127.0.0.1 sent x-forwarded-for, which is ignored: rate limits and consent records use the address 127.0.0.1 for all of its clients. If it is your proxy, set SVC_TRUSTED_PROXIES=192.0.2.1,127.0.0.1',
    }),
  ]);
  expect(svc.lines.join('')).not.toContain('203.0.113.');
});
