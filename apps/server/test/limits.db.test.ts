import { expect, test } from 'vitest';
import { useService } from './harness.ts';

const svc = await useService({
  rateLimitPerSecond: 5,
  rateLimitPerMinute: 8,
  trustedProxies: ['127.0.0.0/8', '::1'],
});

test('a key over its rate gets 429 with Retry-After; another key is not affected', async () => {
  const [busy, other] = [await svc.newPartner(), await svc.newPartner()];
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => svc.call('GET', '/settlements', { key: busy.key })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(12 - 5);
  for (const { error, headers } of refused) {
    expect(error?.code).toBe('rate_limited');
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('ratelimit-limit')).toBe('5');
    expect(headers.get('ratelimit-remaining')).toBe('0');
  }
  expect((await svc.call('GET', '/settlements', { key: other.key })).status).toBe(200);
});

test('calls without a key are limited by address, and pages can read the refusal', async () => {
  const body = { pms: 'nobody', external_id: 't', signature: 'x' };
  const headers = { origin: 'https://portal.example' };
  for (;;) {
    const answer = await svc.call('POST', '/widget/session', { body, headers });
    if (answer.status === 401) continue;
    expect(answer).toMatchObject({ status: 429, error: { code: 'rate_limited' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(headers.origin);
    break;
  }
});

test('wrong keys are rate limited; valid keys from the same address are not', async () => {
  const { key } = await svc.newPartner();
  const statuses = [];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { status } = await svc.call('GET', '/settlements', { key: 'svc_sandbox_guess' });
    statuses.push(status);
  }
  expect(statuses.at(-1)).toBe(429);
  expect((await svc.call('GET', '/settlements', { key })).status).toBe(200);
});

test('the addresses of one IPv6 network count as one client', async () => {
  const body = { pms: 'nobody', external_id: 't', signature: 'x' };
  const ask = async (caller: string) =>
    (await svc.call('POST', '/widget/session', { body, headers: { 'x-forwarded-for': caller } }))
      .status;
  const busy = [];
  for (let host = 1; host <= 9; host += 1) busy.push(await ask(`2001:db8:1:2:${host}::1`));
  expect(busy.at(-1)).toBe(429);
  expect(await ask('2001:db8:1:3::1')).toBe(401);
});

test('an IPv4 address mapped into IPv6 counts as the IPv4 address', async () => {
  const body = { pms: 'nobody', external_id: 't', signature: 'x' };
  const ask = async (caller: string) =>
    (await svc.call('POST', '/widget/session', { body, headers: { 'x-forwarded-for': caller } }))
      .status;
  const busy = [];
  for (let call = 1; call <= 9; call += 1) {
    busy.push(await ask(call % 2 === 0 ? '203.0.113.9' : '::ffff:203.0.113.9'));
  }
  expect(busy.at(-1)).toBe(429);
  expect(await ask('203.0.113.10')).toBe(401);
});

test('a trusted proxy causes no warning', () => {
  expect(svc.lines.join('')).not.toContain('SVC_TRUSTED_PROXIES');
});

test('behind a trusted proxy the limit counts the forwarded address', async () => {
  const body = { pms: 'nobody', external_id: 't', signature: 'x' };
  const ask = (caller: string) =>
    svc.call('POST', '/widget/session', { body, headers: { 'x-forwarded-for': caller } });
  const busy = [];
  for (let attempt = 0; attempt < 9; attempt += 1) busy.push((await ask('203.0.113.5')).status);
  expect(busy.at(-1)).toBe(429);
  expect((await ask('203.0.113.6')).status).toBe(401);
});
