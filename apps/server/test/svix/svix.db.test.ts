import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Svix } from 'svix';
import { expect, onTestFinished, test } from 'vitest';
import { callAt, useService } from '../harness.ts';
import { playSvix } from './play-svix.ts';

const svc = await useService();

test('the svix client 1.x manages endpoints, sends, reads and recovers', async () => {
  await playSvix(svc, {
    open: (key, serverUrl) => new Svix(key, { serverUrl }),
    typesField: 'filterTypes',
  });
});

test('a repeated Idempotency-Key sends once, and an unknown call is 404 in Svix’s shape', async () => {
  const { key, pms } = await svc.newPartner();
  const { message } = new Svix(key, { serverUrl: `${svc.url}/svix` });
  const input = { eventType: 'plan.created', payload: { n: 1 } };
  const options = { idempotencyKey: 'once' };
  const first = await message.create(pms, input, options);
  const second = await message.create(pms, input, options);
  expect(second.id).toBe(first.id);
  const call = (path: string) =>
    fetch(`${svc.url}/svix/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  const unknown = await call(`/app/${pms}/integration`);
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({ code: 'not_found', detail: expect.any(String) });
  const bare = await callAt(`${svc.url}/svix/api/v1/event-type`, 'GET', {});
  expect(bare.status).toBe(401);
});

test('calls are in the partner’s request log, and an API key in a browser is refused', async () => {
  const { key, pms } = await svc.newPartner();
  const { endpoint, message } = new Svix(key, { serverUrl: `${svc.url}/svix` });
  const payload = { note: 'Ada Lane' };
  await message.create(pms, { eventType: 'plan.created', eventId: 'order:1', payload });
  const unknownType = { eventType: 'plan.craeted', eventId: 'order:2', payload };
  await message.create(pms, unknownType).catch(() => undefined);
  await endpoint.get(pms, 'ep_none').catch(() => undefined);
  const refused = await fetch(`${svc.url}/svix/api/v1/app/${pms}/msg`, {
    headers: { authorization: `Bearer ${key}`, origin: 'https://portal.example' },
  });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'forbidden', detail: expect.any(String) });
  expect(refused.headers.get('access-control-allow-origin')).toBe('https://portal.example');
  const read = (path: string) => svc.call('GET', `/partner/requests${path}`, { key });
  const { items } = (await read('?path=/svix')).data;
  expect(items).toMatchObject([
    { method: 'GET', path: `/svix/api/v1/app/${pms}/msg`, status: 403, code: 'browser_call' },
    { method: 'GET', path: `/svix/api/v1/app/${pms}/endpoint/ep_none`, status: 404 },
    { method: 'POST', path: `/svix/api/v1/app/${pms}/msg`, status: 422, code: 'validation_failed' },
    { method: 'POST', path: `/svix/api/v1/app/${pms}/msg`, status: 202, code: null },
  ]);
  expect((await read(`/${items[3].request_id}`)).data.request_body).toEqual({
    eventType: 'plan.created',
    eventId: 'order:1',
    payload: '[redacted]',
  });
  expect((await read(`/${items[2].request_id}`)).data.error).toMatchObject({
    code: 'validation_failed',
    errors: [{ param: 'event_type' }],
    doc_url: expect.stringMatching(/\/docs\/errors#validation_failed$/),
  });
});

test('a page in a browser can read that its call is refused', async () => {
  const origin = 'https://portal.example';
  for (const path of ['app/oak/msg', 'app/oak/endpoint/ep_1', 'event-type/']) {
    const preflight = await fetch(`${svc.url}/svix/api/v1/${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
    for (const header of ['authorization', 'svix-req-id', 'svix-retry-count', 'user-agent']) {
      expect(preflight.headers.get('access-control-allow-headers')).toContain(header);
    }
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  }
  const answered = await callAt(`${svc.url}/svix/api/v1/event-type`, 'GET', {
    headers: { origin },
  });
  expect(answered.status).toBe(401);
  expect(answered.headers.get('access-control-allow-origin')).toBeNull();
});

/** A partner with an endpoint that answers 400, and the answer to each call in Svix's shape. */
async function withFailedAttempt() {
  const { key, pms } = await svc.newPartner();
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const { endpoint, message } = new Svix(key, { serverUrl: `${svc.url}/svix` });
  const { id } = await endpoint.create(pms, { url: `http://127.0.0.1:${port}/` });
  const sent = await message.create(pms, { eventType: 'plan.created', payload: {} });
  await svc.engine.idle();
  const read = async (path: string) => {
    const response = await fetch(`${svc.url}/svix/api/v1/app/${pms}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = await response.json();
    return { status: response.status, count: body.data?.length, body };
  };
  return { id, sent, read, endpoint, pms };
}

test('filters by status and by class of the response', async () => {
  const { id, sent, read } = await withFailedAttempt();
  for (const list of [`/attempt/endpoint/${id}`, `/attempt/msg/${sent.id}`]) {
    const count = async (query: string) => (await read(`${list}?${query}`)).count;
    expect(await count('')).toBe(1);
    expect(await count('status=2')).toBe(1);
    // An attempt is never pending or being sent when it is listed.
    for (const status of [0, 1, 3, 4]) expect(await count(`status=${status}`)).toBe(0);
    expect(await count('status_code_class=400')).toBe(1);
    for (const other of [0, 100, 200, 300, 500]) {
      expect(await count(`status_code_class=${other}`)).toBe(0);
    }
    expect(await count('after=2026-01-01T00:00:00Z')).toBe(1);
    expect(await count('before=2026-01-01T00:00:00Z')).toBe(0);
  }
  const messages = async (status: number) =>
    (await read(`/endpoint/${id}/msg?status=${status}`)).count;
  expect(await messages(1)).toBe(1);
  for (const status of [0, 2, 3, 4]) expect(await messages(status)).toBe(0);
});

test('a parameter with a wrong value, or given twice, is 422 with its name', async () => {
  const { id, read } = await withFailedAttempt();
  for (const [query, param] of [
    ['status=7', 'status'],
    ['status=failed', 'status'],
    ['status=0&status=2', 'status'],
    ['status_code_class=4&status_code_class=5', 'status_code_class'],
    ['status_code_class=404', 'status_code_class'],
    ['limit=1&limit=2', 'limit'],
    ['limit=0', 'limit'],
    ['limit=x', 'limit'],
    ['iterator=abc', 'cursor'],
    ['iterator=a&iterator=b', 'iterator'],
    ['order=up', 'order'],
    ['order=ascending', 'order'],
    ['before=a', 'before'],
    ['before=2026-01-01&before=2026-01-02', 'before'],
    ['channel=a&channel=b', 'channel'],
    ['event_types=plan.craeted', 'eventType'],
    ['tag=x', 'tag'],
  ]) {
    const { status, body } = await read(`/attempt/endpoint/${id}?${query}`);
    expect([query, status]).toEqual([query, 422]);
    expect(JSON.stringify(body.detail)).toContain(param);
  }
  // A list may be repeated or separated by commas.
  for (const types of [
    'event_types=plan.created&event_types=plan.updated',
    'event_types=plan.created,plan.updated',
  ]) {
    expect((await read(`/attempt/endpoint/${id}?${types}`)).count).toBe(1);
  }
});

test('an address that ends with a slash is the same call, and endpoints have an order', async () => {
  const { id, read, endpoint, pms } = await withFailedAttempt();
  const { id: second } = await endpoint.create(pms, { url: 'https://localhost:9/' });
  const ids = async (path: string) =>
    (await read(path)).body.data.map((it: { id: string }) => it.id);
  expect(await ids('/endpoint/')).toEqual([id, second]);
  expect(await ids('/endpoint?order=ascending')).toEqual([id, second]);
  expect(await ids('/endpoint/?order=descending')).toEqual([second, id]);
  expect((await read(`/endpoint/${id}/`)).body.id).toBe(id);
  const first = await read('/endpoint?order=descending&limit=1');
  expect(first.body.done).toBe(false);
  expect(await ids(`/endpoint?order=descending&limit=1&iterator=${first.body.iterator}`)).toEqual([
    id,
  ]);
});
