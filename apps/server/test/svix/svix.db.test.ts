import { Svix } from 'svix';
import { expect, test } from 'vitest';
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
