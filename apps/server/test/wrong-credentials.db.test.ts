import { expect, test } from 'vitest';
import { useService } from './harness.ts';

const svc = await useService();
const { key } = await svc.newPartner();

test.each([
  ['no scheme', key, 'without "Bearer"'],
  ['Basic', `Basic ${Buffer.from(`${key}:`).toString('base64')}`, 'the scheme Basic'],
  ['no key', 'Bearer ', 'no key after Bearer'],
  ['double quotation marks', `Bearer "${key}"`, 'quotation marks'],
  ['single quotation marks', `Bearer '${key}'`, 'quotation marks'],
  ['a webhook secret', 'Bearer whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'signing secret'],
  ['a tenant token', 'Bearer svc_tt_abc', 'a tenant token'],
  ['a character less', `Bearer ${key.slice(0, -1)}`, 'missing character'],
])('a 401 says what is wrong with the header: %s', async (_, authorization, expected) => {
  const answer = await svc.call('GET', '/partner', { headers: { authorization } });
  expect(answer).toMatchObject({ status: 401, error: { code: 'invalid_credentials' } });
  expect(answer.error?.message).toContain(expected);
  expect(answer.error?.message).not.toContain(key.slice(12, 30));
});

test('the scheme is read in any case, and the right key passes', async () => {
  const headers = { authorization: `bearer ${key}` };
  expect((await svc.call('GET', '/partner', { headers })).status).toBe(200);
});
