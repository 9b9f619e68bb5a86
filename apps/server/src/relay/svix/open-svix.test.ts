import { eventCatalog } from '@svc/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SvixDouble, startSvixDouble } from '../../../test/support/svix-double.ts';
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts';
import type { Destination, RelayedMessage } from '../destination.ts';
import { openSvix } from './open-svix.ts';

let clock: TestClock;
let double: SvixDouble;
let lines: string[];
let svix: Destination;
beforeEach(async () => {
  clock = createTestClock('2026-01-20T15:00:00Z');
  double = await startSvixDouble(clock.now);
  lines = [];
  svix = open();
});
afterEach(() => double.close());

function open(config: { token?: string } = {}, requestTimeout = 8_000): Destination {
  const add = (fields: object, text: string) =>
    void lines.push(JSON.stringify({ ...fields, text }));
  const log = { info: add, warn: add, error: add };
  return openSvix(
    { serverUrl: double.url, token: double.token, ...config },
    { clock, log, requestTimeout, retentionDays: 30 },
  );
}

const uid = 'ptn_1';
const message: RelayedMessage = {
  id: 'evt_00000000000000000000000001',
  partnerId: uid,
  pms: 'app_portal',
  subject: 't-1',
  type: 'plan.created',
  channels: ['rent'],
  body: '{"b": 1,  "a": "é\\u00e9"}',
  createdAt: new Date('2026-01-20T15:00:00Z'),
};
const first = { outcomeUnknown: false, partnerKnown: false };
const again = { outcomeUnknown: true, partnerKnown: false };
const later = { outcomeUnknown: false, partnerKnown: true };
const accepted = { kind: 'accepted' };

test('a message is stored under our id, byte for byte, in the application of its partner', async () => {
  expect(await svix.send(message, first)).toEqual(accepted);
  expect([...double.applications.keys()]).toEqual([uid]);
  expect(double.message(uid, message.id)).toMatchObject({
    body: message.body,
    eventType: 'plan.created',
    channels: ['rent'],
    retentionDays: 30,
  });
});

test('event types follow the catalog: ours that left are archived, those of others are left', async () => {
  await svix.send(message, first);
  const names = Object.keys(eventCatalog);
  expect([...double.eventTypes.keys()]).toEqual(names);
  const mark = 'Kept up to date by Svc.';
  const base = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
  const old = { ...base, description: 'x', schemas: { 1: { $comment: mark } } };
  double.eventTypes.set('plan.renamed', { ...old, name: 'plan.renamed' });
  double.eventTypes.set('crm.lead', { ...base, name: 'crm.lead', description: 'theirs' });
  double.eventTypes.set('plan.created', { ...old, name: 'plan.created', archived: true });
  lines.length = 0;
  // A process updates the event types when it starts.
  open();
  await expect.poll(() => lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ changed: 2 });
  expect(double.eventTypes.get('plan.renamed')).toMatchObject({ archived: true });
  expect(double.eventTypes.get('crm.lead')).not.toHaveProperty('archived');
  expect(double.eventTypes.get('plan.created')).toMatchObject({
    archived: false,
    description: eventCatalog['plan.created'].description,
  });
  // The next one finds nothing to change.
  double.calls.length = 0;
  await open().send({ ...message, id: 'evt_00000000000000000000000002' }, first);
  expect(double.calls).toEqual(['GET /event-type', `POST /app/${uid}/msg`]);
});

test('a message that the server has from an earlier life is not sent twice', async () => {
  await svix.send(message, first);
  expect(await svix.send(message, first)).toEqual(accepted);
  expect(double.message(uid, message.id)?.resent).toEqual([]);
});

test('429 waits as long as the server says, and not forever', async () => {
  const limited = (after?: string) => ({
    status: 429,
    body: '{"code":"rate_limit","detail":"Too many"}',
    ...(after !== undefined && { headers: { 'retry-after': after } }),
  });
  double.script.push(limited('7'), limited('Tue, 20 Jan 2026 15:01:00 GMT'), limited('999999'));
  double.script.push(limited(), {
    ...limited('3'),
    body: '<html>slow down',
    headers: { 'content-type': 'text/html', 'retry-after': '3' },
  });
  const waits = [];
  for (let tries = 0; tries < 5; tries += 1) {
    const handover = await svix.send(message, first);
    expect(handover).toMatchObject({ kind: 'retry', outcomeUnknown: false });
    waits.push('afterMs' in handover ? handover.afterMs : undefined);
  }
  expect(waits).toEqual([7_000, 60_000, 300_000, undefined, 3_000]);
});

test.each([
  [400, '{"code":"bad","detail":"Bad payload"}', 'Svix answered 400 (Bad payload).'],
  [
    422,
    '{"detail":[{"loc":["body","channels"],"msg":"at most 5 items","type":"value_error"}]}',
    'Svix answered 422 (body.channels at most 5 items).',
  ],
  [413, '<html>nginx', 'Svix answered 413 (not JSON): the message is too large for the server.'],
])('%i parks the message with what the server said', async (status, body, reason) => {
  const type = body.startsWith('{') ? 'application/json' : 'text/html';
  double.script.push({ status, body, headers: { 'content-type': type } });
  expect(await svix.send(message, first)).toEqual({ kind: 'refused', reason });
});

test('a wrong token stops everything, and is in no reason and no log line', async () => {
  const wrong = open({ token: 'a-wrong-secret' });
  const handover = await wrong.send(message, first);
  expect(handover).toEqual({
    kind: 'stopped',
    reason: 'Svix answered 401 (Invalid token): set SVIX_TOKEN to a token of this server.',
  });
  double.script.push({ status: 403, body: '{"code":"forbidden","detail":"no"}' });
  expect(await svix.send(message, first)).toMatchObject({ kind: 'stopped' });
  expect(lines.join('\n') + JSON.stringify(handover)).not.toContain('a-wrong-secret');
});

test.each([
  ['a gateway page', { status: 502, body: '<h1>Bad Gateway</h1>' }, 'Svix answered 502.'],
  [
    'a page with success',
    { status: 200, body: '<h1>Welcome</h1>' },
    'Svix gave no usable answer: it is not JSON, so it is not from Svix.',
  ],
  [
    'success of another service',
    { status: 200, body: '{"ok":true}' },
    'The answer is not from Svix: check SVIX_SERVER_URL.',
  ],
  [
    'a redirect, which would turn POST into GET',
    { status: 302, body: '', headers: { location: '/api/v1/app' } },
    'Svix answered 302, not as a Svix server does: check SVIX_SERVER_URL and its proxy.',
  ],
  [
    'a page for an unknown path',
    { status: 404, body: '<h1>Not Found</h1>', headers: { 'content-type': 'text/html' } },
    'Svix answered 404 (not JSON), not as a Svix server does: check SVIX_SERVER_URL and its proxy.',
  ],
])('%s is tried again, with an unknown outcome', async (_, misbehavior, reason) => {
  double.script.push(misbehavior);
  expect(await svix.send(message, first)).toEqual({ kind: 'retry', reason, outcomeUnknown: true });
  expect(await svix.send(message, again)).toEqual(accepted);
});

test.each(['reset', 'store, then half an answer'] as const)(
  '%s is an unknown outcome',
  async (it) => {
    double.script.push(it);
    expect(await svix.send(message, first)).toMatchObject({ kind: 'retry', outcomeUnknown: true });
    expect(await svix.send(message, again)).toEqual(accepted);
    expect(double.applications.get(uid)?.size).toBe(1);
  },
);

test('a server that hangs is given up after a while', async () => {
  await svix.send({ ...message, id: 'evt_00000000000000000000000002' }, first);
  double.script.push('hang');
  expect(await open({}, 200).send(message, first)).toEqual({
    kind: 'retry',
    outcomeUnknown: true,
    reason: 'Svix gave no usable answer: none in time.',
  });
});

test('an unreachable server is named by its error, before and after the event types', async () => {
  await svix.send({ ...message, id: 'evt_00000000000000000000000002' }, first);
  await double.close();
  expect(await svix.send(message, first)).toMatchObject({
    kind: 'retry',
    reason: expect.stringMatching(/: (ECONNREFUSED|UND_ERR_SOCKET)\.$/),
  });
  expect(await open().send(message, first)).toEqual({
    kind: 'retry',
    outcomeUnknown: false,
    reason: 'The event types are not up to date: Svix gave no usable answer: ECONNREFUSED.',
  });
});

test('after a 502, a stored message with an attempt was accepted', async () => {
  double.endpoints.push({ id: 'ep_1' });
  double.script.push('store, then 502');
  expect(await svix.send(message, first)).toMatchObject({ kind: 'retry', outcomeUnknown: true });
  expect(await svix.send(message, again)).toEqual(accepted);
  expect(double.message(uid, message.id)?.resent).toEqual([]);
});

test('after a 502, a stored message without an attempt is resent after a minute', async () => {
  double.attempts = false;
  double.endpoints.push(
    { id: 'ep_all' },
    { id: 'ep_type', filterTypes: ['plan.created'], channels: ['rent', 'x'] },
    { id: 'ep_other', filterTypes: ['plan.completed'] },
    { id: 'ep_channel', channels: ['hoa'] },
    { id: 'ep_off', disabled: true },
  );
  double.script.push('store, then 502');
  await svix.send(message, first);
  expect(await svix.send(message, again)).toEqual({
    kind: 'retry',
    outcomeUnknown: true,
    afterMs: 5_000,
    reason: 'Svix has stored the message and made no attempt yet: looking again.',
  });
  clock.advance(58_000);
  expect(await svix.send(message, again)).toMatchObject({ kind: 'retry', afterMs: 2_000 });
  clock.advance(2_000);
  expect(await svix.send(message, again)).toEqual(accepted);
  expect(double.message(uid, message.id)?.resent).toEqual(['ep_all', 'ep_type']);
});

test('after a 502, a stored message that no endpoint wants was accepted', async () => {
  double.attempts = false;
  double.endpoints.push({ id: 'ep_other', filterTypes: ['plan.completed'] });
  double.script.push('store, then 502');
  await svix.send(message, first);
  expect(await svix.send(message, again)).toEqual(accepted);
});

test('an older server, which does not create an application with its first message, is called twice', async () => {
  double.ignoresApplication = true;
  expect(await svix.send(message, first)).toEqual(accepted);
  expect(double.message(uid, message.id)?.body).toBe(message.body);
  expect(double.calls.slice(-3)).toEqual([
    `POST /app/${uid}/msg`,
    'POST /app',
    `POST /app/${uid}/msg`,
  ]);
});

test('a message of a partner whose application was deleted is not stored where no endpoint gets it', async () => {
  await svix.send(message, first);
  double.applications.clear();
  expect(await svix.send(message, later)).toEqual({
    kind: 'refused',
    reason:
      'Svix no longer has an application of this partner, and so none of its endpoints: create them again, then retry.',
  });
  expect(double.applications.size).toBe(0);
});
