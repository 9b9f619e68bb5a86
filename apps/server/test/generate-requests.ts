import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signWidget } from '@svc/node';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { openApiDocument } from '../src/http/docs/openapi.ts';
import type { Route } from '../src/http/route.ts';
import { routes } from '../src/http/routes.ts';
import { dereference } from './dereference.ts';
import { ada, type Running } from './harness.ts';
import { playTenant, testAccount, testCard } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';
import { arbitraryOf, type JsonSchema, type KnownValues } from './json-schema-arbitrary.ts';
import { type Answer, requireNoFault } from './require-no-fault.ts';
import { nameOf, prepareTenant, type State } from './scenario-tenant.ts';

interface Operation {
  readonly parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  readonly requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } };
}

/** A generated request, as printed on failure. `<pln 0>` stands for a value of an earlier response. */
export interface Drawn {
  readonly method: string;
  readonly path: string;
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
  readonly who: number;
}

/** The largest number of tenants that requests choose from. */
const maxTenants = 6;

const unusualQuery = ['\0', '\ud800', "'; drop table tenant --", '😀'.repeat(100)];

/** Generates requests from the documents of a service, and sends them with the credentials they need. */
export async function generateRequests(svc: Running) {
  const partner = await svc.newPartner();
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  afterAll(() => receiver.close());
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  /** Values of earlier responses: ids by their prefix, others by the name of their field. */
  const seen = new Map<string, string[]>();
  let tenants: string[] = [];
  let sessions: string[] = [];
  let cookie = '';
  return {
    requests,
    prepareTenants,
    send,
    requireNoFault: (drawn: Drawn, answer: Answer) => {
      // A 503 means that the database took too long on a busy machine.
      if (answer.status !== 503) requireNoFault(svc, routeOf(drawn), answer);
    },
  };

  /**
   * Returns a generator of each route's requests, made from the served document and, for internal routes, from one
   * like it.
   */
  async function requests(): Promise<fc.Arbitrary<Drawn>[]> {
    const served = await (await fetch(`${svc.url}/v1/openapi.json`)).json();
    const internalRoutes = routes
      .filter(({ internal }) => internal)
      .map((route) => ({ ...route, internal: undefined }) as unknown as Route);
    const documents = [served, openApiDocument(internalRoutes, svc.service)].map(dereference) as {
      paths: object;
    }[];
    const drawn = documents.flatMap(({ paths }) =>
      Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(
        ([path, methods]) =>
          Object.entries(methods).map(([method, operation]) =>
            requestOf(method.toUpperCase(), path, operation),
          ),
      ),
    );
    expect(drawn).toHaveLength(routes.length);
    return drawn;
  }

  function requestOf(method: string, path: string, operation: Operation): fc.Arbitrary<Drawn> {
    const known = knownValues(path);
    const parameters = (location: string) => {
      const inLocation = operation.parameters.filter((one) => one.in === location);
      return fc.record(
        Object.fromEntries(
          inLocation.map(({ name, schema }) => [name, arbitraryOf(schema, known, name)]),
        ),
        { requiredKeys: inLocation.filter(({ required }) => required).map(({ name }) => name) },
      );
    };
    const schema = operation.requestBody?.content['application/json']?.schema;
    return fc.record({
      method: fc.constant(method),
      path: fc.constant(path),
      params: parameters('path'),
      query: parameters('query'),
      headers: parameters('header'),
      body: schema ? arbitraryOf(schema, known).map(applyRules) : fc.constant(undefined),
      who: fc.nat({ max: maxTenants - 1 }),
    });
  }

  /**
   * Applies the rules that JSON Schema cannot express: ids are unique, at most the amount of a charge is paid, and a
   * request has at most one of `to` and `by`.
   */
  function applyRules(body: unknown): unknown {
    const { charges, to, by, ...rest } = body as Record<string, unknown>;
    const request = {
      ...rest,
      ...(to !== undefined ? { to } : by === undefined ? {} : { by }),
    };
    if (!Array.isArray(charges)) return charges === undefined ? request : { ...request, charges };
    const distinct = new Map(charges.map((charge) => [charge.id, charge]));
    return {
      ...request,
      charges: [...distinct.values()].map((charge) => {
        if (charge.amount_paid_in_cents === undefined) return charge;
        const paid = Math.min(charge.amount_paid_in_cents, Math.max(0, charge.amount_in_cents));
        return { ...charge, amount_paid_in_cents: paid };
      }),
    };
  }

  /** Generates a placeholder, mostly for one of the four newest values. */
  function placeholder(name: string): fc.Arbitrary<string> {
    const index = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 3 }) }, fc.nat({ max: 29 }));
    return index.map((value) => `<${name} ${value}>`);
  }

  function knownValues(path: string): KnownValues {
    const kinds: Record<string, string> = {
      '/plans/{id}': 'pln',
      '/experience/plan/{id}': 'pln',
      '/settlements/{id}': 'stl',
      '/webhooks/endpoints/{id}': 'ep',
      '/webhooks/messages/{id}': 'evt',
      '/webhooks/replays/{id}': 'rpl',
      '/portal/sessions/{id}': 'pss',
      '/portal/test_presets/{id}': 'tpr',
    };
    const [, kind] = Object.entries(kinds).find(([start]) => path.startsWith(start)) ?? [];
    const days = instantsFrom(-5, 45).map((instant) => instant.slice(0, 10));
    const values: Record<string, fc.Arbitrary<unknown>> = {
      ...(path.startsWith('/simulation') || path.includes('portal_info')
        ? { due_date: days, rent_cycle_date: days }
        : {}),
      ...(kind ? { id: placeholder(kind) } : {}),
      external_id: fc.nat({ max: maxTenants - 1 }).map((index) => `<tenant ${index}>`),
      endpoint_id: placeholder('ep'),
      installment_id: placeholder('ins'),
      installment_ids: fc.array(placeholder('ins'), { minLength: 1, maxLength: 3 }),
      charge_id: placeholder('charge_id'),
      credential_id: placeholder('credential_id'),
      processor_transaction_id: placeholder('processor_transaction_id'),
      quote_id: placeholder('qte'),
      accepted_disclosure_sha256: placeholder('sha256'),
      after: placeholder('evt'),
      cursor: placeholder(cursorOf(path)),
      since: instantsFrom(-30, 0),
      until: instantsFrom(0, 30),
      by: fc.constantFrom('PT1H', 'P1D', 'P3D', 'P1M', 'P1Y'),
      to: instantsFrom(0, 100),
      token: placeholder('token'),
      secret:
        path === '/portal/session' ? placeholder('portal') : fc.constant(`whsec_${'A'.repeat(32)}`),
      signature: fc.constant('<signature>'),
      pms: fc.constant(partner.pms),
      url: fc.constantFrom(receiverUrl, 'http://127.0.0.1:9/', 'https://localhost:9/a?b#c'),
      time_zone: fc.constantFrom('America/Chicago', 'Pacific/Apia', 'utc', 'Africa/Monrovia'),
      state: fc.constantFrom('failed', 'delivered', 'pending,held'),
      q: fc.constantFrom('plan', '%', '_', '\\', 'evt_', ...unusualQuery),
      event_type: fc.constantFrom('plan.created', 'settlement.created', 'tenant.updated'),
      event_types: fc.constantFrom(['plan.created'], ['plan.*', 'tenant.updated']),
      return_url: fc.constantFrom('https://portal.example/rent?a=1#b', null),
      allowed_origins: fc.constantFrom([], ['https://portal.example'], ['http://localhost:3000']),
      ...(path.endsWith('payment_method') ? { '': fc.constantFrom(testAccount, testCard) } : {}),
    };
    return (field) => values[field];
  }

  function instantsFrom(from: number, to: number): fc.Arbitrary<string> {
    const days = fc.integer({ min: from, max: to });
    return days.map((day) => new Date(Date.UTC(2026, 0, 20 + day, 15)).toISOString());
  }

  /** A list accepts only its own cursors. */
  function cursorOf(path: string): string {
    return `cursor_${path.replaceAll(/\W/g, '_')}`;
  }

  /** Prepares three tenants (with a plan, approved, and new) and one more in each of `states`. */
  async function prepareTenants(prefix: string, states: readonly State[] = []): Promise<void> {
    seen.clear();
    const plan = await withPlan(svc, partner, `${prefix}-plan`);
    remember(plan.plan);
    const approved = await openSession(`${prefix}-approved`, { simulates: true });
    await approved.apply();
    await approved.pay();
    remember((await approved.quotes()).data);
    const fresh = await openSession(`${prefix}-new`, { simulates: false });
    tenants = ['plan', 'approved', 'new'].map((name) => `${prefix}-${name}`);
    sessions = [plan, approved, fresh].map((it) => it.exchanged.data.session);
    for (const state of states) {
      const name = `${prefix}-${nameOf(state)}`;
      const { externalId, played, quotes, session } = await prepareTenant(
        svc,
        partner,
        name,
        state,
      );
      remember([played, quotes]);
      tenants.push(externalId);
      sessions.push(session);
    }
    await preparePartner();
  }

  async function preparePartner(): Promise<void> {
    const body = { url: receiverUrl };
    remember((await svc.call('POST', '/webhooks/endpoints', { key: partner.key, body })).data);
    await openPortal();
  }

  async function openSession(externalId: string, { simulates }: { simulates: boolean }) {
    const { key, pms } = partner;
    if (simulates) {
      const body = { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' };
      const path = `/simulation/${externalId}/set_underwriting_result`;
      await svc.call('POST', path, { key, body });
    }
    const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
    return playTenant(svc, info.data.token, {
      pms,
      apiKey: key,
      externalId,
      productVariant: 'rent',
    });
  }

  async function openPortal(): Promise<void> {
    const { data } = await svc.call('GET', '/partner/webhook_portal_url', { key: partner.key });
    const secret = new URL(data.url).hash.slice(1);
    const opened = await svc.call('POST', '/portal/session', { body: { secret } });
    cookie = opened.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  }

  async function send(drawn: Drawn): Promise<Answer> {
    const { method, path, params, query, headers, body, who } = resolve(drawn);
    const route = routeOf(drawn);
    const filledPath = path.replace(/\{(\w+)\}/g, (_, name) => encode(params[name]));
    const search = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
    const signed = body as { pms?: string; external_id?: string; signature?: string } | undefined;
    if (signed?.signature === '<signature>' && signed.external_id !== undefined) {
      const { external_id: externalId } = signed;
      signed.signature = await signWidget({ apiKey: partner.key, pms: partner.pms, externalId });
    }
    const response = await fetch(`${svc.url}/v1${filledPath}?${search.join('&')}`, {
      method,
      headers: {
        ...(headers as Record<string, string>),
        ...credentials(route?.who, who),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok && response.headers.get('content-type')?.includes('json')) {
      const { data } = JSON.parse(text);
      remember(data);
      if (data?.next_cursor) remember({ [cursorOf(path)]: data.next_cursor });
    }
    if (response.status === 401 && route?.who.includes('portal')) await openPortal();
    return { status: response.status, text };
  }

  function credentials(who: Route['who'] | undefined, tenant: number): Record<string, string> {
    switch (who) {
      case 'tenant':
        return { authorization: `Bearer ${sessions[tenant % sessions.length]}` };
      case 'portal':
      case 'portal_or_anyone':
        return { cookie, origin: svc.origin };
      case 'key':
      case 'key_or_portal':
        return { authorization: `Bearer ${partner.key}` };
      default:
        return {};
    }
  }

  function encode(value: unknown): string {
    return encodeURIComponent(String(value).toWellFormed());
  }

  /** Replaces placeholders with values from earlier responses. */
  function resolve<T>(value: T): T {
    return JSON.parse(JSON.stringify(value), (_, text) => {
      const [, name = '', index = ''] =
        typeof text === 'string' ? (/^<(\w+) (\d+)>$/.exec(text) ?? []) : [];
      if (name === '') return text;
      const values = name === 'tenant' ? tenants : (seen.get(name) ?? []);
      if (values.length === 0) return name.startsWith('cursor') ? undefined : 'none';
      return values[Number(index) % values.length];
    });
  }

  /** Keeps the values of a response for later requests. */
  function remember(answer: unknown): void {
    JSON.stringify(answer, (field, value) => {
      if (typeof value !== 'string' || value === '') return value;
      const [, kind] = /^([a-z]{2,3})_[0-9a-z]{26}/.exec(value) ?? [];
      const [, secret] = /\/portal#(.+)$/.exec(value) ?? [];
      const name = kind ?? (secret ? 'portal' : field);
      const values = seen.get(name) ?? [];
      seen.set(name, [secret ?? value, ...values.filter((one) => one !== value)].slice(0, 30));
      return value;
    });
  }
}

function routeOf({ method, path }: Drawn): Route | undefined {
  return routes.find((route) => route.method === method && route.path === path);
}
