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
