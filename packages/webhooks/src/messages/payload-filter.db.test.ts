import { boolean, row, sql } from '@svc/db';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type FilterCondition,
  filterableFields,
  matchesFilter,
  type PayloadFilter,
} from '../endpoints/payload-filter.ts';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import type { Harness } from '../testing/harness.ts';
import type { Receiver } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { getMessage } from './list-messages.ts';
import { previewFilter } from './preview-filter.ts';

const hoa: PayloadFilter = [{ field: 'data.variant', equals: 'hoa' }];
const bodyOf = (data: object, more: object = {}) => JSON.stringify({ ...more, data });

describe('payload filters', () => {
  let harness: Harness;
  let receiver: Receiver;
  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  async function delivery(id: string, endpointId: string) {
    const { deliveries } = await getMessage(harness.db, harness.owner, id);
    return deliveries.find(({ endpoint_id }) => endpoint_id === endpointId);
  }

  test('a message that does not match is skipped and never sent; other endpoints get it', async () => {
    const filtered = await harness.endpoint({ url: receiver.url, filter: hoa });
    const all = await harness.endpoint({ url: `${receiver.url}/all` });
    const match = await harness.deliver({ body: bodyOf({ variant: 'hoa' }) });
    const other = await harness.deliver({ body: bodyOf({ variant: 'rent' }) });
    expect(await delivery(match, filtered)).toMatchObject({ state: 'delivered' });
    expect(await delivery(other, filtered)).toMatchObject({ state: 'skipped', reason: 'filtered' });
    expect(await delivery(other, all)).toMatchObject({ state: 'delivered' });
    expect(receiver.received).toHaveLength(3);
  });

  test('so it is under a publish lease, for custom messages, and while the endpoint is disabled', async () => {
    const { engine, clock, owner } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url, filter: hoa, state: 'disabled' });
    const held = await harness.deliver({ body: bodyOf({ variant: 'hoa' }) });
    const skipped = await harness.deliver({ body: bodyOf({ variant: 'rent' }), custom: true });
    expect(await delivery(held, endpoint)).toMatchObject({ state: 'held' });
    expect(await delivery(skipped, endpoint)).toMatchObject({ state: 'skipped' });
    await change(endpoint, { state: 'enabled' });
    const messages = ['hoa', 'rent'].map((variant, index) => ({
      id: `evt_01kf0rdqg00e50txwpcredyen${index}`,
      owner,
      subject: null,
      type: 'plan.created',
      body: bodyOf({ variant }),
    }));
    await engine.publish(messages);
    await engine.idle();
    void clock.advance(0);
    const states = await Promise.all(messages.map(({ id }) => delivery(id, endpoint)));
    expect(states).toMatchObject([
      { state: 'delivered' },
      { state: 'skipped', reason: 'filtered' },
    ]);
  });

  test('a replay sends a message that was filtered', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url, filter: hoa });
    const id = await harness.deliver({ body: bodyOf({ variant: 'rent' }) });
    await harness.replay(id, endpoint);
    await harness.engine.idle();
    expect(await delivery(id, endpoint)).toMatchObject({ state: 'delivered' });
  });

  test('JSON that PostgreSQL does not accept is filtered all the same', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url, filter: hoa });
    const hostile = [
      '{"data":{"variant":"hoa","note":"\\u0000"}}',
      '{"data":{"variant":"hoa","note":"\\ud800"}}',
      '{"data":{"variant":"hoa","size":1e999999}}',
      `{"data":{"variant":"hoa","deep":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`,
      '{"data":{"variant":"ho\\u0000a"}}',
      '{"data":["hoa"]}',
      '{"data":{"\\u0000":1}}',
    ];
    const states = [];
    for (const body of hostile) {
      const id = await harness.deliver({ body, custom: true });
      states.push((await delivery(id, endpoint))?.state);
    }
    expect(states).toEqual([...Array(4).fill('delivered'), ...Array(3).fill('skipped')]);
  });

  test('the preview counts past messages, with examples, and sees types and channels', async () => {
    const { db, owner } = harness;
    for (const variant of ['hoa', 'rent', 'hoa']) {
      await harness.deliver({ body: bodyOf({ variant }), subject: 't-1' });
    }
    const last = await harness.deliver({
      type: 'plan.updated',
      channels: ['blue'],
      body: bodyOf({ variant: 'rent', note: '\0' }),
    });
    expect(await previewFilter(db, owner, { filter: hoa })).toMatchObject({
      checked: 4,
      matched: 2,
      matching: [{ event_type: 'plan.created', external_id: 't-1' }, {}],
      others: [{ id: last, event_type: 'plan.updated' }, {}],
    });
    expect(await previewFilter(db, owner, { filter: hoa, channels: ['blue'] })).toMatchObject({
      checked: 1,
      matched: 0,
    });
    expect(
      await previewFilter(db, owner, { filter: hoa, event_types: ['plan.created'] }),
    ).toMatchObject({
      checked: 3,
      matched: 2,
    });
    expect(await previewFilter(db, 'partner_b', { filter: hoa })).toMatchObject({
      checked: 0,
      since: null,
    });
  });

  test('a filter matches what a plain evaluation says', async () => {
    const scalar = fc.oneof(
      fc.constantFrom('hoa', 'rent', '', '1', 'true', "it's", '[1]'),
      fc.constantFrom(0, 1, -1, 1.5, 1e21, 100),
      fc.boolean(),
    );
    const field = fc.constantFrom('a', 'b', 'data.a', 'data.b');
    const condition = fc.oneof(
      fc.record({ field, equals: scalar }),
      fc.record({ field, in: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
      fc.record({ field, exists: fc.boolean() }),
    );
    const value = fc.oneof(scalar, fc.constantFrom(null, [1], ['hoa'], { a: 1 }, {}, []));
    const fields = fc.dictionary(fc.constantFrom('a', 'b'), value);
    await fc.assert(
      fc.asyncProperty(
        fc.array(condition, { minLength: 1, maxLength: 3 }),
        fields,
        fc.oneof(fields, value),
        async (filter, top, data) => {
          const body = { ...top, data };
          expect(await matchesInDatabase(filter, JSON.stringify(body))).toBe(matches(filter, body));
          const read = filterableFields(JSON.stringify(body));
          expect(await matchesInDatabase(filter, read)).toBe(matches(filter, body));
        },
      ),
      { numRuns: 100 },
    );
  });

  test.each([
    ['no conditions', []],
    ['too many', Array(11).fill({ field: 'a', exists: true })],
    ['no test', [{ field: 'a' }]],
    ['two tests', [{ field: 'a', exists: true, equals: 1 }]],
    ['an empty list', [{ field: 'a', in: [] }]],
    ['a long list', [{ field: 'a', in: Array(51).fill(1) }]],
    ['a path', [{ field: 'data.a.b', exists: true }]],
    ['an infinite number', [{ field: 'a', equals: Number.POSITIVE_INFINITY }]],
    ['a NUL', [{ field: 'a', equals: '\0' }]],
    ['long text', [{ field: 'a', equals: 'x'.repeat(201) }]],
  ] as [string, PayloadFilter][])('%s is refused', async (_, filter) => {
    await expect(harness.endpoint({ url: receiver.url, filter })).rejects.toMatchObject({
      code: 'invalid_filter',
    });
  });

  async function matchesInDatabase(filter: PayloadFilter, body: string): Promise<boolean> {
    const found = await harness.db.one(
      row('match', { matched: boolean }),
      sql`select ${matchesFilter(sql`${JSON.stringify(filter)}::jsonb`, sql`${body}::jsonb`)} as matched`,
    );
    return found.matched;
  }

  async function change(id: string, part: Parameters<typeof updateEndpoint>[4]): Promise<void> {
    const { db, deps, owner, clock } = harness;
    await db.transaction((tx) => updateEndpoint(tx, deps, owner, id, part, clock.now()));
  }
});

/** The plain twin of `matchesFilter`. */
function matches(filter: PayloadFilter, body: Record<string, unknown>): boolean {
  return filter.every(({ field, ...condition }) => holds(condition, read(body, field)));
}

function holds(condition: Omit<FilterCondition, 'field'>, found: unknown): boolean {
  if (condition.exists !== undefined) return ((found ?? null) !== null) === condition.exists;
  return (condition.in ?? [condition.equals]).some((value) => value === found);
}

function read(body: Record<string, unknown>, field: string): unknown {
  if (!field.startsWith('data.')) return body[field];
  const { data } = body;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  return (data as Record<string, unknown>)[field.slice('data.'.length)];
}
