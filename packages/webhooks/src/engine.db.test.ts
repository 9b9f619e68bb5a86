import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, openHarness } from './testing/harness.ts';
import { openReceiver, type Receiver, statuses } from './testing/receiver.ts';

describe('engine', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeEach(async () => {
    harness = await openHarness();
    receiver = await openReceiver();
  });
  afterEach(async () => {
    await harness.close();
    await receiver.close();
  });

  test('delivers a published message, signed, with its exact bytes', async () => {
    await harness.endpoint({ url: `${receiver.url}/hook?x=1` });
    const body = '{"a":1,  "b":"ü"}';
    const id = await harness.deliver({ body });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({ path: '/hook?x=1', body });
    expect(receiver.received[0]?.headers['webhook-id']).toBe(id);
    expect(await harness.state(id)).toEqual(['delivered']);
    expect(harness.errors).toEqual([]);
  });

  test('three failures and a success end 35 min 5 s after the first attempt', async () => {
    await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500, 302, 404, 200);
    const id = await harness.deliver();
    expect(await harness.state(id)).toEqual(['retrying']);
    await harness.advance(2_105_000 - 1);
    expect(await harness.state(id)).toEqual(['retrying']);
    await harness.advance(1);
    expect(await harness.state(id)).toEqual(['delivered']);
    const attempts = await harness.attempts(id);
    const start = Date.parse(attempts[0]?.started_at ?? '');
    expect(attempts.map((a) => Date.parse(a.started_at) - start)).toEqual([
      0, 5_000, 305_000, 2_105_000,
    ]);
  });
});
