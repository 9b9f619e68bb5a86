import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portalInfoInput } from '@svc/contract';
import { sql } from '@svc/db';
import { oneRowOf, rowsOf, testKind } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';

const svc = await useService();

const portalInfo = '/tenant/portal_info/t-1';
const withKey = (key: string) => ({ 'idempotency-key': key });

test('a repeated key and body return the same token and store nothing twice', async () => {
  const { key, id } = await svc.newPartner();
  const request = { key, body: ada, headers: withKey('once') };
  const first = await svc.call('POST', portalInfo, request);
  const again = await svc.call('POST', portalInfo, request);
  expect(first.status).toBe(200);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.data).toEqual(first.data);
  expect(await tokensOf(id)).toBe(1);
});

test('twenty concurrent calls have one effect and one answer', async () => {
  const { key, id } = await svc.newPartner();
  const request = { key, body: ada, headers: withKey('many') };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => svc.call('POST', portalInfo, request)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ data }) => data.token)).size).toBe(1);
  const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
  expect(replayed).toHaveLength(19);
  expect(await tokensOf(id)).toBe(1);
});

test('another body with the same key is refused; other paths and partners have their own keys', async () => {
  const [mine, other] = [await svc.newPartner(), await svc.newPartner()];
  const headers = withKey('shared');
  await svc.call('POST', portalInfo, { key: mine.key, body: ada, headers });
  const changed = { ...ada, first_name: 'Eve' };
  expect(
    await svc.call('POST', portalInfo, { key: mine.key, body: changed, headers }),
  ).toMatchObject({ status: 422, error: { code: 'idempotency_key_reused' } });
  for (const [key, path] of [
    [other.key, portalInfo],
    [mine.key, '/tenant/portal_info/t-2'],
  ] as const) {
    const answer = await svc.call('POST', path, { key, body: changed, headers });
    expect(answer.status).toBe(200);
  }
});

test('a body in another order of keys is the same request, and another value is not', async () => {
  const { key } = await svc.newPartner();
  const headers = withKey('order');
  const metadata = { a: '1', b: '2' };
  const first = await svc.call('POST', portalInfo, { key, headers, body: { ...ada, metadata } });
  const reversed = Object.fromEntries(
    Object.entries({ ...ada, metadata: { b: '2', a: '1' } }).reverse(),
  );
  const again = await svc.call('POST', portalInfo, { key, headers, body: reversed });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.data).toEqual(first.data);
  const swapped = { ...ada, metadata: { a: '2', b: '1' } };
  expect(await svc.call('POST', portalInfo, { key, headers, body: swapped })).toMatchObject({
    status: 422,
    error: { code: 'idempotency_key_reused' },
  });
  // The order of a list has a meaning.
  const endpoint = (channels: string[]) => ({ url: 'https://localhost:9/', channels });
  const created = await svc.call('POST', '/webhooks/endpoints', {
    key,
    headers,
    body: endpoint(['a', 'b']),
  });
  expect(created.status).toBe(200);
  const other = await svc.call('POST', '/webhooks/endpoints', {
    key,
    headers,
    body: endpoint(['b', 'a']),
  });
  expect(other.error?.code).toBe('idempotency_key_reused');
});

test('a request that an older service answered is replayed after an upgrade', async () => {
  const { key, id } = await svc.newPartner();
  const request = {
    key,
    body: { ...ada, metadata: { b: '2', a: '1' } },
    headers: withKey('older'),
  };
  const first = await svc.call('POST', portalInfo, request);
  // As services before 0.3.0 stored it: the parsed input, with the caller's order of keys.
  const input = {
    params: { external_id: 't-1' },
    query: {},
    body: portalInfoInput.parse(request.body),
  };
  const [digest] = svc.service.vault.digests(JSON.stringify(input));
  const stored = await svc.db.run(sql`
    update idempotency_key set body_sha256 = ${digest}
    where partner_id = ${id} and key = 'older' and body_sha256 <> ${digest}`);
  expect(stored).toBe(1);
  const again = await svc.call('POST', portalInfo, request);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.data).toEqual(first.data);
});

// The embedded database has one session, so no call can wait for another.
if (testKind() === 'postgres') {
  test('a call whose key is in use waits, and is then asked to retry', async () => {
    const { key, id } = await svc.newPartner();
    const scope = `${id} POST /v1${portalInfo}`;
    const blocking = svc.db.transaction(async (tx) => {
      await tx.run(sql`
      insert into idempotency_key (partner_id, scope, key, body_sha256, created_at)
      values (${id}, ${scope}, 'held', ${Buffer.alloc(32)}, ${svc.clock.now()})`);
      const headers = withKey('held');
      const waiting = await svc.call('POST', portalInfo, { key, body: ada, headers });
      expect(waiting).toMatchObject({
        status: 409,
        error: { code: 'idempotency_key_in_progress' },
      });
      expect(waiting.headers.get('retry-after')).toBe('1');
      throw new Error('rolled back');
    });
    await expect(blocking).rejects.toThrow('rolled back');
    const after = await svc.call('POST', portalInfo, { key, body: ada, headers: withKey('held') });
    expect(after.status).toBe(200);
  });
}

test('a test send claims its key before it sends, so a concurrent duplicate is refused', async () => {
  const { key } = await svc.newPartner();
  const receiver = await openSlowReceiver();
  const endpoint = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: receiver.url },
  });
  const path = `/webhooks/endpoints/${endpoint.data.id}/test`;
  const request = { key, body: { event_type: 'plan.created' }, headers: withKey('test') };
  const sending = svc.call('POST', path, request);
  await receiver.reached;
  expect(await svc.call('POST', path, request)).toMatchObject({
    status: 409,
    error: { code: 'idempotency_key_in_progress' },
  });
  receiver.answer();
  const sent = await sending;
  expect(sent).toMatchObject({ status: 200, data: { status: 204, trigger: 'test' } });
  const again = await svc.call('POST', path, request);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.data).toEqual(sent.data);
  expect(receiver.count()).toBe(1);
  await receiver.close();
});

test('permanent refusals are replayed, fixable ones are not', async () => {
  const { key } = await svc.newPartner();
  const replay = { key, body: { endpoint_id: 'ep_none' }, headers: withKey('replay') };
  const path = '/webhooks/messages/evt_none/replay';
  const first = await svc.call('POST', path, replay);
  expect(first).toMatchObject({ status: 404, error: { code: 'endpoint_not_found' } });
  const again = await svc.call('POST', path, replay);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.error).toEqual(first.error);

  const headers = withKey('fixed');
  const wrong = await svc.call('POST', portalInfo, { key, body: { ...ada, email: 1 }, headers });
  expect(wrong.status).toBe(422);
  const right = await svc.call('POST', portalInfo, { key, body: ada, headers });
  expect(right.status).toBe(200);
});

test('a key can be reused after a day', async () => {
  const { key } = await svc.newPartner();
  const request = { key, body: ada, headers: withKey('day') };
  const first = await svc.call('POST', portalInfo, request);
  svc.clock.advance(24 * 3_600_000 + 1);
  const later = await svc.call('POST', portalInfo, request);
  expect(later.headers.get('idempotent-replayed')).toBeNull();
  expect(later.data.token).not.toBe(first.data.token);
});

test('stored answers are encrypted', async () => {
  const { key } = await svc.newPartner();
  const request = { key, body: ada, headers: withKey('sealed') };
  const { data } = await svc.call('POST', portalInfo, request);
  const rows = await rowsOf<{ body: Buffer }>(
    svc.db,
    sql`
    select body_sealed as body from idempotency_key where body_sealed is not null`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { body } of rows) expect(body.includes(data.token)).toBe(false);
});

test.each(['', 'with space', 'x'.repeat(256), 'ümlaut'])('the key %j is refused', async (value) => {
  const { key } = await svc.newPartner();
  const headers = withKey(Buffer.from(value).toString('latin1'));
  expect(await svc.call('POST', portalInfo, { key, body: ada, headers })).toMatchObject({
    status: 400,
    error: { code: 'invalid_idempotency_key' },
  });
});

async function tokensOf(partnerId: string): Promise<number> {
  const row = await oneRowOf<{ count: number }>(
    svc.db,
    sql`
    select count(*) as count from tenant_token k join tenant t on t.partner_id = k.partner_id and t.id = k.tenant_id
    where t.partner_id = ${partnerId}`,
  );
  return row.count;
}

async function openSlowReceiver() {
  let count = 0;
  let reach = () => {};
  let answer = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    answer = () => void response.writeHead(204).end();
    reach();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    reached,
    answer: () => answer(),
    count: () => count,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
