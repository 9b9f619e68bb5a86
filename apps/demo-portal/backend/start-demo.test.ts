import { scenarios as contractScenarios } from '@svc/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type FixtureService,
  settlementCreated,
  signed,
  startFixtureService,
} from '../test/fixture/service.ts';
import type { Activity, Selected, WebhookActivity } from './answers.ts';
import { scenarios } from './scenarios.ts';
import { type Demo, type DemoOptions, startDemo } from './start-demo.ts';

const now = new Date('2026-11-21T18:00:00Z');
let service: FixtureService;
let demo: Demo;

beforeEach(async () => {
  service = await startFixtureService(() => now);
  demo = await startDemo(options());
});
afterEach(async () => {
  await demo.close();
  await service.close();
});

function options(): DemoOptions {
  const { origin, apiKey, pms, secret } = service;
  return {
    port: 0,
    host: '127.0.0.1',
    service: { origin, baseUrl: `${origin}/v1` },
    apiKey,
    pms,
    signingSecret: async () => secret,
    now: () => now,
  };
}

async function post<T>(path: string, body?: unknown): Promise<{ status: number; json: T }> {
  const response = await fetch(demo.origin + path, {
    method: 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as T };
}

async function get<T>(path: string): Promise<T> {
  return (await (await fetch(demo.origin + path)).json()) as T;
}

async function activity(): Promise<Activity[]> {
  return (await get<{ items: Activity[] }>('/api/activity')).items;
}

async function webhooks(): Promise<WebhookActivity[]> {
  return (await activity()).filter((item) => item.kind === 'webhook');
}

function deliver(request: ReturnType<typeof signed>): Promise<Response> {
  return fetch(`${demo.origin}/webhooks/svc`, request);
}

const adaCharges = [
  { charge_id: 'res-1042-2026-12-rent', amount_in_cents: 147_500 },
  { charge_id: 'res-1042-2026-12-water', amount_in_cents: 4_512 },
];

test('selecting a tenant sends portal_info, then simulates the same due date', async () => {
  const { json } = await post<Selected>('/api/tenants/res-1077/select');
  expect(service.calls.map(({ name }) => name)).toEqual([
    'POST /tenant/portal_info/res-1077',
    'POST /simulation/res-1077/set_underwriting_result',
  ]);
  expect(service.calls[0]?.body).toMatchObject({
    charges: [{ due_date: '2026-12-01' }, { due_date: '2026-12-01' }],
    return_url: `${demo.origin}/`,
  });
  expect(service.calls[1]?.body).toEqual({
    underwriting_result: 'WILL_BE_DECLINED',
    rent_cycle_date: '2026-12-01',
  });
  expect(json.widget).toMatchObject({ pms: 'maple', external_id: 'res-1077', preload: false });
  expect(json.widget.signature).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(json)).not.toContain(service.apiKey);
});

test('starting over resets the simulation and removes the payment', async () => {
  await post('/api/tenants/res-1042/select');
  await deliver(signed(settlementCreated('res-1042', adaCharges, now), { now }));
  const { json } = await post<Selected>('/api/tenants/res-1042/start-over');
  expect(json.account.balance_in_cents).toBe(152_012);
  expect(service.calls.slice(-3).map(({ name }) => name)).toEqual([
    'POST /simulation/res-1042/reset',
    'POST /tenant/portal_info/res-1042',
    'POST /simulation/res-1042/set_underwriting_result',
  ]);
  // Redelivered late or replayed: the plan has ended.
  await deliver(signed(settlementCreated('res-1042', adaCharges, now), { now }));
  const { account } = await get<Selected>('/api/tenants/res-1042');
  expect(account.balance_in_cents).toBe(152_012);
});

test('issues a token on request and never records it', async () => {
  const { json } = await post<{ token: string }>('/api/token', { tenant_id: 'res-1042' });
  expect(json.token).toMatch(/^svc_tt_secret/);
  const written = JSON.stringify(await activity());
  expect(written).toContain('svc_tt_…');
  expect(written).not.toContain('secret-');
  expect(written).not.toContain(service.apiKey);
});

test('records a verified settlement once and reports it in the next portal_info', async () => {
  await post('/api/tenants/res-1042/select');
  const request = signed(settlementCreated('res-1042', adaCharges, now), { now });
  expect((await deliver(request)).status).toBe(204);
  expect((await deliver(request)).status).toBe(204);
  const { account } = await get<Selected>('/api/tenants/res-1042');
  expect(account.balance_in_cents).toBe(0);
  const payments = account.cycles[0]?.entries.filter(({ kind }) => kind === 'payment');
  expect(payments).toHaveLength(1);
  expect((await webhooks()).map(({ verified, repeated }) => [verified, repeated])).toEqual([
    [true, false],
    [true, true],
  ]);
  await post('/api/token', { tenant_id: 'res-1042' });
  expect(service.calls.at(-1)?.body).toMatchObject({
    charges: [{ amount_paid_in_cents: 147_500 }, { amount_paid_in_cents: 4_512 }],
  });
});

test('rejects requests without a valid recent signature, says why, and records nothing', async () => {
  const event = settlementCreated('res-1042', adaCharges, now);
  const good = signed(event, { now });
  const old = new Date(now.getTime() - 301_000);
  const cases: [string, Promise<Response>][] = [
    ['mismatch', deliver({ ...good, body: good.body.replace('147500', '147501') })],
    ['mismatch', deliver(signed(event, { now, key: `whsec_${btoa('x'.repeat(32))}` }))],
    ['too_old', deliver(signed(event, { now: old }))],
    ['missing_header', fetch(`${demo.origin}/webhooks/svc`, { method: 'POST', body: '{}' })],
    ['missing_header', fetch(`${demo.origin}/webhooks/svc`, { method: 'POST' })],
  ];
  for (const [reason, sent] of cases) {
    const response = await sent;
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { reason } });
  }
  const seen = await webhooks();
  expect(seen.map((item) => item.verified)).toEqual(Array(5).fill(false));
  expect(seen.every(({ message, type }) => message !== null && type === null)).toBe(true);
  const { account } = await get<Selected>('/api/tenants/res-1042');
  expect(account.balance_in_cents).toBe(152_012);
});

test('a test send or a custom event of the right type moves no money', async () => {
  const event = settlementCreated('res-1042', adaCharges, now);
  await deliver(signed({ ...event, id: 'evt_a', test: true }, { now }));
  await deliver(signed({ ...event, id: 'evt_b', custom: true }, { now }));
  expect((await webhooks()).every(({ verified }) => verified)).toBe(true);
  const { account } = await get<Selected>('/api/tenants/res-1042');
  expect(account.balance_in_cents).toBe(152_012);
});

test('a custom event with unexpected data is accepted', async () => {
  const event = { ...settlementCreated('res-1042', adaCharges, now), custom: true, data: {} };
  expect((await deliver(signed(event, { now }))).status).toBe(204);
});

test('finds the plan of an earlier run without changing the tenant’s clock', async () => {
  service.plans.set('res-1042', { planId: 'pln_1', settlementId: 'stl_1' });
  const { json } = await post<Selected>('/api/tenants/res-1042/select');
  expect(json.account.balance_in_cents).toBe(0);
  expect(service.calls.map(({ name }) => name)).toEqual([
    'POST /tenant/portal_info/res-1042',
    'GET /tenants/res-1042',
    'GET /settlements/stl_1',
  ]);
});

test('keeps an advanced clock and sets one that is before the due date', async () => {
  const names = async () => {
    const from = service.calls.length;
    await post('/api/tenants/res-1042/select');
    return service.calls.slice(from).map(({ name }) => name.replace('res-1042/', ''));
  };
  const [info, read, set] = [
    'POST /tenant/portal_info/res-1042',
    'GET /simulation/res-1042',
    'POST /simulation/set_underwriting_result',
  ];
  expect(await names()).toEqual([info, set]);
  expect(await names()).toEqual([info, read]);
  for (const [underwriting_result, simulated_time, calls] of [
    ['WILL_BE_APPROVED', '2027-02-14T06:00:00Z', [info, read]],
    ['WILL_BE_APPROVED', '2026-12-01T06:00:00Z', [info, read]],
    ['WILL_BE_APPROVED', '2026-12-01T05:59:59Z', [info, set]],
    ['WILL_BE_DECLINED', '2026-12-01T18:00:00Z', [info, read, set]],
  ] as const) {
    service.simulations.set('res-1042', { underwriting_result, simulated_time });
    expect(await names()).toEqual(calls);
  }
});

test('a scenario has its own tenant, is played once and stays where the visitor took it', async () => {
  const select = async () => {
    const from = service.calls.length;
    const { json } = await post<Selected>('/api/tenants/res-1042.past_due/select');
    return { json, names: service.calls.slice(from).map(({ name }) => name) };
  };
  const first = await select();
  expect(first.names).toEqual([
    'POST /tenant/portal_info/res-1042.past_due',
    'POST /simulation/res-1042.past_due/scenario',
  ]);
  expect(service.calls.at(-1)?.body).toEqual({ scenario: 'past_due' });
  expect(first.json.account).toMatchObject({ tenant_id: 'res-1042.past_due', first_name: 'Ada' });
  expect(first.json.widget.external_id).toBe('res-1042.past_due');
  expect((await select()).names).toEqual([
    'POST /tenant/portal_info/res-1042.past_due',
    'GET /tenants/res-1042.past_due',
  ]);
  await post('/api/tenants/res-1042.past_due/start-over');
  expect(service.calls.at(-1)?.name).toBe('POST /simulation/res-1042.past_due/scenario');
});

test('a tenant who has gone past the scenario is shown as they are', async () => {
  service.refuse(/scenario$/, 409, 'scenario_not_reachable');
  expect((await post('/api/tenants/res-1042.approved/select')).status).toBe(200);
  service.refuse(/scenario$/, 409, 'step_not_allowed');
  expect((await post('/api/tenants/res-1042.approved/select')).status).toBe(502);
});

test('the lease of a resident who has moved out ended yesterday', async () => {
  const { json } = await post<Selected>('/api/tenants/res-1042.moved_out/select');
  expect(json.account.lease.ends_on).toBe('2026-11-20');
  expect(service.calls[0]?.body).toMatchObject({ lease: { ends_on: '2026-11-20' } });
});

test('the guide has every scenario of the sandbox', () => {
  expect(scenarios.toSorted()).toEqual(contractScenarios.toSorted());
});

test('debits and reports the settlements of a certification’s tenants, and answers for their view', async () => {
  const event = settlementCreated('certify-1', adaCharges, now);
  service.refuse(/^\/settlements\//, 409, 'settlement_transition_invalid');
  expect((await deliver(signed(event, { now }))).status).toBe(502);
  for (let count = 0; count < 2; count += 1) {
    expect((await deliver(signed(event, { now }))).status).toBe(204);
  }
  expect(service.calls.at(-1)).toEqual({
    name: 'PATCH /settlements/stl_certify-1',
    body: { status: 'verified', processor_transaction_id: 'maple_stl_certify-1' },
  });
  const view = (tenant: string, signedId = tenant) => {
    const { headers } = signed(signedId, { now });
    return fetch(`${demo.origin}/svc-tenant?tenant=${tenant}`, { headers });
  };
  expect(await (await view('certify-1')).json()).toEqual({
    plan: null,
    settlements: [
      {
        id: 'stl_certify-1',
        status: 'unsettled',
        debited_in_cents: 152_012,
        sent_back_in_cents: 0,
      },
    ],
  });
  expect((await view('certify-1', 'certify-2')).status).toBe(401);

  const before = service.calls.length;
  await deliver(signed(settlementCreated('t-first', adaCharges, now), { now }));
  expect(service.calls).toHaveLength(before);
  expect(await (await view('t-first')).json()).toEqual({});
});

test('keeps the last 200 webhooks', async () => {
  for (let count = 0; count < 203; count++) {
    await deliver(signed({ ...settlementCreated('x', [], now), id: `evt_${count}` }, { now }));
  }
  const seen = await webhooks();
  expect(seen).toHaveLength(200);
  expect(seen[0]?.webhook_id).toBe('evt_3');
});

test('streams past activity, then new activity, in order', async () => {
  await post('/api/tenants/res-1042/select');
  const response = await fetch(`${demo.origin}/api/stream`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const until = async (needle: string) => {
    while (!text.includes(needle)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended before ${needle}`);
      text += decoder.decode(value, { stream: true });
    }
  };
  await until('set_underwriting_result');
  await post('/api/tenants/res-1042/sdk-events', { type: 'WIDGET_CLICKED', data: {} });
  await deliver(signed(settlementCreated('res-1042', adaCharges, now), { now }));
  await until('settlement.created');
  const seqs = [...text.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq));
  expect(seqs).toEqual([1, 2, 3, 4]);
  const kinds = [...text.matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(['call', 'call', 'sdk', 'webhook']);

  const lastId = [...text.matchAll(/^id: (.+)$/gm)].at(-2)?.[1] ?? '';
  const again = await fetch(`${demo.origin}/api/stream`, { headers: { 'last-event-id': lastId } });
  const next = (again.body as ReadableStream<Uint8Array>).getReader();
  let rest = '';
  while (!rest.includes('"seq"')) rest += decoder.decode((await next.read()).value);
  expect([...rest.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq))).toEqual([4]);
  await Promise.all([reader.cancel(), next.cancel()]);
});

test('opens the console with a new link that is not recorded', async () => {
  const response = await fetch(`${demo.origin}/manage-webhooks`, { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('http://localhost/portal#very-secret');
  expect(JSON.stringify(await activity())).not.toContain('very-secret');
});

test('passes on an error from Svc with its code and message', async () => {
  service.refuse(/portal_info/, 422, 'validation_failed');
  const { status, json } = await post('/api/tenants/res-1042/select');
  expect(status).toBe(502);
  expect(json).toEqual({
    error: { code: 'validation_failed', message: 'Refused: validation_failed.' },
  });
});

test('rejects unknown tenants, other content types, and invalid SDK events', async () => {
  expect((await post('/api/tenants/nobody/select')).status).toBe(404);
  expect((await post('/api/tenants/res-1042.nothing/select')).status).toBe(404);
  expect((await post('/api/token', { tenant_id: 'nobody' })).status).toBe(404);
  expect((await post('/api/token', {})).status).toBe(400);
  const odd = { type: '<img>', data: {} };
  expect((await post('/api/tenants/res-1042/sdk-events', odd)).status).toBe(400);
  const form = await fetch(`${demo.origin}/api/token`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{"tenant_id":"res-1042"}',
  });
  expect(form.status).toBe(415);
  expect(service.calls).toHaveLength(0);
});

test('the portal’s pages have a CSP that allows only the service, and the demo frames only them', async () => {
  const policyOf = async (path: string) => {
    const response = await fetch(demo.origin + path);
    expect(response.status).toBe(200);
    return response.headers.get('content-security-policy') ?? '';
  };
  for (const path of ['/portal', '/portal/payments', '/portal/lease', '/plain', '/office']) {
    const policy = await policyOf(path);
    expect(policy).toContain(`frame-src ${service.origin};`);
    expect(policy).toContain("frame-ancestors 'self';");
    expect(policy).not.toContain('unsafe');
  }
  const policy = await policyOf('/');
  expect(policy).toContain("connect-src 'self'; frame-src 'self';");
  expect(policy).toContain("frame-ancestors 'none';");
  expect(policy).not.toContain('unsafe');
  const sdk = await fetch(`${demo.origin}/vendor/svc.js`);
  expect(sdk.headers.get('content-type')).toContain('text/javascript');
});

test('reports that its port is in use', async () => {
  const port = Number(new URL(demo.origin).port);
  await expect(startDemo({ ...options(), port })).rejects.toThrow(
    `Port ${port} is in use. Stop the other process, or set DEMO_PORT to a different port.`,
  );
});

test('closes immediately while a stream is open', async () => {
  const response = await fetch(`${demo.origin}/api/stream`);
  const body = response.text().catch(() => '');
  await demo.close();
  await body;
  await expect(fetch(demo.origin)).rejects.toThrow('fetch failed');
});
