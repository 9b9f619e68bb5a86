import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../kernel/limits.ts';
import { newSecret } from '../kernel/signature.ts';
import { type Harness, openHarness } from '../testing/harness.ts';
import { createEndpoint, type EndpointInput } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { type RotateInput, revealSecret, rotateSecret } from './secrets.ts';
import { endpointIdOf } from './uid.ts';
import { type EndpointChange, updateEndpoint } from './update-endpoint.ts';
import { type EndpointView, getEndpoint, listEndpoints } from './view-endpoint.ts';

const url = 'https://example.com/hook';
let harness: Harness;

beforeAll(async () => {
  harness = await openHarness({ policy: { allowPrivate: false, allowHttp: false } });
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

describe('endpoints', () => {
  test('are created, read, listed, changed and deleted by their owner', async () => {
    const made = await create({
      url,
      description: 'Ledger',
      event_types: ['plan.*', 'settlement.created', 'plan.*'],
      auth: { type: 'basic', username: 'ada', password: 'hush' },
      headers: { 'X-Tenant': 'hush too' },
      throttle_per_second: 5,
      metadata: { team: 'Ledger', 'a "b"': 'ünï' },
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^ep_[0-9a-hjkmnp-tv-z]{26}$/),
      uid: null,
      url,
      description: 'Ledger',
      event_types: ['plan.*', 'settlement.created'],
      channels: null,
      auth: { type: 'basic', username: 'ada' },
      header_names: ['x-tenant'],
      throttle_per_second: 5,
      filter: null,
      disable_on_gone: false,
      honor_retry_after: false,
      ordered: false,
      asymmetric_signature: false,
      public_keys: [],
      metadata: { team: 'Ledger', 'a "b"': 'ünï' },
      state: 'enabled',
      disabled_reason: null,
      held_count: 0,
      previous_secret_expires_at: null,
      failing_since: null,
      disables_at: null,
      created_at: harness.clock.now().toISOString(),
    });
    expect(await getEndpoint(harness.db, harness.owner, made.id)).toEqual(made);
    const second = await create({ url: 'https://example.com/2' });
    expect(await listEndpoints(harness.db, harness.owner)).toEqual([made, second]);
    await remove(made.id);
    expect(await listEndpoints(harness.db, harness.owner)).toEqual([second]);
    await expect(remove(made.id)).rejects.toMatchObject({ code: 'endpoint_not_found' });
  });

  test('a uid can be used instead of the id, and is unique', async () => {
    const { db, owner } = harness;
    const named = (uid: string) => endpointIdOf(db, owner, uid);
    const ledger = await create({ url, uid: 'ledger' });
    expect([await named('ledger'), await named(ledger.id)]).toEqual([ledger.id, ledger.id]);
    const taken = { code: 'uid_taken', message: expect.stringContaining(ledger.id), param: 'uid' };
    await expect(create({ url, uid: 'ledger' })).rejects.toMatchObject(taken);
    const other = await create({ url, uid: 'other' });
    await expect(change(other.id, { uid: 'ledger' })).rejects.toMatchObject(taken);
    expect(await change(ledger.id, { uid: 'ledger', description: 'as before' })).toMatchObject({
      uid: 'ledger',
    });
    await change(ledger.id, { uid: null });
    expect(await named('ledger')).toBe('ledger');
    await change(other.id, { uid: 'ledger' });
    await remove(other.id);
    expect((await create({ url, uid: 'ledger' })).uid).toBe('ledger');
    expect(await endpointIdOf(db, 'partner_b', 'ledger')).toBe('ledger');
  });

  test('a change keeps what it does not name; null clears', async () => {
    const made = await create({ url, description: 'Ledger', event_types: ['plan.*'] });
    expect(await change(made.id, { throttle_per_second: 9 })).toEqual({
      ...made,
      throttle_per_second: 9,
    });
    const cleared = { description: null, event_types: null, throttle_per_second: null };
    expect(await change(made.id, cleared)).toEqual({ ...made, ...cleared });
    const header = await change(made.id, { auth: { type: 'header', name: 'X-Key', value: 'v' } });
    expect(header.auth).toEqual({ type: 'header', name: 'X-Key' });
    expect((await change(made.id, { auth: { type: 'none' } })).auth).toEqual({ type: 'none' });
  });

  test.each<[string, Partial<EndpointInput>, string]>([
    ['http', { url: 'http://example.com/' }, 'insecure_url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'blocked_address'],
    ['credentials in the URL', { url: 'https://a:b@example.com/' }, 'url_userinfo'],
    ['no event types', { event_types: [] }, 'invalid_event_types'],
    ['a wild event type', { event_types: ['*'] }, 'invalid_event_types'],
    ['a long description', { description: 'x'.repeat(501) }, 'invalid_description'],
    ['control characters', { description: 'a\u0007' }, 'invalid_description'],
    ['a uid like an id', { uid: 'ep_1' }, 'invalid_uid'],
    ['a channel with a quote', { channels: ['a"b'] }, 'invalid_channels'],
    ['a short secret', { secret: 'whsec_YQ==' }, 'invalid_secret'],
    ['a throttle of nothing', { throttle_per_second: 0 }, 'invalid_throttle'],
    ['a throttle of a half', { throttle_per_second: 0.5 }, 'invalid_throttle'],
    ['our own header', { headers: { 'Webhook-Signature': 'x' } }, 'reserved_header'],
    ['the other family', { headers: { 'svix-id': 'x' } }, 'reserved_header'],
    ['a hop-by-hop header', { headers: { Connection: 'x' } }, 'reserved_header'],
    ['another host', { headers: { host: 'x' } }, 'reserved_header'],
    ['an injected header', { headers: { 'x-a': 'b\r\nx-c: d' } }, 'invalid_header'],
    ['a broken name', { headers: { 'x a': 'b' } }, 'invalid_header'],
    ['a lost name', { headers: { ['__proto__']: 'b' } }, 'invalid_header'],
    ['a lost name', { auth: { type: 'header', name: '__PROTO__', value: 'b' } }, 'invalid_header'],
    ['one header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'invalid_header'],
    [
      'a header that is the credentials',
      {
        auth: { type: 'basic', username: 'a', password: 'b' },
        headers: { Authorization: 'Bearer x' },
      },
      'invalid_header',
    ],
    [
      'a colon in the user name',
      { auth: { type: 'basic', username: 'a:b', password: 'c' } },
      'invalid_auth',
    ],
    [
      'reserved credentials',
      { auth: { type: 'header', name: 'content-length', value: '0' } },
      'reserved_header',
    ],
  ])('%s is refused and nothing is stored', async (_, input, code) => {
    await expect(create({ url, ...input })).rejects.toMatchObject({
      code,
      param: expect.any(String),
      message: expect.stringMatching(/\.$/),
    });
    expect(await listEndpoints(harness.db, harness.owner)).toEqual([]);
  });

  test('a change cannot set one header twice either', async () => {
    const { id } = await create({ url, headers: { 'x-key': '1' } });
    const auth = { type: 'header', name: 'X-Key', value: '2' } as const;
    await expect(change(id, { auth })).rejects.toMatchObject({ code: 'invalid_header' });
    const made = await change(id, { auth, headers: { 'x-other': '1' } });
    expect(made.header_names).toEqual(['x-other']);
    const again = { headers: { 'x-key': '3' } };
    await expect(change(id, again)).rejects.toMatchObject({ code: 'invalid_header' });
  });

  test('there are at most fifty', async () => {
    for (let made = 0; made < limits.endpointsPerOwner; made += 1) await create({ url });
    await expect(create({ url })).rejects.toMatchObject({ code: 'too_many_endpoints' });
  });

  test('concurrent calls cannot exceed fifty either', async () => {
    const many = Array.from({ length: limits.endpointsPerOwner + 10 }, () => createPatiently());
    const results = await Promise.allSettled(many);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10);
    const listed = await listEndpoints(harness.db, harness.owner);
    expect(listed).toHaveLength(limits.endpointsPerOwner);
  });

  test('another owner cannot reach any of them', async () => {
    const { db, deps, clock } = harness;
    const { id } = await create({ url });
    const absent = { code: 'endpoint_not_found' };
    const stranger = 'partner_b';
    expect(await listEndpoints(db, stranger)).toEqual([]);
    await expect(getEndpoint(db, stranger, id)).rejects.toMatchObject(absent);
    await expect(revealSecret(db, deps, stranger, id, clock.now())).rejects.toMatchObject(absent);
    const now = clock.now();
    const trying = [
      () => db.transaction((tx) => updateEndpoint(tx, deps, stranger, id, { url }, now)),
      () => db.transaction((tx) => deleteEndpoint(tx, stranger, id, now)),
      () => db.transaction((tx) => rotateSecret(tx, deps, stranger, id, {}, now)),
    ];
    for (const each of trying) await expect(each()).rejects.toMatchObject(absent);
  });
});

describe('secrets', () => {
  test('an imported secret is stored unchanged', async () => {
    const secret = newSecret();
    const { id } = await create({ url, secret });
    expect(await reveal(id)).toEqual({ secret, previous: [] });
  });

  test('rotating keeps the old secret for a day by default', async () => {
    const { id } = await create({ url });
    const old = await reveal(id);
    const rotated = await rotate(id, {});
    expect(rotated.secret).not.toBe(old.secret);
    const end = new Date(harness.clock.now().getTime() + 86_400_000);
    expect(rotated.previous).toEqual([{ expires_at: end.toISOString() }]);
    expect(await reveal(id)).toEqual(rotated);
    expect(await getEndpoint(harness.db, harness.owner, id)).toMatchObject({
      previous_secret_expires_at: end.toISOString(),
    });
    await harness.clock.advance(86_400_000);
    expect(await reveal(id)).toEqual({ secret: rotated.secret, previous: [] });
  });

  test('rotating without overlap revokes every older secret at once', async () => {
    const { id } = await create({ url });
    await rotate(id, {});
    const secret = newSecret();
    expect(await rotate(id, { overlap_seconds: 0, secret })).toEqual({ secret, previous: [] });
  });

  test('at most five sign at once', async () => {
    const { id } = await create({ url });
    for (let made = 1; made < limits.liveSecrets; made += 1) await rotate(id, {});
    await expect(rotate(id, {})).rejects.toMatchObject({ code: 'too_many_secrets' });
    expect((await rotate(id, { overlap_seconds: 0 })).previous).toEqual([]);
  });

  test.each([-1, 0.5, 604_801])('an overlap of %d seconds is refused', async (overlap_seconds) => {
    const { id } = await create({ url });
    await expect(rotate(id, { overlap_seconds })).rejects.toMatchObject({
      code: 'invalid_overlap',
    });
  });
});

function create(input: EndpointInput) {
  const { db, deps, owner, clock } = harness;
  return db.transaction((tx) => createEndpoint(tx, deps, owner, input, clock.now()));
}

/** Retries when the lock was not available in time (55P03), as a caller is asked to. */
async function createPatiently(): Promise<EndpointView> {
  for (;;) {
    try {
      return await create({ url });
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
    }
  }
}

function change(id: string, what: EndpointChange) {
  const { db, deps, owner, clock } = harness;
  return db.transaction((tx) => updateEndpoint(tx, deps, owner, id, what, clock.now()));
}

function remove(id: string) {
  const { db, owner, clock } = harness;
  return db.transaction((tx) => deleteEndpoint(tx, owner, id, clock.now()));
}

function rotate(id: string, input: RotateInput) {
  const { db, deps, owner, clock } = harness;
  return db.transaction((tx) => rotateSecret(tx, deps, owner, id, input, clock.now()));
}

function reveal(id: string) {
  const { db, deps, owner, clock } = harness;
  return revealSecret(db, deps, owner, id, clock.now());
}
