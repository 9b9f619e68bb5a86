import { scenarios } from '@svc/contract';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { expect, test } from 'vitest';
import type { Route } from '../src/http/route.ts';
import { routes } from '../src/http/routes.ts';
import { ada, useService } from './harness.ts';
import { testAccount, testCard } from './journeys/play-tenant.ts';
import type { Partner } from './journeys/with-plan.ts';
import { requireNoFault } from './require-no-fault.ts';
import { everyState, nameOf, prepareTenant, type State } from './scenario-tenant.ts';

const svc = await useService({ sms: 'files' });
/** Ada's rent, in cents. */
const rent = 152_012;

type Tenant = Awaited<ReturnType<typeof prepare>>;

interface Request {
  /** Replaces the id of the tenant's plan or settlement. */
  readonly id?: string;
  /** The kind of a document. */
  readonly kind?: string;
  readonly query?: string;
  readonly body?: object;
}

const documentBody = { locale: 'es', file_name: 'contrato' };

/**
 * The requests of a call: several where the body decides what happens. Calls that are not listed are
 * made once, without a body.
 */
const requests: Readonly<
  Record<string, (tenant: Tenant) => readonly Request[] | Promise<readonly Request[]>>
> = {
  'GET /settlements/report': () => [{ query: `?date=${dayAfter(0)}` }],
  'GET /settlements/report.csv': () => [{ query: `?date=${dayAfter(0)}` }],
  'POST /widget/session': async (tenant) => [{ body: await identityOf(tenant) }],

  'POST /tenant/portal_info/{external_id}': ({ report }) => [
    { body: { ...report, charges: [] } },
    { body: { ...report, charges: [...report.charges.map(paid), nextRent()] } },
    { body: { ...report, lease: { ...ada.lease, ends_on: dayAfter(-1) } } },
  ],
  'POST /portal_info': ({ externalId, report }) => [
    { body: { ...report, external_id: externalId } },
  ],

  'POST /simulation/{external_id}/set_underwriting_result': ({ dueDate }) => [
    { body: { underwriting_result: 'WILL_BE_APPROVED' } },
    { body: { underwriting_result: 'WILL_BE_DECLINED', rent_cycle_date: dueDate } },
    { body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-09-01' } },
  ],
  'POST /simulation/{external_id}/set_flow': ({ dueDate }) => [
    { body: { flow: 'WILL_BE_APPROVED', rent_cycle_date: dueDate } },
  ],
  'POST /simulation/{external_id}/advance_clock': () => [
    { body: { to: '2026-01-01T00:00:00Z' } },
    { body: { by: 'P1M' } },
  ],
  'POST /simulation/{external_id}/fail_next_payment': () => [{ body: { return_code: 'R01' } }],
  'POST /simulation/{external_id}/scenario': ({ state: { scenario: from, inRealTime } }) =>
    // Each pair once, with the clocks in turn.
    scenarios
      .filter((_, to) => ((to + scenarios.indexOf(from)) % 2 === 0) === inRealTime)
      .map((scenario) => ({ body: { scenario } })),

  'PATCH /settlements/{id}': () =>
    ['unverified', 'verified', 'failed'].map((status) => ({
      body: { status, processor_transaction_id: 'debit-1' },
    })),
  'POST /settlements/{id}/return': () => [{ body: { reason: 'R10' } }],
  'POST /settlements/{id}/refunds': () =>
    [1, rent].map((amount_in_cents) => ({ body: { amount_in_cents } })),

  'POST /experience/session': async (tenant) => [
    {
      body: {
        ...(await identityOf(tenant)),
        token: await newToken(tenant),
        nonce: 'nonce-of-this-frame-1',
      },
    },
  ],
  'POST /simulation/{external_id}/fork': () => [{ body: {} }],
  'POST /experience/application': () => [
    { body: { date_of_birth: '1990-04-01', monthly_income_in_cents: 500_000, consent: true } },
    { body: { monthly_income_in_cents: 100, consent: true } },
  ],
  'POST /experience/electronic_records': async (tenant) => [
    { body: { accepted_sha256: await recordsHashOf(tenant) } },
    { body: { accepted_sha256: null } },
  ],
  'POST /experience/payment_method': () => [{ body: testAccount }, { body: testCard }],
  'POST /experience/payment_setup': () => [{ body: { type: 'bank_account' } }],
  'POST /experience/document/{kind}/{id}': ({ lastPayment }) => [
    { kind: 'agreement', body: documentBody },
    { kind: 'calendar', body: documentBody },
    { kind: 'receipt', id: lastPayment, body: documentBody },
  ],
  'POST /experience/payment/{id}/check': ({ lastPayment }) => [{ id: lastPayment }],
  'POST /experience/texts/code': async (tenant) => [{ body: await numberOf(tenant) }],
  'POST /experience/texts/confirm': () => [{ body: { code: '123456' } }],
  'POST /experience/paydays': () => [
    { body: { paydays: { frequency: 'weekly', weekday: 5 } } },
    { body: { paydays: null } },
  ],
  'POST /experience/plan': ({ quote }) => [
    { body: { quote_id: quote.id, accepted_disclosure_sha256: quote.disclosure?.sha256 ?? '' } },
  ],
  'POST /experience/plan/{id}/pay': ({ installments: [first, last] }) => [
    { body: { installment_ids: [first.id] } },
    { body: { installment_ids: [last.id] } },
    {
      body: {
        installment_ids: [last.id],
        part: { amount_in_cents: 1_000, of_in_cents: last.amount_in_cents },
      },
    },
  ],
  'POST /experience/plan/{id}/reschedule': ({ installments, dueDate }) =>
    installments.map(({ id }) => ({
      body: { installment_id: id, due_date: dueDate.replace(/..$/, '27'), reason: 'other' },
    })),
  'POST /experience/plan/{id}/autopay': () => [{ body: { enabled: false } }],
};

/** The calls about a tenant. A new one is added by its tag. */
const calls = routes.filter(
  ({ path, tag }) =>
    ['Tenants', 'Simulation', 'Plans and settlements', 'Experience', 'Widget'].includes(tag) &&
    !path.startsWith('/payouts') &&
    ![
      '/partner/debit_account',
      // Only a session of a mail's link is confirmed.
      '/experience/link',
      '/experience/confirm',
      // Only a session of a hosted link leaves to the portal.
      '/experience/link/code',
      '/experience/link/confirm',
      '/experience/leave',
      '/experience_results',
      // It makes another tenant, and needs a recording.
      '/simulation/{external_id}/replay',
      // Only a console session sees what the tenant sees.
      '/simulation/{external_id}/view',
      // It opens an address that is sealed, and reads nothing of a tenant.
      '/experience/visit',
      // The simulator has no setups.
      '/experience/payment_setup/{id}/check',
    ].includes(path),
);

const accepted = new Set<string>();

test.concurrent.each(everyState.map((state) => [nameOf(state), state] as const))(
  'no call fails for a tenant who is %s',
  { timeout: 600_000 },
  async (_, state) => {
    const partner = await svc.newPartner();
    let prepared = 0;
    const next = () => {
      prepared += 1;
      return prepare(partner, `t-${prepared}`, state);
    };
    let tenant = await next();
    const faults: string[] = [];
    for (const call of calls) {
      for (let index = 0; ; index += 1) {
        const request = (await requestsOf(call, tenant))[index];
        if (!request) break;
        const answer = await send(call, tenant, request);
        try {
          requireNoFault(svc, call, answer);
        } catch (fault) {
          faults.push(`${callName(call)} ${JSON.stringify(request)}: ${(fault as Error).message}`);
        }
        if (answer.status >= 400) continue;
        accepted.add(callName(call));
        // A read or a refused call has left the tenant as it was.
        if (call.kind !== 'query') tenant = await next();
      }
    }
    expect(faults).toEqual([]);
  },
);

test('each of the calls is accepted in some state, and no job fails', () => {
  const names = calls.map(callName);
  expect(names.filter((name) => !accepted.has(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(Object.keys(requests)));
  expect(svc.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
});

function callName({ method, path }: Route): string {
  return `${method} ${path}`;
}

async function requestsOf(call: Route, tenant: Tenant): Promise<readonly Request[]> {
  return (await requests[callName(call)]?.(tenant)) ?? [{}];
}

async function prepare(partner: Partner, externalId: string, state: State) {
  const prepared = await prepareTenant(svc, partner, externalId, state);
  const { plan, settlement } = prepared.played;
  const payments = await rowsOf<{ id: string }>(
    svc.db,
    sql`
    select y.id from payment y
    join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where y.partner_id = ${partner.id} and i.plan_id = ${plan?.id ?? ''} order by y.id`,
  );
  const none = { id: 'none', amount_in_cents: 1, disclosure: null };
  return {
    ...prepared,
    state,
    partner,
    planId: plan?.id ?? 'none',
    installments: [plan?.installments.at(0) ?? none, plan?.installments.at(-1) ?? none] as const,
    settlementId: settlement?.id ?? 'none',
    lastPayment: payments.at(-1)?.id ?? 'none',
    quote: prepared.quotes.at(-1) ?? none,
  };
}

async function send(call: Route, tenant: Tenant, { id, kind = '', query = '', body }: Request) {
  const { externalId, planId, settlementId, partner, session } = tenant;
  const ownId = call.path.startsWith('/settlements') ? settlementId : planId;
  const path = call.path
    .replace('{external_id}', externalId)
    .replace('{kind}', kind)
    .replace('{id}', id ?? ownId);
  const bearer = call.who === 'tenant' ? session : partner.key;
  const response = await fetch(`${svc.url}/v1${path}${query}`, {
    method: call.method,
    headers: {
      ...(call.who === 'anyone' ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, text: await response.text() };
}

async function newToken(
  tenant: Pick<Tenant, 'partner' | 'externalId' | 'report'>,
): Promise<string> {
  const { partner, externalId, report: body } = tenant;
  const path = `/tenant/portal_info/${externalId}`;
  return (await svc.call('POST', path, { key: partner.key, body })).data.token;
}

async function identityOf({ partner, externalId }: Pick<Tenant, 'partner' | 'externalId'>) {
  const { pms, key: apiKey } = partner;
  const signature = await signWidget({ apiKey, pms, externalId });
  return { pms, external_id: externalId, signature };
}

async function numberOf({ session }: Pick<Tenant, 'session'>) {
  const headers = { authorization: `Bearer ${session}` };
  const { consents } = (await svc.call('GET', '/experience/texts', { headers })).data;
  const [{ sha256: accepted_consent_sha256, locale }] = consents;
  return { number: '212 555 0123', accepted_consent_sha256, locale };
}

async function recordsHashOf({ session }: Pick<Tenant, 'session'>): Promise<string> {
  const headers = { authorization: `Bearer ${session}` };
  const { data } = await svc.call('GET', '/experience/electronic_records', { headers });
  return data.texts[0].sha256;
}

function paid(charge: object): object {
  return { ...charge, amount_paid_in_cents: rent };
}

function nextRent(): object {
  return { id: 'C-2', type: 'rent', due_date: dayAfter(32), amount_in_cents: rent };
}

function dayAfter(days: number): string {
  return new Date(svc.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
}
