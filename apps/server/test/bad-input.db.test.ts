import { request } from 'node:http';
import { isTimeZone } from '@svc/contract';
import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { describe, expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { readPersonal } from './read-personal.ts';

const svc = await useService();
const { key } = await svc.newPartner();

const charge = { id: 'C-1', due_date: '2026-02-01', amount_in_cents: 152_012 };
const send = (body: unknown, headers: Record<string, string> = {}) =>
  svc.call('POST', '/tenant/portal_info/bad', { key, body, headers });

/** Description, body, the invalid field and its error code. */
const fields: [string, object, string, string][] = [
  ['a missing name', without('first_name'), 'first_name', 'required'],
  ['missing charges', without('charges'), 'charges', 'required'],
  ['a number as name', { ...ada, first_name: 7 }, 'first_name', 'invalid_type'],
  ['null as name', { ...ada, first_name: null }, 'first_name', 'invalid_type'],
  ['an empty name', { ...ada, first_name: '' }, 'first_name', 'too_small'],
  ['a long name', { ...ada, first_name: 'x'.repeat(101) }, 'first_name', 'too_big'],
  ['a name of spaces', { ...ada, first_name: '  ' }, 'first_name', 'invalid_format'],
  ['an invisible name', { ...ada, last_name: '\u200b' }, 'last_name', 'invalid_format'],
  ['an invalid e-mail address', { ...ada, email: 'ada' }, 'email', 'invalid_format'],
  ['a local phone number', { ...ada, phone_number: '555-0100' }, 'phone_number', 'invalid_format'],
  ['an unknown variant', { ...ada, product_variant: 'car' }, 'product_variant', 'invalid_value'],
  ['an unknown field', { ...ada, nickname: 'A' }, 'nickname', 'unknown_field'],
  ['text as charges', { ...ada, charges: 'none' }, 'charges', 'invalid_type'],
  ...[
    [{ due_date: '2026-02-30' }, 'due_date', 'invalid_date'],
    [{ due_date: '02/01/2026' }, 'due_date', 'invalid_date'],
    [{ due_date: '0000-01-01' }, 'due_date', 'invalid_date'],
    [{ due_date: '1899-12-31' }, 'due_date', 'invalid_date'],
    [{ due_date: '2200-01-01' }, 'due_date', 'invalid_date'],
    [{ due_date: '9999-12-31' }, 'due_date', 'invalid_date'],
    [{ due_date: undefined }, 'due_date', 'required'],
    [{ amount_in_cents: 1.5 }, 'amount_in_cents', 'invalid_type'],
    [{ amount_in_cents: '152012' }, 'amount_in_cents', 'invalid_type'],
    [{ amount_in_cents: 100_000_001 }, 'amount_in_cents', 'too_big'],
    [{ amount_in_cents: -100_000_001 }, 'amount_in_cents', 'too_small'],
    [{ amount_paid_in_cents: 152_013 }, 'amount_paid_in_cents', 'invalid_value'],
    [{ amount_paid_in_cents: -1 }, 'amount_paid_in_cents', 'too_small'],
    [{ amount_in_cents: -100, amount_paid_in_cents: 50 }, 'amount_paid_in_cents', 'invalid_value'],
    [{ type: 'parking' }, 'type', 'invalid_value'],
    [{ id: '' }, 'id', 'too_small'],
    [{ rent: 1 }, 'rent', 'unknown_field'],
  ].map(
    ([change, field, code]) =>
      [
        `a charge with ${JSON.stringify(change)}`,
        { ...ada, charges: [{ ...charge, ...(change as object) }] },
        `charges[0].${field}`,
        code,
      ] as [string, object, string, string],
  ),
  ['a duplicate charge id', { ...ada, charges: [charge, charge] }, 'charges[1].id', 'duplicate'],
  [
    'charges of more than the largest total',
    { ...ada, charges: many(11).map((it) => ({ ...it, amount_in_cents: 100_000_000 })) },
    'charges',
    'too_big',
  ],
  [
    'a lease that ends beyond the supported dates',
    { ...ada, lease: { id: 'L', ends_on: '2999-12-31' } },
    'lease.ends_on',
    'invalid_date',
  ],
  ['201 charges', { ...ada, charges: many(201) }, 'charges', 'too_big'],
  [
    'an unknown time zone',
    { ...ada, lease: { id: 'L', property: { id: 'P', time_zone: 'Mars/Base' } } },
    'lease.property.time_zone',
    'invalid_value',
  ],
  [
    'a JavaScript return_url',
    { ...ada, return_url: 'javascript:1' },
    'return_url',
    'invalid_format',
  ],
  ['21 metadata keys', { ...ada, metadata: keyed(21) }, 'metadata', 'invalid_value'],
  ['a number in metadata', { ...ada, metadata: { a: 1 } }, 'metadata.a', 'invalid_type'],
];

test.each(fields)('%s is refused with the name of the field', async (_, body, param, code) => {
  const answer = await send(body);
  expect(answer).toMatchObject({ status: 422, error: { code: 'validation_failed', param } });
  expect(answer.error?.errors).toContainEqual(expect.objectContaining({ param, code }));
  expect(answer.error?.message).toContain(param);
});

test.each([
  ['CST', 'an IANA time zone such as America/Chicago, not the abbreviation CST'],
  ['pst', 'an IANA time zone such as America/Chicago, not the abbreviation pst'],
  ['EDT', 'an IANA time zone such as America/Chicago, not the abbreviation EDT'],
  ['-06:00', 'an IANA time zone such as America/Chicago, not an offset'],
  ['UTC-6', 'an IANA time zone such as America/Chicago, not an offset'],
  // ICU knows these, and PostgreSQL does not.
  ['US/Pacific-New', 'an IANA time zone such as America/Chicago'],
  ['Canada/East-Saskatchewan', 'an IANA time zone such as America/Chicago'],
])('the time zone %s is refused', async (time_zone, expected) => {
  const answer = await send({ ...ada, lease: { id: 'L', property: { id: 'P', time_zone } } });
  expect(answer).toMatchObject({ status: 422, error: { param: 'lease.property.time_zone' } });
  expect(answer.error?.message).toBe(`lease.property.time_zone must be ${expected}.`);
});

test.each(['EST', 'utc', 'us/central', ' America/Chicago ', 'Asia/Katmandu', 'Etc/GMT+12'])(
  'a tenant in the time zone %j splits the rent',
  async (time_zone) => {
    const externalId = `zone-${time_zone.trim().replaceAll(/\W/g, '-')}`;
    const body = { ...ada, lease: { id: 'L', property: { id: 'P', time_zone } } };
    await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });
    const split = await svc.call('POST', `/simulation/${externalId}/scenario`, {
      key,
      body: { scenario: 'split' },
    });
    expect(split).toMatchObject({ status: 200, data: { plan: { state: 'active' } } });
    const listed = await svc.call('GET', `/settlements?external_id=${externalId}`, { key });
    expect(listed.data.items).toHaveLength(1);
  },
);

test('PostgreSQL computes with each time zone that the contract accepts', async () => {
  const names = Intl.supportedValuesOf('timeZone').filter(isTimeZone);
  const { days } = await oneRowOf<{ days: number }>(
    svc.db,
    sql`
    select count(timestamptz '2026-02-01T12:00:00Z' at time zone zone)::int4 as days
    from unnest(${names}::text[]) as zone`,
  );
  expect(days).toBe(names.length);
});

test('the largest total of charges is accepted', async () => {
  const charges = many(10).map((it) => ({ ...it, amount_in_cents: 100_000_000 }));
  const path = '/tenant/portal_info/largest';
  expect(await svc.call('POST', path, { key, body: { ...ada, charges } })).toMatchObject({
    status: 200,
    data: { rent_cycle: { amount_due_in_cents: 1_000_000_000 } },
  });
});

test.each([null, '9999-12-31'])('a lease that ends on %s has no end', async (ends_on) => {
  const path = `/tenant/portal_info/no-end-${ends_on}`;
  const ended = { ...ada, lease: { ...ada.lease, ends_on: '2026-01-31' } };
  await svc.call('POST', path, { key, body: ended });
  const body = { ...ada, lease: { ...ada.lease, ends_on } };
  expect(await svc.call('POST', path, { key, body })).toMatchObject({
    status: 200,
    data: { eligibility: { state: 'cycle_closed', reason: null } },
  });
  const { lease } = await oneRowOf<{ lease: object }>(
    svc.db,
    sql`select lease from tenant where external_id = ${`no-end-${ends_on}`}`,
  );
  expect(lease).toMatchObject({ ends_on: null });
});

test.each(['tom&jane@example.com', 'a/b@example.com', 'jürgen@bücher.example'])(
  'the address %s is stored unchanged',
  async (email) => {
    const path = `/tenant/portal_info/${encodeURIComponent(email)}`;
    expect((await svc.call('POST', path, { key, body: { ...ada, email } })).status).toBe(200);
    expect(await readPersonal(svc, email)).toMatchObject({ email });
  },
);

test.each([
  ['0000-01-01', 'rent_cycle_date'],
  ['9999-12-31', 'rent_cycle_date'],
])('the clock is not set to %s', async (rent_cycle_date, param) => {
  const body = { rent_cycle_date, flow: 'WILL_BE_APPROVED' };
  const error = { code: 'validation_failed', param };
  const answer = await svc.call('POST', '/simulation/t-far/set_flow', { key, body });
  expect(answer).toMatchObject({ status: 422, error });
  expect(answer.error?.message).toBe('rent_cycle_date must be from 1900-01-01 to 2199-12-31.');
});

test.each([
  [{ by: 'P99999999999D' }, 'by', 'at most 400 days'],
  [{ by: 'P9999Y' }, 'by', 'must be at most 400 days ahead'],
  [{ to: '2200-01-01T00:00:00Z' }, 'to', 'must be from 1900-01-01 to 2199-12-31'],
])('the clock does not advance by %j', async (body, param, message) => {
  const answer = await svc.call('POST', '/simulation/t-far/advance_clock', { key, body });
  expect(answer).toMatchObject({ status: 422, error: { param } });
  expect(answer.error?.message).toContain(message);
});

test('the clock does not advance beyond the supported dates', async () => {
  const simulate = (call: string, body: object) =>
    svc.call('POST', `/simulation/t-end/${call}`, { key, body });
  const flow = { rent_cycle_date: '2199-12-31', flow: 'WILL_BE_APPROVED' };
  expect((await simulate('set_flow', flow)).status).toBe(200);
  expect((await simulate('advance_clock', { by: 'PT11H' })).status).toBe(200);
  expect(await simulate('advance_clock', { by: 'P1D' })).toMatchObject({
    status: 422,
    error: { message: 'by must not take the clock beyond 2199-12-31.' },
  });
});

test.each([
  ['https://*', 'wildcards are not supported'],
  ['https://*.com', 'wildcards are not supported'],
  ['https://portal.example/rent', 'pass https://portal.example'],
  ['https://portal.example.', 'take out the dot'],
])('%s is refused as an allowed origin', async (origin, message) => {
  const body = { allowed_origins: ['https://portal.example', origin] };
  const answer = await svc.call('PUT', '/partner/allowed_origins', { key, body });
  expect(answer).toMatchObject({ status: 422, error: { param: 'allowed_origins[1]' } });
  expect(answer.error?.message).toContain(message);
});

test.each([
  '/settlements',
  '/payouts',
  '/partner/tenants',
  '/partner/tenants?search=t',
  '/partner/requests',
  '/webhooks/audit_log',
  '/webhooks/messages',
  '/webhooks/attempts',
  '/webhooks/deliveries',
  '/webhooks/replays',
  '/webhooks/endpoints',
  '/webhooks/event_types',
  '/partner/api_keys',
])('%s refuses a cursor that is not its own', async (path) => {
  const stranger = 'rfd_00000000000000000000000000';
  for (const cursor of ['abc', stranger, `${stranger}x`, 'after%20t', '%20', 'x'.repeat(300)]) {
    const separator = path.includes('?') ? '&' : '?';
    const answer = await svc.call('GET', `${path}${separator}cursor=${cursor}`, { key });
    expect(answer).toMatchObject({ status: 422, error: { param: 'cursor' } });
    expect(answer.error?.message).toMatch(/next_cursor/);
  }
});

test('white space around a URL, an origin or a request id makes no difference', async () => {
  const partner = await svc.newPartner();
  const call = (method: string, path: string, body?: object) =>
    svc.call(method, path, { key: partner.key, ...(body && { body }) });
  const created = await call('POST', '/webhooks/endpoints', { url: ' https://localhost:9/a \n' });
  expect(created).toMatchObject({ status: 200, data: { url: 'https://localhost:9/a' } });
  const allowed_origins = [' https://portal.example\t'];
  const origins = await call('PUT', '/partner/allowed_origins', { allowed_origins });
  expect(origins.data.allowed_origins).toEqual(['https://portal.example']);
  const id = created.headers.get('x-request-id');
  await expect
    .poll(async () => (await call('GET', `/partner/requests?request_id=%20${id}%20`)).data.items)
    .toHaveLength(1);
});

test('a settlement report outside of the supported dates is refused', async () => {
  for (const report of ['report', 'report.csv']) {
    const answer = await svc.call('GET', `/settlements/${report}?date=0000-01-01`, { key });
    expect(answer).toMatchObject({ status: 422, error: { param: 'date' } });
  }
});

test('one error names all invalid fields, and nothing is stored', async () => {
  const counting = sql`select count(*) as count from tenant`;
  const before = await oneRowOf<{ count: number }>(svc.db, counting);
  const wrong = { ...ada, email: 'x', last_name: 1, charges: [{ ...charge, due_date: 'soon' }] };
  const answer = await send(wrong);
  const params = answer.error?.errors?.map(({ param }) => param) ?? [];
  expect(params.toSorted()).toEqual(['charges[0].due_date', 'email', 'last_name']);
  const { count } = await oneRowOf<{ count: number }>(svc.db, counting);
  expect(count).toBe(before.count);
});

describe('a body that is not a JSON object in UTF-8', () => {
  const json = JSON.stringify(ada);
  test.each([
    ['cut off', json.slice(0, -1)],
    ['text', 'hello'],
    ['not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ['a key __proto__', `{"__proto__": {"x": 1}, ${json.slice(1)}`],
    ['an escaped __proto__', `{"\\u005f_proto__": 1, ${json.slice(1)}`],
    ['nested 10,000 deep', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['two documents', json + json],
  ])('%s', async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 400, error: { code: 'invalid_json' } });
  });

  test.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['a string', '"ada"'],
  ])('%s', async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
  });

  test('a missing body is refused', async () => {
    const answer = await svc.call('POST', '/tenant/portal_info/bad', { key });
    expect(answer).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
    expect(answer.error?.errors).toEqual([{ param: '', code: 'required', message: 'is required' }]);
  });
});

test('the wrong media type and a compressed body are 415', async () => {
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/jsonp' },
    { 'content-encoding': 'gzip' },
  ]) {
    expect(await send(JSON.stringify(ada), headers)).toMatchObject({
      status: 415,
      error: { code: 'unsupported_media_type' },
    });
  }
});

test('a body of 256 KiB is accepted and one byte more is not, with and without Content-Length', async () => {
  const limit = 256 * 1024;
  const fits = JSON.stringify(ada).padEnd(limit, ' ');
  expect((await send(fits)).status).toBe(200);
  expect(await send(`${fits} `)).toMatchObject({
    status: 413,
    error: { code: 'payload_too_large' },
  });
  expect(await sendChunked(`${fits} `)).toBe(413);
});

test('characters that PostgreSQL cannot store are refused, never a 500', async () => {
  for (const body of [
    { ...ada, metadata: { note: 'a\u0000b' } },
    { ...ada, metadata: { note: '\ud800' } },
    { ...ada, first_name: 'a\u0000' },
    { ...ada, first_name: '\udc00' },
  ]) {
    expect(await send(body)).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
  }
});

describe('an external id', () => {
  const ids = ['a/b', 'a b', 'a%2Fb', 'a?b#c', 'ü', '😀', '…'.repeat(255), '%', 'x'.repeat(255)];
  test.each(ids)('%j is decoded once and stored unchanged', async (id) => {
    const path = `/tenant/portal_info/${encodeURIComponent(id)}`;
    const answer = await svc.call('POST', path, { key, body: ada });
    expect(answer).toMatchObject({ status: 200, data: { external_id: id } });
    const read = await svc.call('GET', `/tenants/${encodeURIComponent(id)}`, { key });
    expect(read.data.external_id).toBe(id);
  });

  test.each(['x'.repeat(256), 'x'.repeat(4_000), 'a\u0000', 'a\nb', '..'])(
    '%j is refused',
    async (id) => {
      const body = { external_id: id, ...ada };
      const answer = await svc.call('POST', '/portal_info', { key, body });
      expect(answer).toMatchObject({ status: 422, error: { param: 'external_id' } });
    },
  );

  test('an id of 4,000 characters in a path is refused with the error envelope', async () => {
    const path = `/tenant/portal_info/${'x'.repeat(4_000)}`;
    expect(await svc.call('POST', path, { key, body: ada })).toMatchObject({
      status: 422,
      error: { param: 'external_id' },
    });
  });

  test('an id with a broken escape is refused with the error envelope', async () => {
    const answer = await svc.call('POST', '/tenant/portal_info/%zz', { key, body: ada });
    expect(answer).toMatchObject({ status: 400, error: { code: 'invalid_path' } });
    expect(answer.headers.get('x-request-id')).toBe(answer.error?.request_id);
  });
});

function without(field: keyof typeof ada): object {
  const { [field]: _removed, ...rest } = ada;
  return rest;
}

function many(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ ...charge, id: `C-${index}` }));
}

function keyed(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
}

/** Sends a body without Content-Length, which `fetch` always sets. */
function sendChunked(body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${svc.url}/v1/tenant/portal_info/bad`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.write(body.slice(0, 1_000));
    sent.end(body.slice(1_000));
  });
}
