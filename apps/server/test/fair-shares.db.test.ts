import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { row, sql, text } from '@svc/db';
import { testKind } from '@svc/db/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { countWaiting } from './support/count-waiting.ts';

// One partner's actions must not cause another partner's calls to be refused. Nothing here measures time: a place
// that is held during a request to another machine stays held, because that machine does not answer.

const svc = await useService();

interface Silent {
  readonly url: string;
  readonly arrived: () => number;
}

/** A receiver that takes requests and never answers, until the test is over. */
async function listenSilently(): Promise<Silent> {
  let count = 0;
  const url = await listen(() => {
    count += 1;
  });
  return { url, arrived: () => count };
}

async function listen(handle: RequestListener): Promise<string> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function addEndpoint(key: string, url: string): Promise<string> {
  return (await svc.call('POST', '/webhooks/endpoints', { key, body: { url } })).data.id;
}

/** Sends more calls at once than the service works on, and returns their statuses. */
async function callAtOnce(key: string, count = 60): Promise<number[]> {
  const calls = Array.from({ length: count }, (_, index) =>
    svc.call('POST', `/tenant/portal_info/t-${index % 5}`, { key, body: ada }),
  );
  return (await Promise.all(calls)).map(({ status }) => status);
}

test('a test send and the doctor hold no place while the other machine is silent', async () => {
  const hostile = await svc.newPartner();
  const other = await svc.newPartner();
  const silent = await listenSilently();
  const endpoint = await addEndpoint(hostile.key, silent.url);
  const path = `/webhooks/endpoints/${endpoint}/test`;
  const sends = Array.from({ length: 45 }, () =>
    svc.call('POST', path, { key: hostile.key, body: { event_type: 'plan.activated' } }),
  );
  const doctor = svc.call('POST', '/partner/doctor', {
    key: hostile.key,
    body: { page_url: silent.url },
  });
  // Ten test sends, and the doctor's page and its first webhook.
  await expect.poll(silent.arrived).toBe(12);
  expect(await callAtOnce(other.key)).toEqual(Array(60).fill(200));
  expect(await callAtOnce(hostile.key)).toEqual(Array(60).fill(200));
  let statuses: number[] = [];
  void Promise.all([...sends, doctor]).then((answers) => {
    statuses = answers.map(({ status }) => status);
  });
  await expect
    .poll(() => {
      svc.clock.advance(15_000);
      return statuses.length;
    })
    .toBe(46);
  // Those at the end of the line have waited for half a minute.
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});

test('one doctor runs at a time for each partner, and ten in a minute', async () => {
  const { key } = await svc.newPartner();
  const other = await svc.newPartner();
  const silent = await listenSilently();
  const examine = (by: string, body: object = {}) =>
    svc.call('POST', '/partner/doctor', { key: by, body });
  const first = examine(key, { page_url: silent.url });
  await expect.poll(silent.arrived).toBe(1);
  const second = await examine(key);
  expect(second).toMatchObject({
    status: 429,
    error: {
      code: 'rate_limited',
      message: expect.stringContaining('one runs at once for each partner'),
    },
  });
  expect(second.headers.get('retry-after')).toBe('1');
  expect((await examine(other.key)).status).toBe(200);
  svc.clock.advance(15_000);
  expect((await first).status).toBe(200);
  // A partner without earlier runs, which the background loop may count a minute late.
  const busy = await svc.newPartner();
  const statuses: number[] = [];
  for (let run = 0; run < 11; run += 1) statuses.push((await examine(busy.key)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  expect((await examine(other.key)).status).toBe(200);
});

test('scenarios of one partner wait for each other, and no one else waits for them', async () => {
  const hostile = await svc.newPartner();
  const other = await svc.newPartner();
  const scenarios = Array.from({ length: 8 }, (_, index) =>
    svc.call('POST', `/simulation/s-${index}/scenario`, {
      key: hostile.key,
      body: { scenario: 'approved' },
    }),
  );
  expect(await callAtOnce(other.key)).toEqual(Array(60).fill(200));
  expect((await Promise.all(scenarios)).map(({ status }) => status)).toEqual(Array(8).fill(200));
});

// The embedded database has one session, so nothing else runs during the transaction of the test.
test.runIf(testKind() === 'postgres')(
  'a scenario ends with its caller, and a repeated call continues',
  async () => {
    const { key, id: partnerId } = await svc.newPartner();
    const path = '/simulation/s-1/scenario';
    const approved = await svc.call('POST', path, { key, body: { scenario: 'approved' } });
    expect(approved.status).toBe(200);
    const lines = () => svc.lines.map((line) => JSON.parse(line));
    const isAborted = (line: { msg: string; route: string }) =>
      line.msg === 'request aborted' && line.route.endsWith('/scenario');

    const leaving = new AbortController();
    let left: Promise<unknown> | undefined;
    // The scenario waits for the tenant's row while its caller hangs up.
    await svc.db.transaction(async (tx) => {
      await tx.run(sql`
      select from tenant where partner_id = ${partnerId} and external_id = 's-1' for update`);
      left = fetch(`${svc.url}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ scenario: 'paid_off' }),
        signal: leaving.signal,
      }).catch(() => 'left');
      await expect.poll(() => countWaiting(svc.db)).toBe(1);
      leaving.abort();
      await expect.poll(() => lines().some(isAborted)).toBe(true);
    });
    await left;
    await expect
      .poll(() => lines().some(({ msg }) => msg === 'the caller has left, so the call ends'))
      .toBe(true);
    const plans = await svc.db.many(
      row('plan', { state: text }),
      sql`select state from plan where partner_id = ${partnerId}`,
    );
    expect(plans.filter(({ state }) => state === 'completed')).toEqual([]);
    const repeated = await svc.call('POST', path, { key, body: { scenario: 'paid_off' } });
    expect(repeated).toMatchObject({ status: 200, data: { plan: { state: 'completed' } } });
  },
);

test('a page takes its share of the limit of an address', async () => {
  const limited = await useService({ rateLimitPerMinute: 1 });
  const get = async (path: string) => (await fetch(`${limited.url}${path}`)).status;
  const statuses: number[] = [];
  for (const path of ['/', '/docs', '/sdk', '/portal', '/docs/api', '/docs', '/v1/openapi.json']) {
    statuses.push(await get(path));
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(await get('/livez')).toBe(200);
});
