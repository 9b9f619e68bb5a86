import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';

const svc = await useService();
const minuteMs = 60_000;

test('a session idles out 15 minutes after its last use, and is written at most once a minute', async () => {
  const { key, pms } = await svc.newPartner();
  const { data } = await svc.call('POST', '/tenant/portal_info/t-1', { key, body: ada });
  const signature = await signWidget({ apiKey: key, pms, externalId: 't-1' });
  const identity = { pms, external_id: 't-1', signature };
  const exchanged = await svc.call('POST', '/experience/session', {
    body: { ...identity, token: data.token, nonce: 'nonce-of-this-frame-1' },
  });
  const headers = { authorization: `Bearer ${exchanged.data.session}` };
  const read = async () => (await svc.call('GET', '/experience/state', { headers })).status;
  const writes = async () => {
    const { version } = await oneRowOf<{ version: string }>(
      svc.db,
      sql`
      select xmin::text as version from experience_session`,
    );
    return version;
  };
  const opened = await writes();
  svc.clock.advance(59_999);
  expect(await read()).toBe(200);
  expect(await writes()).toBe(opened);
  svc.clock.advance(1);
  expect(await read()).toBe(200);
  const used = await writes();
  expect(used).not.toBe(opened);
  svc.clock.advance(15 * minuteMs - 1);
  expect(await read()).toBe(200);
  svc.clock.advance(15 * minuteMs);
  const late = await svc.call('GET', '/experience/state', { headers });
  expect(late).toMatchObject({ status: 401, error: { code: 'token_expired' } });
});
