import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase, raw } from '@svc/db';
import { startPostgres } from '@svc/db/testing';
import { verifyWebhook } from '@svc/node';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../../../../packages/webhooks/src/testing/receiver.ts';
import { engineOnly } from '../../src/http/routes/through-svix.ts';
import { routes } from '../../src/http/routes.ts';
import { ada, type Running, startRunning } from '../harness.ts';
import {
  findSvixServer,
  freePort,
  type SvixServer,
  startSvixServer,
} from '../support/svix-server.ts';

// The endpoints of our API with each delivery provider: our engine, and a real svix-server.

const binary = findSvixServer();
if (binary === undefined) {
  console.warn('Endpoints on svix-server are not tested: set SVIX_SERVER_BIN to its program.');
}
const cleanUp: (() => unknown)[] = [];
let server: SvixServer;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await openReceiver();
  cleanUp.push(() => receiver.close());
  if (binary === undefined) return;
  const postgres = await startPostgres();
  cleanUp.push(() => postgres.stop());
  const admin = await openDatabase({ url: postgres.url('postgres') }, { pool: 1 });
  await admin.run(raw('create database svix'));
  await admin.close();
  server = await startSvixServer({ binary, databaseUrl: postgres.url('svix') });
  cleanUp.push(() => server.kill());
});
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});

/** A service that hands its webhooks to the Svix server at `serverUrl`. */
function startWithSvix(serverUrl = server.url, token = server.token): Promise<Running> {
  return startRunning({ webhooks: 'svix', svix: { serverUrl, token } });
}

const providers = [
  { provider: 'embedded', skip: false, start: () => startRunning() },
  { provider: 'svix', skip: binary === undefined, start: () => startWithSvix() },
];

describe.each(providers.filter(({ skip }) => !skip))('with $provider', ({ provider, start }) => {
  let svc: Running;
  beforeAll(async () => {
    svc = await start();
  });
  afterAll(() => svc.close());

  test('an endpoint is created, read, changed and deleted', async () => {
    const { key } = await svc.newPartner();
    const input = {
      url: `${receiver.url}/life`,
      uid: 'ledger',
      description: 'Ledger service',
      event_types: ['settlement.*', 'plan.created'],
      channels: ['books'],
      headers: { 'X-Team': 'ledger' },
      throttle_per_second: 20,
      metadata: { team: 'ledger' },
    };
    const created = await svc.call('POST', '/webhooks/endpoints', { key, body: input });
    expect(created).toMatchObject({
      status: 200,
      data: {
        id: expect.stringMatching(/^ep_/),
        url: input.url,
        uid: 'ledger',
        description: 'Ledger service',
        channels: ['books'],
        header_names: ['x-team'],
        throttle_per_second: 20,
        metadata: { team: 'ledger' },
        state: 'enabled',
      },
    });
    const expected =
      provider === 'embedded'
        ? ['plan.created', 'settlement.*']
        : ['plan.created', 'settlement.created', 'settlement.failed', 'settlement.updated'];
    expect(created.data.event_types).toEqual(expected);
    expect((await svc.call('GET', '/webhooks/endpoints/ledger', { key })).data).toEqual(
      created.data,
    );
    const second = await svc.call('POST', '/webhooks/endpoints', { key, body: input });
    expect(second).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
    const change = { description: null, state: 'disabled', event_types: null, headers: {} };
    const changed = await svc.call('PATCH', '/webhooks/endpoints/ledger', { key, body: change });
    expect(changed.data).toMatchObject({
      description: null,
      state: 'disabled',
      event_types: null,
      header_names: [],
      uid: 'ledger',
    });
    const list = await svc.call('GET', '/webhooks/endpoints', { key });
    expect(list.data.items.map(({ id }: { id: string }) => id)).toEqual([created.data.id]);
    expect((await svc.call('DELETE', '/webhooks/endpoints/ledger', { key })).status).toBe(200);
    expect(await svc.call('GET', `/webhooks/endpoints/${created.data.id}`, { key })).toMatchObject({
      status: 404,
      error: { code: 'endpoint_not_found' },
    });
    const { data: log } = await svc.call('GET', '/webhooks/audit_log', { key });
    const actions = log.items.map(({ action }: { action: string }) => action);
    expect(actions.reverse()).toEqual(['endpoint.created', 'endpoint.updated', 'endpoint.deleted']);
  });

  test('webhooks arrive, and the secret that the API returns verifies them', async () => {
    const { key } = await svc.newPartner();
    const body = { url: `${receiver.url}/${provider}`, event_types: ['tenant.*', 'plan.created'] };
    const { data: endpoint } = await svc.call('POST', '/webhooks/endpoints', { key, body });
    const secretOf = async () =>
      (await svc.call('GET', `/webhooks/endpoints/${endpoint.id}/secret`, { key })).data.secret;
    const secret = await secretOf();
    await svc.call('POST', '/tenant/portal_info/t-1', { key, body: ada });
    const custom = { event_type: 'plan.created', data: { n: 1 } };
    const { data: published } = await svc.call('POST', '/webhooks/messages', { key, body: custom });
    const arrived = () => receiver.received.filter(({ path }) => path === `/${provider}`);
    const idOf = ({ body }: { body: string }) => (JSON.parse(body) as { id: string }).id;
    await expect.poll(() => arrived().map(idOf)).toContain(published.id);
    for (const { body, headers } of arrived()) {
      // Our engine signs with the fixed time of this test, and Svix with the real one.
      const now = () => new Date(Number(headers['webhook-timestamp']) * 1_000);
      expect(() => verifyWebhook(body, headers, secret, { now })).not.toThrow();
    }
    const rotated = await svc.call('POST', `/webhooks/endpoints/${endpoint.id}/secret/rotate`, {
      key,
      body: { overlap_seconds: 0 },
    });
    expect(rotated.data.secret).not.toBe(secret);
    expect(await secretOf()).toBe(rotated.data.secret);
  });

  test('a partner sees no endpoint of another', async () => {
    const [one, other] = [await svc.newPartner(), await svc.newPartner()];
    const body = { url: `${receiver.url}/own` };
    const { data } = await svc.call('POST', '/webhooks/endpoints', { key: one.key, body });
    const path = `/webhooks/endpoints/${data.id}`;
    for (const method of ['GET', 'DELETE']) {
      expect((await svc.call(method, path, { key: other.key })).status).toBe(404);
    }
    const list = await svc.call('GET', '/webhooks/endpoints', { key: other.key });
    expect(list.data.items).toEqual([]);
  });
});

describe.skipIf(binary === undefined)('with a real svix-server', () => {
  let svc: Running;
  beforeAll(async () => {
    svc = await startWithSvix();
  });
  afterAll(() => svc.close());

  test('settings that Svix does not have are refused by name', async () => {
    const { key } = await svc.newPartner();
    const body = {
      url: `${receiver.url}/x`,
      auth: { type: 'basic', username: 'a', password: 'b' },
      disable_on_gone: true,
      channels: ['a:b'],
    };
    const answer = await svc.call('POST', '/webhooks/endpoints', { key, body });
    expect(answer).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
    expect(answer.error?.errors?.map(({ param }) => param)).toEqual([
      'auth',
      'disable_on_gone',
      'channels',
    ]);
  });

  test('each call about deliveries of our own refuses by name', async () => {
    const { key } = await svc.newPartner();
    const rows = routes.filter(({ method, path }) => engineOnly.has(`${method} ${path}`));
    expect(rows).toHaveLength(engineOnly.size);
    for (const { method, path, summary, docs } of rows) {
      const parameters = path.replaceAll(/\{\w+\}/g, 'x');
      const body = bodies[`${method} ${path}`];
      const answer = await svc.call(method, parameters, { key, ...(body && { body }) });
      expect(answer, path).toMatchObject({ status: 409, error: { code: 'delivered_by_svix' } });
      expect(answer.error?.message).toContain(docs?.id ?? summary);
    }
  });

  test('the open-source server has no portal; the console with the scope admin remains', async () => {
    const { key } = await svc.newPartner();
    const path = '/partner/webhook_portal_url';
    const refused = await svc.call('GET', path, { key });
    expect(refused).toMatchObject({ status: 409, error: { code: 'delivered_by_svix' } });
    expect(refused.error?.message).toContain('?scope=admin');
    const admin = await svc.call('GET', `${path}?scope=admin`, { key });
    expect(admin.data.url).toContain(`${svc.url}/portal#`.replace('127.0.0.1', 'localhost'));
  });

  test('the doctor and the checklist leave out what only our engine can see', async () => {
    const { key } = await svc.newPartner();
    const { data } = await svc.call('POST', '/partner/doctor', { key, body: {} });
    const webhook = data.checks.find(({ id }: { id: string }) => id === 'webhook_valid');
    expect(webhook).toMatchObject({ status: 'skipped', detail: expect.stringContaining('Svix') });
    const { data: list } = await svc.call('GET', '/partner/go_live', { key });
    const ids = list.items.map(({ id }: { id: string }) => id);
    expect(ids).toContain('origins_set');
    expect(ids).not.toContain('webhook_delivered');
  });
});

/** Bodies that pass the schema, so that the refusal is about the provider. */
const bodies: Record<string, object> = {
  'POST /webhooks/endpoints/{id}/public_key/rotate': {},
  'POST /webhooks/endpoints/{id}/test': { event_type: 'plan.created' },
  'POST /webhooks/messages/{id}/replay': { endpoint_id: 'ep_1' },
  'POST /webhooks/replays': { endpoint_id: 'ep_1', since: '2026-01-01T00:00:00Z' },
};

test('a server that refuses the token, answers HTML or is away makes calls unavailable', async () => {
  const page = createServer((_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  await new Promise<void>((done) => page.listen(0, '127.0.0.1', done));
  const unauthorized = createServer((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"x","detail":""}');
  });
  await new Promise<void>((done) => unauthorized.listen(0, '127.0.0.1', done));
  const urlOf = (it: typeof page) => `http://127.0.0.1:${(it.address() as AddressInfo).port}`;
  const away = `http://127.0.0.1:${await freePort()}`;
  const token = 'token-that-no-log-may-contain';
  try {
    for (const url of [urlOf(page), urlOf(unauthorized), away]) {
      const svc = await startWithSvix(url, token);
      try {
        const { key } = await svc.newPartner();
        const answer = await svc.call('GET', '/webhooks/endpoints', { key });
        expect(answer).toMatchObject({ status: 503, error: { code: 'unavailable' } });
        expect(JSON.stringify(svc.lines)).not.toContain(token);
      } finally {
        await svc.close();
      }
    }
  } finally {
    page.close();
    unauthorized.close();
  }
});
