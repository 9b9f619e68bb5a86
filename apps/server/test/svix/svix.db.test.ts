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
