import { createHmac } from 'node:crypto';
import { bigint, instant, nullable, raw, row, sql } from '@svc/db';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { revealSecret, rotateSecret } from './endpoints/secrets.ts';
import { updateEndpoint } from './endpoints/update-endpoint.ts';
import { newId } from './kernel/ids.ts';
import { publish } from './publishing/publish.ts';
import { type Harness, openHarness } from './testing/harness.ts';
import { openReceiver, type Receiver, statuses } from './testing/receiver.ts';

describe('engine', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await openHarness();
    receiver = await openReceiver();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await harness.reset();
    receiver.received.length = 0;
    receiver.answer = statuses(204);
  });
  afterAll(async () => {
    await harness.close();
    await receiver.close();
  });

  test('delivers a published message with its exact bytes', async () => {
    await harness.endpoint({ url: `${receiver.url}/hook?x=1` });
    const body = '{"a":1,  "b":"ü\\u0000\\ud800"}';
    const id = await harness.deliver({ body });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({ path: '/hook?x=1', body });
    expect(receiver.received[0]?.headers).toMatchObject({
      'webhook-id': id,
      'svix-id': id,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    });
    expect(await harness.state(id)).toBe('delivered');
  });

  test('probes: forged, of another time, over another body, and with a foreign signature first', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: harness.clock.now() });
    const { db, deps, owner, clock, engine } = harness;
    const id = await harness.endpoint({ url: receiver.url });
    const { secret } = await revealSecret(db, deps, owner, id, clock.now());
    const message = { id: newId('evt', clock.now()), body: '{"a":1}' };
    const verifies = (body = receiver.received.at(-1)?.body ?? '') => {
      const headers = receiver.received.at(-1)?.headers ?? {};
      try {
        return new Webhook(secret).verify(body, headers) !== undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    const sent = await engine.probe(owner, id, message, {});
    expect(sent).toMatchObject({ status: 204, url: receiver.url });
    expect(sent.requestHeaders).toMatchObject({ 'webhook-id': message.id });
    expect(verifies()).toBe(true);
    await engine.probe(owner, id, message, { forged: true });
    expect(verifies()).toBe('No matching signature found');
    await engine.probe(owner, id, message, { signedAt: new Date(clock.now().getTime() - 600_000) });
    expect(verifies()).toBe('Message timestamp too old');
    await engine.probe(owner, id, message, { signedBody: '{"a":2}' });
    expect([verifies(), verifies('{"a":2}')]).toEqual(['No matching signature found', true]);
    await engine.probe(owner, id, message, { foreignFirst: true });
    expect(receiver.received.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(verifies()).toBe(true);
    // A page request is signed in the same way, over a text that is not sent.
    const page = `${receiver.url}/tenant?tenant=t-1`;
    await engine.fetchSigned(owner, id, { id: message.id, body: 't-1' }, page);
    expect(receiver.received.at(-1)).toMatchObject({ path: '/tenant?tenant=t-1', body: '' });
    const headers = receiver.received.at(-1)?.headers ?? {};
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.t-1`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const digest = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${digest}`);
    await expect(
      engine.fetchSigned(owner, id, { id: message.id, body: 't-1' }, 'ftp://x'),
    ).rejects.toThrow('Give a full http(s) URL');
  });

  test('the standardwebhooks library verifies what it sends, also while a secret is rotated', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: harness.clock.now() });
    const { db, deps, owner, clock } = harness;
    const id = await harness.endpoint({ url: receiver.url });
    const old = await revealSecret(db, deps, owner, id, clock.now());
    await db.transaction((tx) => rotateSecret(tx, deps, owner, id, {}, clock.now()));
    const fresh = await revealSecret(db, deps, owner, id, clock.now());
    await harness.deliver({ body: '{"type":"plan.created"}' });
    const [received] = receiver.received;
    for (const { secret } of [old, fresh]) {
      const verified = new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {});
      expect(verified).toEqual({ type: 'plan.created' });
    }
    await harness.advance(86_400_000);
    vi.setSystemTime(clock.now());
    await harness.deliver({ body: '{}' });
    const later = receiver.received[1];
    const check = (secret: string) => () =>
      new Webhook(secret).verify(later?.body ?? '', later?.headers ?? {});
    expect(check(fresh.secret)).not.toThrow();
    expect(check(old.secret)).toThrow('No matching signature found');
  });

  test('three failures and a success end 35 min 5 s after the first attempt', async () => {
    await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500, 302, 404, 200);
    const id = await harness.deliver();
    await harness.advance(2_105_000 - 1);
    expect(await harness.state(id)).toBe('retrying');
    await harness.advance(1);
    expect(await harness.state(id)).toBe('delivered');
    expect(await offsets(id)).toEqual([0, 5_000, 305_000, 2_105_000]);
    const sent = receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]);
    expect(new Set(sent.map(String))).toEqual(new Set([`${id},{}`]));
    const stamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(stamps.map((stamp) => stamp - (stamps[0] ?? 0))).toEqual([0, 5, 305, 2_105]);
  });

  test('eight failures exhaust a delivery, the owner gets an event, and there is never a ninth attempt', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(503);
    const id = await harness.deliver({ type: 'settlement.created' });
    await harness.advance(100 * 3_600_000);
    expect(await harness.state(id)).toBe('exhausted');
    expect(await offsets(id)).toEqual(
      [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 99_305].map((seconds) => seconds * 1_000),
    );
    expect(receiver.received).toHaveLength(8);
    expect(harness.operational).toEqual([
      {
        owner: harness.owner,
        type: 'message.attempt_exhausted',
        endpointId: endpoint,
        data: { endpoint_id: endpoint, message_id: id, event_type: 'settlement.created' },
      },
    ]);
  });

  test('two deliveries that fall due shortly after one another are each sent on time', async () => {
    await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const first = await harness.deliver();
    await harness.advance(300);
    const second = await harness.deliver();
    await harness.advance(5_000);
    expect(await offsets(first)).toEqual([0, 5_000]);
    expect(await offsets(second)).toEqual([0, 5_000]);
  });

  test('with an empty schedule a delivery is exhausted after one attempt', async () => {
    await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const id = await harness.publish();
    const other = harness.another({ retrySchedule: [] });
    await other.start();
    await other.idle();
    expect(await harness.state(id)).toBe('exhausted');
    expect(await harness.attempts(id)).toMatchObject([{ succeeded: false, next_attempt_at: null }]);
  });

  test('each of the 256 sequences of failures and successes has the right number of attempts and final state', async () => {
    await harness.endpoint({ url: receiver.url });
    const made = new Map<string, number>();
    const planned = new Map<string, number>();
    receiver.answer = ({ headers }, response) => {
      const id = headers['webhook-id'] ?? '';
      const attempt = made.get(id) ?? 0;
      made.set(id, attempt + 1);
      const succeeds = ((planned.get(id) ?? 0) >> attempt) & 1;
      response.writeHead(succeeds ? 200 : 500).end();
    };
    const { db, clock, owner } = harness;
    const messages = Array.from({ length: 256 }, (_, bits) => {
      const id = newId('evt', clock.now());
      planned.set(id, bits);
      return { id, owner, subject: null, type: 'plan.created', body: String(bits) };
    });
    await db.transaction((tx) => publish(tx, messages, clock.now()));
    harness.engine.wake();
    await harness.engine.idle();
    await harness.advance(28 * 3_600_000);
    for (const { id, body } of messages) {
      const bits = Number(body);
      const first = bits === 0 ? 8 : 31 - Math.clz32(bits & -bits);
      expect([bits, made.get(id)]).toEqual([bits, Math.min(8, first + 1)]);
      expect(await harness.state(id)).toBe(first < 8 ? 'delivered' : 'exhausted');
    }
    expect(harness.operational).toHaveLength(1);
  });

  test('a changed URL and new credentials are used from the next attempt on', async () => {
    const { db, deps, owner, clock } = harness;
    const id = await harness.endpoint({ url: `${receiver.url}/old` });
    receiver.answer = statuses(500, 204);
    await harness.deliver();
    await db.transaction((tx) =>
      updateEndpoint(
        tx,
        deps,
        owner,
        id,
        {
          url: `${receiver.url}/new`,
          auth: { type: 'basic', username: 'ada', password: 'pass:word' },
          headers: { 'X-Tenant': 't-1' },
        },
        clock.now(),
      ),
    );
    await harness.advance(5_000);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/old', '/new']);
    const basic = Buffer.from('ada:pass:word').toString('base64');
    expect(receiver.received[1]?.headers).toMatchObject({
      authorization: `Basic ${basic}`,
      'x-tenant': 't-1',
    });
  });

  test('the attempt is recorded with its request and response, secrets redacted', async () => {
    await harness.endpoint({
      url: `${receiver.url}/hook`,
      auth: { type: 'header', name: 'X-Api-Key', value: 'hush' },
      headers: { 'x-custom': 'also hush' },
    });
    receiver.answer = (_, response) => {
      response.writeHead(401, { 'retry-after': '30', 'set-cookie': 'a=b' }).end('who are you?');
    };
    const id = await harness.deliver();
    const [attempt] = await harness.attempts(id);
    const [received] = receiver.received;
    expect(received?.headers).toMatchObject({ 'x-api-key': 'hush', 'x-custom': 'also hush' });
    expect(attempt).toMatchObject({
      message_id: id,
      number: 1,
      trigger: 'schedule',
      succeeded: false,
      status: 401,
      error_class: 'status',
      url: `${receiver.url}/hook`,
      request_headers: { 'x-api-key': '[redacted]', 'x-custom': '[redacted]' },
      response_headers: { 'retry-after': '30', 'set-cookie': '[redacted]' },
      response_body: 'who are you?',
      response_truncated: false,
      next_attempt_at: new Date(harness.clock.now().getTime() + 5_000).toISOString(),
    });
    expect(attempt?.hint).toContain('credentials');
    expect(JSON.stringify(attempt)).not.toContain('hush');
    for (const name of ['webhook', 'svix'].flatMap((family) =>
      ['id', 'timestamp', 'signature'].map((part) => `${family}-${part}`),
    )) {
      expect(attempt?.request_headers[name]).toBe(received?.headers[name]);
    }
  });

  test('a receiver that reads the body and then resets gets one POST for each recorded attempt', async () => {
    const endpoints = 20;
    for (let index = 0; index < endpoints; index += 1) {
      await harness.endpoint({ url: `${receiver.url}/${index}` });
    }
    // The first message leaves an idle connection for each endpoint, all to one origin.
    let waiting: (() => void)[] = [];
    receiver.answer = (_, response) => {
      waiting.push(() => response.writeHead(204).end());
      if (waiting.length === endpoints) for (const answer of waiting.splice(0)) answer();
    };
    await harness.deliver();
    waiting = [];
    receiver.answer = (_, _response, request) => request.socket.resetAndDestroy();
    await harness.deliver();
    await harness.advance(5_000 + 5 * 60_000);
    const { attempts } = await harness.db.one(
      row('count of attempts', { attempts: bigint }),
      raw('select count(*) as attempts from webhook_attempts'),
    );
    expect(attempts).toBe(endpoints + 3 * endpoints);
    expect(receiver.received).toHaveLength(attempts);
  });

  test('a test send returns its attempt, and no count or schedule includes it', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const id = newId('evt', harness.clock.now());
    const message = { id, type: 'plan.created', body: '{"test":true}' };
    const attempt = await harness.engine.sendTest(harness.owner, endpoint, message);
    expect(attempt).toMatchObject({ trigger: 'test', number: 1, status: 500, succeeded: false });
    expect(await harness.attempts(id)).toEqual([attempt]);
    await harness.advance(100 * 3_600_000);
    expect(receiver.received).toHaveLength(1);
    expect(harness.operational).toEqual([]);
    const { failing, left } = await harness.db.one(
      row('traces', { failing: nullable(instant), left: bigint }),
      sql`select (select failing_since from webhook_endpoints) as failing,
        (select count(*) from webhook_deliveries)
        + (select count(*) from webhook_activity where endpoint_id = ${endpoint}) as left`,
    );
    expect({ failing, left }).toEqual({ failing: null, left: 0 });
  });

  test("another owner's endpoint cannot be tested", async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const message = { id: newId('evt', harness.clock.now()), type: 'a.b', body: '{}' };
    const sending = harness.engine.sendTest('partner_b', endpoint, message);
    await expect(sending).rejects.toMatchObject({ code: 'endpoint_not_found' });
    expect(receiver.received).toHaveLength(0);
  });

  async function offsets(messageId: string): Promise<number[]> {
    const attempts = await harness.attempts(messageId);
    const times = attempts.map(({ started_at }) => Date.parse(started_at));
    return times.map((time) => time - (times[0] ?? 0));
  }
});
