import { bigint, row, sql } from '@svc/db';
import { describe, expect, test } from 'vitest';
import { newSecret, parseSecret, signatureOf } from '../kernel/signature.ts';
import { getMessage } from '../messages/list-messages.ts';
import { warnFailing } from '../results/disable-endpoints.ts';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { rotateSecret } from './secrets.ts';
import { type EndpointChange, updateEndpoint } from './update-endpoint.ts';
import { getEndpoint } from './view-endpoint.ts';

const hour = 3_600_000;
const day = 24 * hour;

function throwMissingAttempt(): never {
  throw new Error('there is no attempt');
}

describe("an endpoint's life", () => {
  let harness: Harness;
  let receiver: Receiver;

  useEngine(
    (opened) => {
      ({ harness, receiver } = opened);
    },
    { tuning: { upkeepMs: 5_000, pollMs: 10 * hour } },
  );

  test('a disabled endpoint gets no attempts, and its messages are held', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500, 204);
    const before = await harness.deliver();
    await change(endpoint, { state: 'disabled' });
    const during = await harness.deliver();
    await harness.advance(hour);
    expect(receiver.received).toHaveLength(1);
    expect(await harness.state(before)).toBe('held');
    expect(await harness.state(during)).toBe('held');
    expect(await getEndpoint(harness.db, harness.owner, endpoint)).toMatchObject({
      state: 'disabled',
      disabled_reason: 'by_owner',
      held_count: 2,
    });
  });

  test('enabling it sends the held messages', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    await change(endpoint, { state: 'disabled' });
    const ids = [await harness.deliver(), await harness.deliver()];
    await change(endpoint, { state: 'enabled' });
    harness.engine.wake();
    await harness.engine.idle();
    const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent)).toEqual(new Set(ids));
    expect(sent).toHaveLength(2);
  });

  test('created disabled, it holds its messages until it is enabled', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url, state: 'disabled' });
    const ids = [await harness.deliver(), await harness.deliver()];
    await harness.advance(day);
    expect(receiver.received).toHaveLength(0);
    expect(await harness.state(ids[0] ?? '')).toBe('held');
    expect(await getEndpoint(harness.db, harness.owner, endpoint)).toMatchObject({
      state: 'disabled',
      disabled_reason: 'by_owner',
      held_count: 2,
    });
    await change(endpoint, { state: 'enabled' });
    harness.engine.wake();
    await harness.engine.idle();
    expect(receiver.received).toHaveLength(2);
  });

  test('Retry-After lengthens a wait only if the endpoint honors it, and never shortens one', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const asks = ['3600', '3600', '1', '999999999'];
    receiver.answer = (_, response) => {
      response.writeHead(503, { 'retry-after': asks.shift() ?? '0' }).end();
    };
    const id = await harness.deliver();
    const waits = async () => {
      const { next_attempt_at, started_at } =
        (await harness.attempts(id)).at(-1) ?? throwMissingAttempt();
      return next_attempt_at && (Date.parse(next_attempt_at) - Date.parse(started_at)) / 1000;
    };
    expect(await waits()).toBe(5);
    await change(endpoint, { honor_retry_after: true });
    await harness.advance(5_000);
    expect(await waits()).toBe(3_600);
    await harness.advance(hour - 1_000);
    expect(receiver.received).toHaveLength(2);
    await harness.advance(1_000);
    expect(await waits()).toBe(30 * 60);
    await harness.advance(30 * 60_000);
    expect(await waits()).toBe(24 * 3_600);
  });

  test('held messages can be skipped while it stays disabled; later ones are held again', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    await change(endpoint, { state: 'disabled' });
    const skipped = await harness.deliver();
    expect(await change(endpoint, { held: 'skip' })).toMatchObject({ state: 'disabled' });
    expect(await delivery(skipped)).toMatchObject({ state: 'skipped', reason: 'held_and_skipped' });
    const released = await harness.deliver();
    await change(endpoint, { state: 'enabled' });
    await change(endpoint, { held: 'skip' });
    harness.engine.wake();
    await harness.engine.idle();
    expect(await harness.state(released)).toBe('delivered');
    expect(await harness.state(skipped)).toBe('skipped');
    expect(receiver.received).toHaveLength(1);
  });

  test('enabling it with held: skip skips the held messages', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    await change(endpoint, { state: 'disabled' });
    const held = await harness.deliver();
    await change(endpoint, { state: 'enabled', held: 'skip' });
    const fresh = await harness.deliver();
    expect(await harness.state(held)).toBe('skipped');
    expect(await harness.state(fresh)).toBe('delivered');
  });

  test('an attempt in flight when it is disabled may finish', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const answers: (() => void)[] = [];
    receiver.answer = (_, response) => answers.push(() => response.writeHead(200).end());
    const id = await harness.publish();
    harness.engine.wake();
    await receiver.until(1);
    expect(await harness.state(id)).toBe('delivering');
    await change(endpoint, { state: 'disabled' });
    for (const answer of answers) answer();
    await harness.engine.idle();
    expect(await harness.state(id)).toBe('delivered');
  });

  test('once it is deleted nothing is sent, and its attempts stay readable', async () => {
    const { db, owner, clock } = harness;
    const endpoint = await harness.endpoint({
      url: receiver.url,
      auth: { type: 'header', name: 'x-key', value: 'hush' },
    });
    receiver.answer = statuses(500);
    const id = await harness.deliver();
    await db.transaction((tx) => deleteEndpoint(tx, owner, endpoint, clock.now()));
    expect(await delivery(id)).toMatchObject({ state: 'skipped', reason: 'endpoint_deleted' });
    const later = await harness.deliver();
    await harness.advance(day);
    expect(receiver.received).toHaveLength(1);
    expect(await delivery(id)).toMatchObject({
      state: 'skipped',
      reason: 'endpoint_deleted',
      attempts_made: 1,
      endpoint_url: receiver.url,
    });
    expect(await delivery(later)).toBeUndefined();
    expect(await harness.attempts(id)).toHaveLength(1);
    await expect(getEndpoint(db, owner, endpoint)).rejects.toMatchObject({
      code: 'endpoint_not_found',
    });
    const countLeft = async () => {
      // Upkeep skips the open row, and idle() does not wait for upkeep.
      await harness.advance(5_000);
      const { left } = await db.one(
        row('left rows', { left: bigint }),
        sql`select (select count(*) from webhook_deliveries_open)
          + (select count(*) from webhook_secrets)
          + (select count(*) from webhook_endpoints where sealed_auth is not null) as left`,
      );
      return left;
    };
    await expect.poll(countLeft).toBe(0);
  });

  test('after five days of only failures it is disabled, and the owner gets one event', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await harness.deliver();
    for (let day = 1; day <= 4; day += 1) {
      await harness.advance(24 * hour);
      await harness.deliver();
    }
    await harness.advance(23 * hour);
    expect(await state(endpoint)).toBe('enabled');
    harness.operational.length = 0;
    await harness.advance(hour + 1);
    await harness.deliver();
    const view = await getEndpoint(harness.db, harness.owner, endpoint);
    expect(view).toMatchObject({ state: 'disabled', disabled_reason: 'failing' });
    const reported = harness.operational.filter(({ type }) => type === 'endpoint.disabled');
    expect(reported).toEqual([
      {
        owner: harness.owner,
        type: 'endpoint.disabled',
        endpointId: endpoint,
        data: { endpoint_id: endpoint, reason: 'failing' },
      },
    ]);
    const made = receiver.received.length;
    await harness.advance(2 * day);
    expect(receiver.received).toHaveLength(made);
    expect(view.held_count).toBeGreaterThan(0);
  });

  test('a rotated secret also signs until it expires, and not after', async () => {
    const { db, deps, owner, clock } = harness;
    const [old, fresh] = [newSecret(), newSecret()];
    const endpoint = await harness.endpoint({ url: receiver.url, secret: old });
    const input = { secret: fresh, overlap_seconds: 3_600 };
    await db.transaction((tx) => rotateSecret(tx, deps, owner, endpoint, input, clock.now()));
    const accepted = async () => {
      await harness.deliver();
      const { headers = {}, body = '' } = receiver.received.at(-1) ?? {};
      const signed = {
        messageId: headers['webhook-id'] ?? '',
        timestamp: Number(headers['webhook-timestamp']),
        body: Buffer.from(body),
      };
      const given = headers['webhook-signature']?.split(' ');
      return [old, fresh].map((secret) =>
        given?.includes(signatureOf(signed, [parseSecret(secret)])),
      );
    };
    expect(await accepted()).toEqual([true, true]);
    await harness.advance(hour + 1);
    expect(await accepted()).toEqual([false, true]);
  });

  test('before that it shows since when it has been failing, and each warning is sent once', async () => {
    const { db, owner, clock } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url });
    const since = clock.now().getTime();
    receiver.answer = statuses(500);
    await harness.deliver();
    expect(await getEndpoint(db, owner, endpoint)).toMatchObject({
      failing_since: new Date(since).toISOString(),
      disables_at: new Date(since + 5 * day).toISOString(),
    });
    const warned = async (hours: number) => {
      const found = await warnFailing(db, new Date(since + hours * hour));
      return found.map(({ id }) => id);
    };
    expect(await warned(23)).toEqual([]);
    expect(await warned(24)).toEqual([endpoint]);
    expect(await warned(48)).toEqual([]);
    expect(await warned(73)).toEqual([endpoint]);
    expect(await warned(97)).toEqual([endpoint]);
    expect(await warned(119)).toEqual([]);
    receiver.answer = statuses(200);
    await harness.deliver();
    expect(await getEndpoint(db, owner, endpoint)).toMatchObject({
      failing_since: null,
      disables_at: null,
    });
    expect(await warned(200)).toEqual([]);
  });

  test('the owner gets an event with each warning', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const since = harness.clock.now();
    receiver.answer = statuses(500);
    await harness.deliver();
    const keeper = harness.another({ upkeepMs: day });
    await keeper.start();
    await harness.clock.advance(day, () => keeper.idle());
    const data = {
      endpoint_id: endpoint,
      failing_since: since.toISOString(),
      disables_at: new Date(since.getTime() + 5 * day).toISOString(),
    };
    await expect
      .poll(() => harness.operational)
      .toContainEqual({
        owner: harness.owner,
        type: 'endpoint.failing',
        endpointId: endpoint,
        data,
      });
  });

  test('one success restarts the five days', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await harness.deliver();
    await harness.advance(4 * day);
    receiver.answer = statuses(200, 500);
    await harness.deliver();
    await harness.advance(2 * day);
    await harness.deliver();
    await harness.advance(4 * day);
    expect(await state(endpoint)).toBe('enabled');
  });

  test('a failing operational message raises no operational event', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await harness.deliver({ type: 'endpoint.disabled', operational: true });
    await harness.advance(6 * day);
    await harness.deliver({ type: 'endpoint.disabled', operational: true });
    expect(await state(endpoint)).toBe('disabled');
    const raised = harness.operational.filter(({ type }) => type !== 'endpoint.failing');
    expect(raised).toEqual([]);
  });

  test('410 is a failure like any other, unless the endpoint has disable_on_gone', async () => {
    const plain = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(410);
    const id = await harness.deliver();
    expect(await harness.state(id)).toBe('retrying');
    await change(plain, { disable_on_gone: true });
    receiver.answer = statuses(500, 410);
    await harness.advance(5_000);
    expect(await harness.state(id)).toBe('retrying');
    await harness.advance(5 * 60_000);
    expect(await harness.state(id)).toBe('held');
    expect(await getEndpoint(harness.db, harness.owner, plain)).toMatchObject({
      disabled_reason: 'gone',
    });
    expect(harness.operational).toMatchObject([
      { type: 'endpoint.disabled', data: { reason: 'gone' } },
    ]);
  });

  function change(endpointId: string, what: EndpointChange) {
    const { db, deps, owner, clock } = harness;
    return db.transaction((tx) => updateEndpoint(tx, deps, owner, endpointId, what, clock.now()));
  }

  async function state(endpointId: string) {
    const view = await getEndpoint(harness.db, harness.owner, endpointId);
    return view.state;
  }

  async function delivery(messageId: string) {
    const { deliveries } = await getMessage(harness.db, harness.owner, messageId);
    return deliveries[0];
  }
});
