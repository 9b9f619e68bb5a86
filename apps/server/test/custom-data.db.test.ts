import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { useService } from './harness.ts';

// Each of these is altered by JSON.parse followed by JSON.stringify.
const data = String.raw`{ "large": 12345678901234567890, "whole": 1.0, "exponent": 1E2,
  "b": "caf\u00e9 \/ café", "10": "before 9", "9": -0, "twice": 1, "twice": 2, "none": {	} }`;
const event_type = 'plan.created';
const request = `{"event_type":"${event_type}","data":${data} ,"external_id":"t-9"}`;

let status = 204;
const received: string[] = [];
const receiver = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    received.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(status).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
afterEach(() => {
  received.length = 0;
  status = 204;
});
const svc = await useService();

async function partnerWithEndpoint() {
  const { key } = await svc.newPartner();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const made = await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  return { key, endpoint: made.data.id as string };
}

async function rawText(path: string, key: string): Promise<string> {
  const response = await fetch(`${svc.url}/v1${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.text();
}

test('the data of a custom event has the same bytes in every attempt, replay and response', async () => {
  const { key, endpoint } = await partnerWithEndpoint();
  status = 500;
  const { data: published } = await svc.call('POST', '/webhooks/messages', { key, body: request });
  await svc.engine.idle();
  status = 204;
  const replay = { key, body: { endpoint_id: endpoint } };
  await svc.call('POST', `/webhooks/messages/${published.id}/replay`, replay);
  await svc.engine.idle();
  const [first, second] = received;
  expect(received).toHaveLength(2);
  expect(first).toMatch(/^\{"id":"evt_/);
  expect(first?.endsWith(`"custom":true,"data":${data}}`)).toBe(true);
  expect(second).toBe(first);
  const message = await svc.call('GET', `/webhooks/messages/${published.id}`, { key });
  expect(message.data.body).toBe(first);
  await expect
    .poll(() => rawText('/events', key))
    .toBe(`{"error":null,"data":{"items":[${first}],"next_cursor":null}}`);
});

test('a test send sends the given data unchanged, or the example without data', async () => {
  const { key, endpoint } = await partnerWithEndpoint();
  const path = `/webhooks/endpoints/${endpoint}/test`;
  const body = `{"data":${data},"event_type":"${event_type}"}`;
  const { data: attempt } = await svc.call('POST', path, { key, body });
  expect(received[0]?.endsWith(`"test":true,"data":${data}}`)).toBe(true);
  const message = await svc.call('GET', `/webhooks/messages/${attempt.message_id}`, { key });
  expect(message.data.body).toBe(received[0]);
  await svc.call('POST', path, { key, body: { event_type } });
  expect(JSON.parse(received[1] ?? '').data).toMatchObject({ object_version: 1 });
});

test('an Idempotency-Key is refused for another text that parses to the same number', async () => {
  const { key } = await partnerWithEndpoint();
  const publish = (number: string) =>
    svc.call('POST', '/webhooks/messages', {
      key,
      body: `{"event_type":"${event_type}","data":{"n":${number}}}`,
      headers: { 'idempotency-key': 'once' },
    });
  const first = await publish('12345678901234567890');
  const again = await publish('12345678901234567890');
  expect(again).toMatchObject({ status: 200, data: { id: first.data.id } });
  expect(await publish('12345678901234567891')).toMatchObject({
    status: 422,
    error: { code: 'idempotency_key_reused' },
  });
});

test('sends for testing are listed only with test=true, by endpoint, type and page', async () => {
  const { key, endpoint } = await partnerWithEndpoint();
  const { data: other } = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: 'http://127.0.0.1:9/other' },
  });
  const real = await svc.call('POST', '/webhooks/messages', { key, body: request });
  const send = async (id: string, type: string) => {
    const path = `/webhooks/endpoints/${id}/test`;
    const { data: attempt } = await svc.call('POST', path, { key, body: { event_type: type } });
    svc.clock.advance(1);
    return attempt.message_id as string;
  };
  const first = await send(endpoint, 'plan.created');
  const second = await send(endpoint, 'settlement.created');
  const third = await send(other.id, 'plan.created');
  const list = async (query: string) => {
    const { data } = await svc.call('GET', `/webhooks/messages?${query}`, { key });
    return data.items.map((it: { id: string }) => it.id);
  };
  expect(await list('test=true')).toEqual([third, second, first]);
  // The second endpoint's creation is reported to the first one.
  const usual = [real.data.id, expect.stringMatching(/^evt_/)];
  expect(await list('test=false')).toEqual(usual);
  expect(await list('')).toEqual(usual);
  expect(await list(`test=true&endpoint_id=${endpoint}`)).toEqual([second, first]);
  expect(await list('test=true&event_type=plan.*')).toEqual([third, first]);
  expect(await list(`test=true&q=${second}`)).toEqual([second]);
  const page = await svc.call('GET', '/webhooks/messages?test=true&limit=2', { key });
  expect(page.data.items[0]).toMatchObject({ test: true, deliveries: [] });
  expect(await list(`test=true&limit=2&cursor=${page.data.next_cursor}`)).toEqual([first]);
  const attempts = await svc.call('GET', `/webhooks/messages/${third}/attempts`, { key });
  expect(attempts.data.items).toMatchObject([{ trigger: 'test', endpoint_id: other.id }]);
  const refused = await svc.call('GET', '/webhooks/messages?test=true&state=failed', { key });
  expect(refused).toMatchObject({ status: 422, error: { param: 'state' } });
  const { key: theirs } = await svc.newPartner();
  const none = await svc.call('GET', '/webhooks/messages?test=true', { key: theirs });
  expect(none.data.items).toEqual([]);
  await svc.engine.idle();
});

test('an event_id is published once, also by calls at once; another event with it is refused', async () => {
  const { key } = await partnerWithEndpoint();
  const publish = (more: object, as = key) =>
    svc.call('POST', '/webhooks/messages', { key: as, body: { event_type, data: {}, ...more } });
  const event_id = 'ci:42';
  const answers = await Promise.all([1, 2, 3].map(() => publish({ event_id })));
  const [{ data: one }] = answers as [(typeof answers)[0]];
  expect(one).toMatchObject({ id: expect.stringMatching(/^evt_/), event_id });
  expect(new Set(answers.map(({ data: sent }) => sent.id)).size).toBe(1);
  expect(answers.filter(({ data: sent }) => !sent.duplicate)).toHaveLength(1);
  await svc.engine.idle();
  expect(received.filter((body) => body.includes(one.id))).toHaveLength(1);
  expect(received).toHaveLength(1);
  expect(await publish({ event_id, data: { changed: true } })).toMatchObject({
    status: 409,
    error: { code: 'event_id_reused', param: 'event_id' },
  });
  const { key: theirs } = await svc.newPartner();
  expect((await publish({ event_id }, theirs)).data.duplicate).toBe(false);
  expect((await publish({ event_id: 'not an id' })).error?.errors?.[0]?.param).toBe('event_id');
  expect((await publish({})).data).toMatchObject({ event_id: null, duplicate: false });
  const audited = await svc.call('GET', '/webhooks/audit_log', { key });
  const published = audited.data.items.filter(
    (it: { action: string }) => it.action === 'message.published',
  );
  expect(published).toHaveLength(2);
});

test('an endpoint keeps metadata through create, read, update and list', async () => {
  const { key, endpoint } = await partnerWithEndpoint();
  const path = `/webhooks/endpoints/${endpoint}`;
  const read = async () => (await svc.call('GET', path, { key })).data.metadata;
  expect(await read()).toEqual({});
  const metadata = { team: 'Ledger', pager: '+1 512 555 0142' };
  const changed = await svc.call('PATCH', path, { key, body: { metadata } });
  expect(changed.data.metadata).toEqual(metadata);
  await svc.call('PATCH', path, { key, body: { description: 'Other' } });
  expect(await read()).toEqual(metadata);
  const listed = await svc.call('GET', '/webhooks/endpoints', { key });
  expect(listed.data.items).toMatchObject([{ id: endpoint, metadata }]);
  expect((await svc.call('PATCH', path, { key, body: { metadata: null } })).data.metadata).toEqual(
    {},
  );
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 'v']));
  for (const wrong of [many, { team: 7 }, { ['k'.repeat(41)]: 'v' }, { team: 'v'.repeat(501) }]) {
    const refused = await svc.call('PATCH', path, { key, body: { metadata: wrong } });
    expect(refused.status).toBe(422);
    expect(refused.error?.errors?.[0]?.param).toMatch(/^metadata/);
  }
});
