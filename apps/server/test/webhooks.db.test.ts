import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { useService } from './harness.ts';

let status = 204;
const receiver = createServer((_, response) => response.writeHead(status).end());
const since = '2026-01-20T00:00:00Z';

await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
const svc = await useService();

async function partnerWithFailures(count: number) {
  const { key } = await svc.newPartner();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const { data } = await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  status = 500;
  const body = { event_type: 'plan.created', data: { note: 'Café' }, external_id: 't-9' };
  for (let sent = 0; sent < count; sent += 1) {
    await svc.call('POST', '/webhooks/messages', { key, body });
  }
  await svc.engine.idle();
  status = 204;
  return { key, endpoint: data.id as string };
}

test('failed messages are previewed, replayed and counted', async () => {
  const { key, endpoint } = await partnerWithFailures(3);
  const body = { endpoint_id: endpoint, since, until: '2026-01-21' };
  const preview = await svc.call('POST', '/webhooks/replays', {
    key,
    body: { ...body, dry_run: true },
  });
  expect(preview.data).toMatchObject({
    id: null,
    total: 3,
    filter: { states: ['failed'], event_types: null },
  });
  const list = () => svc.call('GET', `/webhooks/replays?endpoint_id=${endpoint}`, { key });
  expect((await list()).data.items).toEqual([]);
  const made = await svc.call('POST', '/webhooks/replays', { key, body });
  expect(made.data).toMatchObject({ state: 'running', total: 3, replayed: 0 });
  const read = () => {
    svc.clock.advance(100);
    return svc.call('GET', `/webhooks/replays/${made.data.id}`, { key });
  };
  await expect
    .poll(async () => (await read()).data, { timeout: 20_000 })
    .toMatchObject({
      state: 'completed',
      replayed: 3,
      delivered: 3,
      failed: 0,
    });
  expect((await list()).data.items).toMatchObject([{ id: made.data.id }]);
  const again = await svc.call('POST', `/webhooks/replays/${made.data.id}/cancel`, { key });
  expect(again).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
});

test('a replay is paused, resumed and canceled', async () => {
  const { key, endpoint } = await partnerWithFailures(3);
  const made = await svc.call('POST', '/webhooks/replays', {
    key,
    body: { endpoint_id: endpoint, since, until: '2026-01-21', rate_per_second: 1 },
  });
  const ask = async (what: string) =>
    (await svc.call('POST', `/webhooks/replays/${made.data.id}/${what}`, { key })).data.state;
  expect(await ask('pause')).toBe('paused');
  expect(await ask('resume')).toBe('running');
  expect(await ask('cancel')).toBe('canceled');
  expect(await ask('cancel')).toBe('canceled');
});

test('an empty or too old window and an unknown state are refused with their field', async () => {
  const { key, endpoint } = await partnerWithFailures(0);
  for (const [body, param] of [
    [{ since: '2026-01-21', until: '2026-01-20' }, 'since'],
    [{ since: '2025-01-01' }, 'since'],
    [{ since, filter: { states: ['lost'] } }, 'filter.states[0]'],
    [{ since, rate_per_second: 0 }, 'rate_per_second'],
  ] as const) {
    const answer = await svc.call('POST', '/webhooks/replays', {
      key,
      body: { endpoint_id: endpoint, ...body },
    });
    expect(answer).toMatchObject({ status: 422, error: { errors: [{ param }] } });
  }
  const body = { endpoint_id: 'ep_none', since };
  const foreign = await svc.call('POST', '/webhooks/replays', { key, body });
  expect(foreign).toMatchObject({ status: 404, error: { code: 'endpoint_not_found' } });
});

test('messages are filtered by states, types and text', async () => {
  const { key } = await partnerWithFailures(2);
  const count = async (query: string) => {
    const { data } = await svc.call('GET', `/webhooks/messages?${query}`, { key });
    return data.items.length;
  };
  expect(await count('state=retrying,delivered&event_type=plan.*,tenant.updated')).toBe(2);
  expect(await count('state=delivered')).toBe(0);
  expect(await count('q=caf')).toBe(2);
  expect(await count('q=T-9')).toBe(2);
  expect(await count('q=nothing')).toBe(0);
  const wrong = await svc.call('GET', '/webhooks/messages?state=lost', { key });
  expect(wrong).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
});

test('deliveries are listed with their result, filtered, and exported as files', async () => {
  const { key, endpoint } = await partnerWithFailures(3);
  const body = { event_type: 'plan.created', data: {}, external_id: '=HYPERLINK("http://x")' };
  await svc.call('POST', '/webhooks/messages', { key, body });
  await svc.engine.idle();
  const read = async (query: string) =>
    (await svc.call('GET', `/webhooks/deliveries?${query}`, { key })).data;
  expect((await read('status_class=5xx&limit=2')).items).toMatchObject([
    { status: 500, attempt: 1, max_attempts: 8, external_id: 't-9', endpoint_id: endpoint },
    { status: 500, error_class: 'status', duration_in_ms: expect.any(Number) },
  ]);
  expect((await read('')).items[0]).toMatchObject({ status: 204, succeeded: true });
  expect((await read('order=failures_first')).items.at(-1)).toMatchObject({ status: 204 });
  expect((await read('external_id=t-9&order=failures_first')).items).toHaveLength(3);
  expect((await read('error_class=timeout')).items).toEqual([]);

  const file = (path: string) =>
    fetch(`${svc.origin}/v1/webhooks/deliveries/${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
  const csv = await file('export.csv');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="deliveries.csv"');
  const lines = (await csv.text()).split('\r\n');
  expect(lines).toHaveLength(6);
  expect(lines[0]).toMatch(/^started_at,succeeded,status,.*,id,next_cursor$/);
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://x"")"`);
  const cut = (await (await file('export.csv?limit=2&order=failures_first')).text()).split('\r\n');
  const cursor = /^,+(\S+)$/.exec(cut[3] ?? '')?.[1];
  expect(cut).toHaveLength(5);
  const rest = await file(`export.csv?order=failures_first&cursor=${cursor}`);
  expect((await rest.text()).split('\r\n').slice(1, -1)).toEqual([
    expect.stringContaining(',500,'),
    expect.stringContaining(',204,'),
  ]);
  const json = await file('export.json?limit=3');
  expect(json.headers.get('content-disposition')).toContain('deliveries.json');
  const exported = await json.json();
  expect(exported).toEqual({
    error: null,
    data: { items: (await read('limit=3')).items, next_cursor: expect.any(String) },
  });
  expect(await (await file('export.json?external_id=t-0')).json()).toEqual({
    error: null,
    data: { items: [], next_cursor: null },
  });

  expect(await svc.call('GET', '/webhooks/deliveries/export.csv?cursor=x', { key })).toMatchObject({
    status: 422,
    error: { errors: [{ param: 'cursor' }] },
  });
  const other = await svc.newPartner();
  const foreign = await svc.call('GET', '/webhooks/deliveries', { key: other.key });
  expect(foreign.data.items).toEqual([]);
});

test('a replay is limited to a tenant and the class of the last status', async () => {
  const { key, endpoint } = await partnerWithFailures(2);
  const count = async (filter: object) => {
    const body = { endpoint_id: endpoint, since, until: '2026-01-21', filter, dry_run: true };
    return (await svc.call('POST', '/webhooks/replays', { key, body })).data;
  };
  expect(await count({ status_class: '5xx', external_id: 't-9' })).toMatchObject({
    total: 2,
    filter: { states: ['failed'], status_class: '5xx', external_id: 't-9', channel: null },
  });
  expect((await count({ status_class: '4xx' })).total).toBe(0);
  expect((await count({ external_id: 't-8' })).total).toBe(0);
  expect((await count({ channel: 'north' })).total).toBe(0);
});

test('the payload of a message is expunged, with an audit entry', async () => {
  const { key, endpoint } = await partnerWithFailures(1);
  const list = await svc.call('GET', '/webhooks/messages', { key });
  const at = `/webhooks/messages/${list.data.items[0].id}`;
  const early = await svc.call('POST', `${at}/expunge`, { key, body: {} });
  expect(early).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  const body = { cancel: true };
  const done = await svc.call('POST', `${at}/expunge`, { key, body });
  expect(done.data).toMatchObject({
    body: null,
    expunged_at: expect.any(String),
    deliveries: [{ state: 'skipped', reason: 'expunged', attempts_made: 1 }],
  });
  expect((await svc.call('GET', at, { key })).data).toEqual(done.data);
  const replay = { key, body: { endpoint_id: endpoint } };
  expect(await svc.call('POST', `${at}/replay`, replay)).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining('expunged') },
  });
  expect((await svc.call('GET', '/events', { key })).data.items).toEqual([]);
  const log = await svc.call('GET', '/webhooks/audit_log?group=message', { key });
  expect(log.data.items[0]).toMatchObject({
    action: 'message.expunged',
    subject_id: done.data.id,
    details: body,
  });
});

test('attempts are filtered by endpoint, also by its uid, and by result', async () => {
  const { key, endpoint } = await partnerWithFailures(2);
  const path = `/webhooks/endpoints/${endpoint}`;
  const named = await svc.call('PATCH', path, { key, body: { uid: 'ledger' } });
  expect(named.data).toMatchObject({ id: endpoint, uid: 'ledger' });
  const taken = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: 'http://127.0.0.1:9/', uid: 'ledger' },
  });
  expect(taken).toMatchObject({ status: 409, error: { code: 'version_conflict', param: 'uid' } });
  expect((await svc.call('GET', '/webhooks/endpoints/ledger', { key })).data.id).toBe(endpoint);
  const find = async (query: string) => {
    const { data } = await svc.call('GET', `/webhooks/attempts?${query}`, { key });
    return data.items.map(({ status }: { status: number }) => status);
  };
  expect(await find('endpoint_id=ledger&status_class=5xx&succeeded=false')).toEqual([500, 500]);
  expect(await find('endpoint_id=ledger&status_class=none')).toEqual([]);
  expect(await find('event_type=plan.*&limit=1')).toEqual([500]);
  const removed = await svc.call('DELETE', '/webhooks/endpoints/ledger', { key });
  expect(removed.status).toBe(200);
  const log = await svc.call('GET', `/webhooks/audit_log?endpoint_id=${endpoint}`, { key });
  expect(log.data.items[0]).toMatchObject({ action: 'endpoint.deleted', endpoint_id: endpoint });
});

test('changes of an endpoint are published to other subscribed endpoints only', async () => {
  const { key } = await svc.newPartner();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const types = async () => {
    const { data } = await svc.call('GET', '/events', { key });
    return data.items.map(({ type }: { type: string }) => type);
  };
  const body = { url, event_types: ['endpoint.*'] };
  const listener = await svc.call('POST', '/webhooks/endpoints', { key, body });
  expect(await types()).toEqual([]);
  const made = await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const at = `/webhooks/endpoints/${made.data.id}`;
  await svc.call('PATCH', at, { key, body: { description: 'second' } });
  await svc.call('DELETE', at, { key });
  await expect.poll(types).toEqual(['endpoint.created', 'endpoint.updated', 'endpoint.deleted']);
  const { data } = await svc.call('GET', '/webhooks/messages?event_type=endpoint.updated', { key });
  const [message] = data.items;
  expect(message.deliveries).toMatchObject([{ endpoint_id: listener.data.id }]);
  const read = await svc.call('GET', `/webhooks/messages/${message.id}`, { key });
  expect(JSON.parse(read.data.body)).toMatchObject({
    type: 'endpoint.updated',
    data: { object_version: 1, endpoint_id: made.data.id, changed: ['description'] },
  });
});

test('activity and health count the attempts', async () => {
  const { key, endpoint } = await partnerWithFailures(2);
  const health = async () => {
    svc.clock.advance(1_000);
    return (await svc.call('GET', '/webhooks/endpoints/health', { key })).data;
  };
  await expect.poll(health, { timeout: 20_000 }).toMatchObject({
    items: [{ endpoint_id: endpoint, last_failure: { error_class: 'status', status: 500 } }],
  });
  const { items } = await health();
  expect(items[0].hours).toHaveLength(24);
  const path = `/webhooks/activity?endpoint_id=${endpoint}&since=2026-01-20T14:00:00Z&until=2026-01-21`;
  const { data } = await svc.call('GET', path, { key });
  expect(data.step_seconds).toBe(600);
  const failed = data.buckets.reduce(
    (sum: number, bucket: { failed: number }) => sum + bucket.failed,
    0,
  );
  expect(failed).toBeGreaterThanOrEqual(2);
});

test('an unknown event type is refused with a suggestion on every route', async () => {
  const { key } = await svc.newPartner();
  const url = 'https://hooks.example/in';
  const made = await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const at = `/webhooks/endpoints/${made.data.id}`;
  const wrong = { event_types: ['tenant.*', 'plan.craeted', 'nonsense.*'] };
  const since = '2026-01-20';
  for (const [method, path, body, param] of [
    ['POST', '/webhooks/endpoints', { url, ...wrong }, 'event_types[1]'],
    ['PATCH', at, wrong, 'event_types[1]'],
    ['POST', `${at}/test`, { event_type: 'plan.craeted' }, 'event_type'],
    ['POST', '/webhooks/messages', { event_type: 'plan.craeted', data: {} }, 'event_type'],
    [
      'POST',
      '/webhooks/replays',
      { endpoint_id: made.data.id, since, filter: wrong },
      'filter.event_types[1]',
    ],
    ['GET', '/webhooks/messages?event_type=plan.craeted', undefined, 'event_type[0]'],
    ['GET', '/webhooks/attempts?event_type=plan.craeted', undefined, 'event_type[0]'],
  ] as const) {
    const { status: answered, error } = await svc.call(method, path, {
      key,
      ...(body && { body }),
    });
    expect.soft([method, path, answered]).toEqual([method, path, 422]);
    expect.soft(error).toMatchObject({ code: 'validation_failed', param });
    expect
      .soft(error?.message)
      .toContain(`${param}: "plan.craeted" is not an event type. Did you mean plan.created?`);
  }
  const patched = await svc.call('PATCH', at, { key, body: wrong });
  expect(patched.error?.message).toContain('event_types[2]: "nonsense.*" is not an event type.');
  expect((await svc.call('GET', at, { key })).data.event_types).toBeNull();
});

test('an endpoint created disabled, with a filter and Retry-After, gets what matches once it is enabled', async () => {
  const { key } = await svc.newPartner();
  const heard: string[] = [];
  const busy = createServer((request, response) => {
    heard.push(String(request.headers['webhook-id']));
    response.writeHead(503, { 'retry-after': '7200' }).end();
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const { port } = busy.address() as AddressInfo;
  const made = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: {
      url: `http://127.0.0.1:${port}/hook`,
      state: 'disabled',
      honor_retry_after: true,
      filter: [{ field: 'external_id', in: ['t-1', 't-2'] }],
    },
  });
  expect(made.data).toMatchObject({ state: 'disabled', disabled_reason: 'by_owner' });
  const publish = async (external_id: string) => {
    const body = { event_type: 'plan.created', data: {}, external_id };
    return (await svc.call('POST', '/webhooks/messages', { key, body })).data.id as string;
  };
  const [matching, other] = [await publish('t-1'), await publish('t-3')];
  await svc.engine.idle();
  const delivery = async (id: string) =>
    (await svc.call('GET', `/webhooks/messages/${id}`, { key })).data.deliveries[0];
  expect(await delivery(matching)).toMatchObject({ state: 'held' });
  expect(await delivery(other)).toMatchObject({ state: 'skipped', reason: 'filtered' });
  expect(heard).toEqual([]);
  await svc.call('PATCH', `/webhooks/endpoints/${made.data.id}`, {
    key,
    body: { state: 'enabled' },
  });
  await svc.engine.idle();
  busy.closeAllConnections();
  busy.close();
  expect(heard).toEqual([matching]);
  const { state, next_attempt_at } = await delivery(matching);
  expect(state).toBe('retrying');
  expect(Date.parse(next_attempt_at) - svc.clock.now().getTime()).toBe(7_200_000);
});

test('an ordered endpoint gets a tenant’s messages one after another; until then they have no next attempt', async () => {
  const { key } = await svc.newPartner();
  const heard: string[] = [];
  let status = 503;
  const receiver = createServer((request, response) => {
    heard.push(String(request.headers['webhook-id']));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const made = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: `http://127.0.0.1:${port}/hook`, ordered: true },
  });
  expect(made.data).toMatchObject({ ordered: true });
  const publish = async (external_id: string) => {
    const body = { event_type: 'plan.created', data: {}, external_id };
    return (await svc.call('POST', '/webhooks/messages', { key, body })).data.id as string;
  };
  const [first, second] = [await publish('t-1'), await publish('t-1')];
  await svc.engine.idle();
  expect(heard).toEqual([first]);
  const delivery = async (id: string) =>
    (await svc.call('GET', `/webhooks/messages/${id}`, { key })).data.deliveries[0];
  expect(await delivery(second)).toMatchObject({ state: 'pending', next_attempt_at: null });
  status = 204;
  const path = `/webhooks/endpoints/${made.data.id}`;
  const changed = await svc.call('PATCH', path, { key, body: { ordered: false } });
  expect(changed.data).toMatchObject({ ordered: false });
  await svc.engine.idle();
  receiver.closeAllConnections();
  receiver.close();
  expect(heard).toEqual([first, second]);
  expect(await delivery(second)).toMatchObject({ state: 'delivered' });
});

test('an endpoint’s public keys are read without a key, rotated with one, and say nothing else', async () => {
  const { key, pms } = await svc.newPartner();
  const stranger = await svc.newPartner();
  const made = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: 'http://127.0.0.1:9/hook', asymmetric_signature: true },
  });
  expect(made.data).toMatchObject({
    asymmetric_signature: true,
    public_keys: [{ public_key: expect.stringMatching(/^whpk_/), expires_at: null }],
  });
  const { id } = made.data;
  const published = (portal: string, endpoint: string) =>
    svc.call('GET', `/webhooks/public_keys/${portal}/${endpoint}`, {});
  expect((await published(pms, id)).data).toEqual({ public_keys: made.data.public_keys });
  const rotated = await svc.call('POST', `/webhooks/endpoints/${id}/public_key/rotate`, {
    key,
    body: {},
  });
  expect(rotated.data.public_keys).toHaveLength(2);
  expect((await published(pms, id)).data).toEqual(rotated.data);
  const other = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: 'http://127.0.0.1:9/other' },
  });
  const refused = [
    await published(stranger.pms, id),
    await published(pms, other.data.id),
    await published(pms, 'ep_none'),
    await published('nobody', id),
  ];
  for (const { status, error } of refused) {
    expect({ status, message: error?.message }).toEqual({
      status: 404,
      message: 'There is no public key at this address.',
    });
  }
  const without = await svc.call('POST', `/webhooks/endpoints/${other.data.id}/public_key/rotate`, {
    key,
    body: {},
  });
  expect(without.error).toMatchObject({ code: 'version_conflict' });
  expect(without.error?.message).toContain('asymmetric_signature');
});

test('a filter is previewed, and unknown fields and values are refused with the closest names', async () => {
  const { key } = await svc.newPartner();
  const preview = (body: object) => svc.call('POST', '/webhooks/filter_preview', { key, body });
  const publish = (external_id: string) =>
    svc.call('POST', '/webhooks/messages', {
      key,
      body: { event_type: 'plan.created', data: {}, external_id },
    });
  await publish('t-1');
  await publish('t-2');
  const found = await preview({ filter: [{ field: 'external_id', equals: 't-1' }] });
  expect(found.data).toMatchObject({
    checked: 2,
    matched: 1,
    matching: [{ external_id: 't-1', event_type: 'plan.created' }],
    others: [{ external_id: 't-2' }],
    warnings: [],
  });
  const nothing = await preview({
    event_types: ['plan.created'],
    filter: [{ field: 'data.return_code', equals: 'R01' }],
  });
  expect(nothing.data.warnings).toEqual([
    expect.stringContaining('None of the chosen event types has data.return_code'),
    expect.stringContaining('None of your newest 2 messages matches'),
  ]);
  const refusals = {
    'data.product_varian': 'Did you mean data.product_variant?',
    product_variant: 'Did you mean data.product_variant?',
    zzzzzzzzz: 'Name a field of the body',
  };
  for (const [field, message] of Object.entries(refusals)) {
    const refused = await preview({ filter: [{ field, exists: true }] });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.error)).toContain(message);
  }
  const values = await preview({ filter: [{ field: 'data.product_variant', equals: 'hao' }] });
  expect(JSON.stringify(values.error)).toContain('It is rent or hoa.');
  const both = await preview({ filter: [{ field: 'type', equals: 'plan.created', exists: true }] });
  expect(JSON.stringify(both.error)).toContain('exactly one of equals, in and exists');
});
