import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from '@svc/db';
import { openTestDatabase } from '@svc/db/testing';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { routes } from '../src/http/routes.ts';
import { createMetrics } from '../src/metrics/create-metrics.ts';
import { serveMetrics } from '../src/metrics/serve-metrics.ts';
import { version } from '../src/migrations.ts';
import { ConfigError } from '../src/service-settings.ts';
import { startRunning, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';

const receiver = createServer((_, response) => response.writeHead(204).end());
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => void receiver.close());
const svc = await useService({ metricsPort: 0 });

test('metrics are served on their own port only', async () => {
  const { key } = await svc.newPartner();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const event = { event_type: 'plan.created', data: {} };
  await svc.call('POST', '/webhooks/messages', { key, body: event });
  await svc.engine.idle();
  const at = new URL(svc.metricsAt ?? '');
  expect(at.hostname).toBe('127.0.0.1');
  const answer = await fetch(at);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).trimEnd().split('\n');
  expect(lines).toContain('svc_webhook_messages_accepted_total 1');
  expect(lines).toContain('svc_webhook_attempts_total{outcome="delivered"} 1');
  expect(lines).toContain('svc_webhook_attempts_in_flight 0');
  expect(lines).toContain('svc_webhook_deliveries{state="pending"} 0');
  expect(lines).toContain('svc_clock_skew_seconds 0');
  expect(lines).toContain('svc_webhook_due_lag_seconds 0');
  // One line for each sample, with a name, closed labels and a number, as Prometheus parses it.
  for (const line of lines.filter((it) => it !== '')) {
    expect(line).toMatch(
      /^# (HELP|TYPE) (svc|process|nodejs)_|^(svc|process|nodejs)_[a-z0-9_]+(\{[^}]+\})? (-?[\d.e+-]+|\+Inf|Nan)$/,
    );
  }
  expect((await fetch(new URL('/', at))).status).toBe(404);
  expect((await fetch(at, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(at, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${svc.url}/metrics`)).status).toBe(404);
});

test('each request, event, statement and batch of background work is counted', async () => {
  const { key } = await svc.newPartner();
  await svc.call('GET', '/settlements', { key });
  await svc.call('GET', '/settlements');
  await svc.call('GET', '/nowhere', { key });
  const scrape = async () => (await fetch(svc.metricsAt ?? '')).text();
  // A request is counted when its response has left, which its caller may see first.
  await expect.poll(scrape).toContain('svc_http_requests_in_flight 0\n');
  const text = await scrape();
  const count = (labels: string) =>
    Number(text.split(`svc_http_request_duration_seconds_count{${labels}} `)[1]?.split('\n', 1)[0]);
  expect(count('method="GET",route="/v1/settlements",outcome="ok"')).toBe(1);
  expect(count('method="GET",route="/v1/settlements",outcome="refused"')).toBe(1);
  expect(count('method="GET",route="unmatched",outcome="refused"')).toBeGreaterThan(0);
  expect(count('method="POST",route="/v1/webhooks/messages",outcome="ok"')).toBe(1);
  expect(text).toMatch(/svc_db_statement_seconds_count [1-9]/);
  expect(text).toMatch(/svc_db_pool_wait_seconds_count [1-9]/);
  expect(text).toMatch(/svc_db_connections\{state="waiting"\} \d/);
  expect(text).toMatch(/svc_lane_last_success_timestamp_seconds\{lane="due installments"\} \d/);
  expect(text).toContain('svc_lane_failures_total{lane="mails"} 0\n');
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds [\d.]/);
});

test('the version and the roles of the process are labels', async () => {
  const text = await (await fetch(svc.metricsAt ?? '')).text();
  expect(text).toMatch(
    new RegExp(
      `^svc_build_info\\{version="${version}",commit="\\w+",roles="api,worker"\\} 1$`,
      'm',
    ),
  );
});

test('each regular operator check reports its age and the number of faults', async () => {
  const scrape = async () => {
    svc.clock.advance(5_000);
    const lines = (await (await fetch(svc.metricsAt ?? '')).text()).split('\n');
    return (name: string) => Number(lines.find((it) => it.startsWith(`${name} `))?.split(' ')[1]);
  };
  svc.clock.advance(2 * 86_400_000);
  const never = await scrape();
  for (const check of ['ledger', 'audit', 'backup']) {
    expect(never(`svc_operator_check_age_seconds{check="${check}"}`)).toBeGreaterThan(2 * 86_400);
  }
  for (const command of ['ledger verify', 'audit verify', 'backup record'] as const) {
    expect(await svc.administer({ command })).toMatchObject({ ok: true });
  }
  const done = await scrape();
  for (const check of ['ledger', 'audit', 'backup']) {
    expect(done(`svc_operator_check_age_seconds{check="${check}"}`)).toBeLessThanOrEqual(5);
  }
  expect(done('svc_operator_check_faults{check="ledger"}')).toBe(0);
  expect(done('svc_books_open_days')).toBe(0);

  await svc.db.run(sql`update operator_check set faults = 3 where name = 'audit'`);
  const ten = new Date(svc.clock.now().getTime() - 10 * 86_400_000).toISOString().slice(0, 10);
  await svc.db.run(sql`
    insert into bank_account (id, name, currency, account_last4, ledger_account, starts_on, created_at)
    values ('bac_1', 'main', 'USD', '0001', 'cash', ${ten}::date, ${svc.clock.now()})`);
  const later = await scrape();
  expect(later('svc_operator_check_faults{check="audit"}')).toBe(3);
  // Ten days have six to eight banking days, without today.
  expect(later('svc_books_open_days')).toBeGreaterThanOrEqual(6);
  expect(later('svc_books_open_days')).toBeLessThanOrEqual(8);
  await svc.db.run(sql`delete from bank_account`);
});

test('payments, settlements, mails and lags are measured in the database', async () => {
  const partner = await svc.newPartner();
  await withPlan(svc, partner, 't-measured');
  const { items } = (await svc.call('GET', '/settlements', { key: partner.key })).data;
  // The database is read at most every five seconds.
  svc.clock.advance(5_000);
  const text = await (await fetch(svc.metricsAt ?? '')).text();
  const cents = items[0].amount_in_cents;
  expect(text).toContain('svc_db_up 1\n');
  expect(text).toContain('svc_payments{outcome="succeeded",age="hour"} 1\n');
  expect(text).toContain('svc_payments{outcome="failed",age="week"} 0\n');
  expect(text).toContain(`svc_settlement_cents{status="unsettled",stale="false"} ${cents}\n`);
  expect(text).toContain('svc_settlements{status="unsettled",stale="true"} 0\n');
  expect(text).toContain('svc_unmatched_cents 0\n');
  expect(text).toContain('svc_lane_lag_seconds{lane="due installments"} 0\n');
  expect(text).toContain('svc_events_published_total{type="plan.activated"} 1\n');
});

test('metrics of another host need the token', async () => {
  const guarded = await startRunning({ metricsPort: 0, metricsToken: 'a-token-for-prometheus' });
  const at = guarded.metricsAt ?? '';
  const scrape = (authorization?: string) =>
    fetch(at, authorization === undefined ? {} : { headers: { authorization } });
  for (const wrong of [undefined, 'Bearer a-token', 'Basic a-token-for-prometheus', '']) {
    const refused = await scrape(wrong);
    expect([refused.status, await refused.text()]).toEqual([
      401,
      'Send the token of SVC_METRICS_TOKEN as "Authorization: Bearer <token>".\n',
    ]);
  }
  expect((await scrape('Bearer a-token-for-prometheus')).status).toBe(200);
  await guarded.close();
});

test('a metrics port in use is one sentence', async () => {
  const { port } = receiver.address() as AddressInfo;
  await expect(startRunning({ metricsPort: port })).rejects.toThrow(
    new ConfigError(
      `Port ${port} is in use. Stop the other process, or set SVC_METRICS_PORT to a different port.`,
    ),
  );
});

test('without a database the metrics of the process are still served', async () => {
  const { db, close } = await openTestDatabase();
  await close();
  const { registry } = createMetrics();
  const stats = () => svc.engine.stats();
  const log = { info() {}, warn() {}, error() {} };
  const served = await serveMetrics(
    { port: 0, host: '127.0.0.1', token: undefined },
    {
      registry,
      db,
      engine: { stats },
      clock: svc.clock,
      skewMs: () => 0,
      roles: ['api', 'worker'],
      log,
      service: { processor: null },
      processors: [],
    },
  );
  const answer = await fetch(served.url);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(text).toContain('svc_db_up 0\n');
  expect(text).toContain('svc_webhook_attempts_in_flight 0\n');
  expect(text).not.toMatch(/^svc_(payments|unmatched_cents|lane_lag_seconds)/m);
  await served.close();
});

test('every metric and route in the alerts and the dashboard exists', async () => {
  const text = await (await fetch(svc.metricsAt ?? '')).text();
  const types = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => [name, type]),
  );
  const expressions = await readExpressions();
  expect(expressions.length).toBeGreaterThan(40);
  const named = expressions.flatMap((it) => it.match(/\b(svc|nodejs|process)_[a-z0-9_]+/g) ?? []);
  const missing = named.filter((name) => {
    const histogram = name.replace(/_(bucket|count|sum)$/, '');
    return types.get(histogram) !== 'histogram' && !types.has(name);
  });
  expect(missing).toEqual([]);
  // All of our metrics are shown, except these.
  const unused = [...types.keys()].filter(
    (name) => name.startsWith('svc_') && !named.some((it) => it.startsWith(name)),
  );
  expect(unused).toEqual([
    'svc_lane_last_success_timestamp_seconds',
    'svc_request_log_rows_total',
    'svc_webhook_messages_accepted_total',
    'svc_webhook_attempts_waiting',
    'svc_webhook_results_unwritten',
    'svc_webhook_deliveries_undelivered',
    'svc_webhook_replays_running',
    'svc_processor_calls_open',
    'svc_settlements',
    'svc_texts_given_up',
  ]);
  const patterns = routes.map(({ path }) => `/v1${path.replace(/\{(\w+)\}/g, ':$1')}`);
  for (const [, route] of expressions.join(' ').matchAll(/route="([^"]+)"/g)) {
    expect(patterns).toContain(route);
  }
});

async function readExpressions(): Promise<string[]> {
  const folder = new URL('../../../deploy/monitoring/', import.meta.url);
  const alerts = parse(await readFile(new URL('alerts.yaml', folder), 'utf8'));
  const dashboard = JSON.parse(await readFile(new URL('dashboard.json', folder), 'utf8'));
  const rules = alerts.groups.flatMap((group: { rules: object[] }) => group.rules);
  const targets = dashboard.panels.flatMap((panel: { targets?: object[] }) => panel.targets ?? []);
  return [...rules, ...targets].map((it: { expr: string }) => it.expr);
}

test('without a port there are no metrics', async () => {
  const plain = await startRunning();
  expect(plain.metricsAt).toBeUndefined();
  await plain.close();
});
