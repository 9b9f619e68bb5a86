import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import type { Listed } from '../src/domain/listed.ts';
import { routes } from '../src/http/routes.ts';
import { tick } from '../src/jobs/tick.ts';
import { describeResult } from '../src/operator/administer.ts';
import type { AuditLine } from '../src/operator/list-audit-log.ts';
import { startRunning, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService();

const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const url = 'http://127.0.0.1:9/hook';

interface Entry {
  id: string;
  action: string;
  via: string;
  credential_id: string;
  endpoint_id: string | null;
  subject_id: string | null;
  details: Record<string, unknown>;
  address: string | null;
  credential: {
    ends_with: string | null;
    person: string | null;
    read_only: boolean;
    since: string;
  };
}

async function entriesOf(key: string, query = ''): Promise<Entry[]> {
  const page = await svc.call('GET', `/webhooks/audit_log${query}`, { key });
  return page.data.items as Entry[];
}

test('every partner route that writes or returns a secret declares its audit entry', () => {
  const undeclared = routes.filter(
    ({ who, method, secret, audit }) =>
      ['key', 'key_or_portal', 'portal'].includes(who) &&
      (method !== 'GET' || secret) &&
      audit === undefined,
  );
  expect(undeclared.map(name)).toEqual([]);
});

test('only these routes are exempt from the audit log, each with a reason', () => {
  const unrecorded = routes.flatMap((row) =>
    typeof row.audit === 'object' && 'none' in row.audit ? [row] : [],
  );
  expect(unrecorded.filter(({ sandboxOnly }) => !sandboxOnly).map(name)).toEqual([
    'POST /tenant/portal_info/{external_id}',
    'POST /portal_info',
    'DELETE /tenants/{external_id}/experience_urls',
    'POST /experience_results',
    'GET /partner/go_live',
    'POST /webhooks/filter_preview',
  ]);
});

test('every change is recorded with its actor and details, newest first', async () => {
  const { key } = await svc.newPartner();
  const { data: created } = await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const at = `/webhooks/endpoints/${created.id}`;
  const auth = { type: 'basic', username: 'ada', password: 'hunter22' };
  await svc.call('PATCH', at, { key, body: { url: `${url}2`, auth } });
  await svc.call('GET', `${at}/secret`, { key });
  await svc.call('POST', `${at}/secret/rotate`, { key, body: { overlap_seconds: 60 } });
  await svc.call('POST', `${at}/test`, { key, body: { event_type: 'plan.created' } });
  const custom = { event_type: 'plan.created', data: { plan_id: 'p' } };
  const { data: message } = await svc.call('POST', '/webhooks/messages', { key, body: custom });
  await svc.call('DELETE', at, { key });
  const entries = await entriesOf(key);
  expect(entries.map(({ action }) => action)).toEqual([
    'endpoint.deleted',
    'message.published',
    'test.sent',
    'secret.rotated',
    'secret.revealed',
    'endpoint.updated',
    'endpoint.created',
  ]);
  expect(
    new Set(entries.map(({ via, credential_id }) => `${via} ${credential_id.slice(0, 4)}`)),
  ).toEqual(new Set(['key key_']));
  const detailsOf = (action: string) => entries.find((each) => each.action === action)?.details;
  expect(detailsOf('endpoint.updated')).toEqual({
    changed: ['url', 'auth'],
    url: `${url}2`,
    url_before: url,
  });
  expect(detailsOf('endpoint.deleted')).toEqual({ url: `${url}2` });
  expect(detailsOf('secret.rotated')).toEqual({ overlap_seconds: 60 });
  expect(detailsOf('test.sent')).toEqual({ event_type: 'plan.created', succeeded: false });
  expect(entries.find(({ action }) => action === 'message.published')?.subject_id).toBe(message.id);
  expect(JSON.stringify(entries)).not.toMatch(/hunter22|whsec_/);
});

test('refused and replayed calls leave no entry', async () => {
  const { key } = await svc.newPartner();
  const headers = { 'idempotency-key': 'once' };
  const body = { url };
  await svc.call('POST', '/webhooks/endpoints', { key, headers, body });
  await svc.call('POST', '/webhooks/endpoints', { key, headers, body });
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url: 'ftp://a.example' } });
  await svc.call('DELETE', '/webhooks/endpoints/ep_none', { key });
  await svc.call('GET', '/webhooks/endpoints/ep_none/secret', { key });
  expect((await entriesOf(key)).map(({ action }) => action)).toEqual(['endpoint.created']);
});

test('a console session has the same id in every entry from link to sign-out', async () => {
  const { key } = await svc.newPartner();
  const link = await svc.call('GET', '/partner/webhook_portal_url', { key });
  const secret = String(link.data.url).split('#')[1];
  const opened = await svc.call('POST', '/portal/session', { body: { secret } });
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  const headers = { cookie, origin: svc.origin };
  await svc.call('POST', '/webhooks/endpoints', { headers, body: { url } });
  const seen = await svc.call('GET', '/webhooks/audit_log?limit=1', { headers });
  expect(seen.data.items).toHaveLength(1);
  await svc.call('DELETE', '/portal/session', { headers });
  await svc.call('DELETE', '/partner/webhook_portal_sessions', { key });
  const entries = await entriesOf(key);
  expect(entries.map(({ action, via }) => `${via} ${action}`)).toEqual([
    'key portal.sessions_revoked',
    'portal portal.session_closed',
    'portal endpoint.created',
    'portal portal.session_opened',
    'key portal.link_created',
  ]);
  const sessions = entries.filter(({ via }) => via === 'portal').map((each) => each.credential_id);
  expect(new Set(sessions).size).toBe(1);
  expect(sessions[0]).toMatch(/^pss_/);
  expect(JSON.stringify(entries)).not.toContain('svc_p');
});

test('the log is paged, can be filtered by endpoint and is visible to its partner only', async () => {
  const [mine, theirs] = [await svc.newPartner(), await svc.newPartner()];
  const ids: string[] = [];
  for (const path of ['/a', '/b', '/c']) {
    const body = { url: url + path };
    ids.push((await svc.call('POST', '/webhooks/endpoints', { key: mine.key, body })).data.id);
  }
  const first = await svc.call('GET', '/webhooks/audit_log?limit=2', { key: mine.key });
  expect(first.data.items.map((entry: Entry) => entry.endpoint_id)).toEqual([ids[2], ids[1]]);
  const rest = await entriesOf(mine.key, `?limit=2&cursor=${first.data.next_cursor}`);
  expect(rest.map((entry) => entry.endpoint_id)).toEqual([ids[0]]);
  const one = await entriesOf(mine.key, `?endpoint_id=${ids[1]}`);
  expect(one.map((entry) => entry.details.url)).toEqual([`${url}/b`]);
  expect(await entriesOf(theirs.key)).toEqual([]);
});

test('an entry names the key or session, and can be filtered by it', async () => {
  const { key, keyId, pms } = await svc.newPartner();
  const second = await svc.administer({ command: 'key create', pms });
  if (!second.ok) throw new Error(second.message);
  const other = second.result as { key_id: string; api_key: string };
  await svc.call('POST', '/webhooks/endpoints', { key: other.api_key, body: { url } });
  const link = await svc.call('GET', '/partner/webhook_portal_url?person=Ada%20Lane', { key });
  const secret = String(link.data.url).split('#')[1];
  const opened = await svc.call('POST', '/portal/session', { body: { secret } });
  const entries = await entriesOf(key);
  expect(
    entries
      .filter(({ via }) => via !== 'cli')
      .map(({ credential_id, credential }) => [credential_id, credential]),
  ).toEqual([
    [
      opened.data.id,
      { ends_with: null, person: 'Ada Lane', read_only: false, since: expect.anything() },
    ],
    [keyId, { ends_with: key.slice(-4), person: null, read_only: false, since: expect.anything() }],
    [
      other.key_id,
      {
        ends_with: other.api_key.slice(-4),
        person: null,
        read_only: false,
        since: expect.anything(),
      },
    ],
  ]);
  const found = async (query: string) => (await entriesOf(key, query)).map(({ action }) => action);
  expect(await found(`?credential_id=${other.key_id}`)).toEqual(['endpoint.created']);
  expect(await found('?group=portal')).toEqual(['portal.session_opened', 'portal.link_created']);
  expect(await found(`?group=endpoint&credential_id=${keyId}`)).toEqual([]);
});

test('entries and the sessions they name are kept for 400 days', async () => {
  const { key, id } = await svc.newPartner();
  const link = await svc.call('GET', '/partner/webhook_portal_url', { key });
  const secret = String(link.data.url).split('#')[1];
  await svc.call('POST', '/portal/session', { body: { secret } });
  const runTick = () => tick({ ...svc, log: { info: () => {}, warn: () => {}, error: () => {} } });
  const counts = () =>
    oneRowOf(
      svc.db,
      sql`select
      (select count(*) from audit_entry where partner_id = ${id}) as entries,
      (select count(*) from portal_session where partner_id = ${id}) as sessions`,
    );
  svc.clock.advance(400 * 86_400_000);
  await runTick();
  expect(await counts()).toEqual({ entries: 2, sessions: 1 });
  svc.clock.advance(86_400_001);
  await runTick();
  expect(await counts()).toEqual({ entries: 0, sessions: 0 });
});

test('entries cannot be changed or deleted', async () => {
  const { key } = await svc.newPartner();
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  await expect(svc.db.run(sql`update audit_entry set action = 'nothing.here'`)).rejects.toThrow(
    'append-only',
  );
  await expect(svc.db.run(sql`delete from audit_entry`)).rejects.toThrow('append-only');
  expect(await entriesOf(key)).toHaveLength(1);
});

test('changes of settlements and origins are recorded with the previous value; calls without effect are not', async () => {
  const partner = await svc.newPartner();
  const { key } = partner;
  const origins = (allowed_origins: string[], app_schemes?: string[]) =>
    svc.call('PUT', '/partner/allowed_origins', { key, body: { allowed_origins, app_schemes } });
  await origins(['https://a.example']);
  await origins(['https://a.example']);
  await origins(['https://b.example']);
  await origins(['https://b.example'], ['com.example.app']);
  await withPlan(svc, partner, 't-audit');
  const [settlement] = (await svc.call('GET', '/settlements', { key })).data.items;
  const at = `/settlements/${settlement.id}`;
  const verified = { status: 'verified', processor_transaction_id: 'tx-1' };
  await svc.call('PATCH', at, { key, body: verified });
  await svc.call('PATCH', at, { key, body: verified });
  await svc.call('PATCH', at, { key, body: { status: 'failed' } });
  const refund = { amount_in_cents: 1000, reason: 'private words' };
  const refunded = await svc.call('POST', `${at}/refunds`, { key, body: refund });
  await svc.call('POST', `${at}/return`, { key, body: {} });
  await svc.administer({ command: 'settlement reopen', settlement_id: settlement.id });
  const entries = await entriesOf(key);
  const amount_in_cents = settlement.amount_in_cents;
  expect(entries.map(({ action, subject_id, details }) => [action, subject_id, details])).toEqual([
    [
      'settlement.reopened',
      settlement.id,
      { amount_in_cents, debit_by: expect.any(String), reason: 'a test' },
    ],
    [
      'settlement.returned',
      settlement.id,
      {
        status: 'returned',
        status_before: 'verified',
        amount_in_cents,
        processor_transaction_id: 'tx-1',
      },
    ],
    ['settlement.refunded', settlement.id, { refund_id: refunded.data.id, amount_in_cents: 1000 }],
    [
      'settlement.updated',
      settlement.id,
      {
        status: 'verified',
        status_before: 'unsettled',
        amount_in_cents,
        processor_transaction_id: 'tx-1',
      },
    ],
    ['partner.origins_changed', null, { app_schemes: ['com.example.app'], app_schemes_before: [] }],
    [
      'partner.origins_changed',
      null,
      {
        allowed_origins: ['https://b.example'],
        allowed_origins_before: ['https://a.example'],
      },
    ],
    [
      'partner.origins_changed',
      null,
      { allowed_origins: ['https://a.example'], allowed_origins_before: [] },
    ],
  ]);
  expect(entries.map(({ via, address }) => [via, address])).toEqual([
    ['cli', null],
    ...Array(6).fill(['key', '127.0.0.1']),
  ]);
});

test('entries of the command line name the operator and the reason', async () => {
  const made = await svc.administer({ command: 'partner create', pms: 'by-hand' });
  if (!made.ok) throw new Error(made.message);
  const { api_key: key, key_id } = made.result as { api_key: string; key_id: string };
  const second = await svc.administer({ command: 'key create', pms: 'by-hand' });
  if (!second.ok) throw new Error(second.message);
  const other = second.result as { key_id: string };
  await svc.administer({ command: 'key revoke', key_id: other.key_id });
  await svc.administer({ command: 'key revoke', key_id: other.key_id });
  await svc.administer({ command: 'key list', pms: 'by-hand' });
  const entries = await entriesOf(key);
  expect(entries.map(({ action, subject_id, details }) => [action, subject_id, details])).toEqual([
    ['key.revoked', other.key_id, { reason: 'a test', sessions_ended: 0 }],
    ['key.created', other.key_id, { reason: 'a test' }],
    ['partner.created', null, { pms: 'by-hand', key_id, reason: 'a test' }],
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      via: 'cli',
      credential_id: 'ops-ada',
      address: null,
      credential: { person: 'ops-ada', ends_with: null, read_only: false },
    });
  }
  expect(await entriesOf(key, '?group=key&credential_id=ops-ada')).toHaveLength(2);
});

test('the operator reads the newest entries of all partners, or filters them', async () => {
  const [one, two] = [await svc.newPartner(), await svc.newPartner()];
  const { data: endpoint } = await svc.call('POST', '/webhooks/endpoints', {
    key: one.key,
    body: { url },
  });
  svc.clock.advance(60_000);
  const since = svc.clock.now().toISOString();
  await svc.administer({ command: 'key create', pms: two.pms });
  const list = async (filter: object) => {
    const answer = await svc.administer({ command: 'audit list', ...filter });
    if (!answer.ok) throw new Error(answer.message);
    return answer.result as Listed<AuditLine>;
  };
  const { items } = await list({});
  expect(items.slice(0, 2)).toMatchObject([
    { pms: two.pms, action: 'key.created', via: 'cli', person: 'ops-ada', occurred_at: since },
    {
      pms: one.pms,
      action: 'endpoint.created',
      via: 'key',
      credential_id: one.keyId,
      ends_with: one.key.slice(-4),
      endpoint_id: endpoint.id,
      details: { url },
    },
  ]);
  const actions = async (filter: object) => (await list(filter)).items.map(({ action }) => action);
  expect(await actions({ since })).toEqual(['key.created']);
  expect(await actions({ pms: one.pms })).toEqual(['endpoint.created']);
  expect(await actions({ pms: two.pms, action: 'key' })).toEqual(['key.created']);
  expect(await actions({ pms: two.pms, action: 'key.revoked' })).toEqual([]);
  const request = { command: 'audit list', pms: two.pms } as const;
  expect(describeResult(request, await list(request))).toMatch(
    /^time +partner +action +by +endpoint +subject +details\n[^\n]+ UTC +portal-\d+ +key\.created +ops-ada \(command line\) +key_\w+ +reason="a test"\n$/,
  );
  const nothing = { command: 'audit list', pms: two.pms, action: 'key.revoked' } as const;
  expect(describeResult(nothing, await list(nothing))).toBe(
    'There are no audit entries that match.\n',
  );
  expect(await svc.administer({ command: 'audit list', pms: 'nobody' })).toEqual({
    ok: false,
    message: 'There is no partner nobody.',
  });
});

test('a list that is cut says how to get the next page', async () => {
  const { pms, key } = await svc.newPartner();
  for (const path of ['/a', '/b', '/c']) {
    await svc.call('POST', '/webhooks/endpoints', { key, body: { url: url + path } });
  }
  const page = async (before: object) => {
    const request = { command: 'audit list', pms, limit: 2, ...before } as const;
    const answer = await svc.administer(request);
    if (!answer.ok) throw new Error(answer.message);
    return describeResult(request, answer.result);
  };
  const first = await page({});
  expect(first.match(/9\/hook\/./g)).toEqual(['9/hook/c', '9/hook/b']);
  const [, before] = /Add "--before (aud_\w+)" for the next page\.\n$/.exec(first) ?? [];
  const second = await page({ before });
  expect(second.match(/9\/hook\/./g)).toEqual(['9/hook/a']);
  expect(second).not.toContain('older');
});

test('behind a trusted proxy, the entry and the request log have the client’s address', async () => {
  const proxied = await startRunning({ trustedProxies: ['127.0.0.1'] });
  try {
    const { key } = await proxied.newPartner();
    const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
    const body = { allowed_origins: ['https://a.example'] };
    await proxied.call('PUT', '/partner/allowed_origins', { key, headers, body });
    await proxied.call('GET', '/settlements', { key: 'svc_sandbox_wrong', headers });
    const log = await proxied.call('GET', '/webhooks/audit_log', { key });
    expect(log.data.items[0].address).toBe('203.0.113.9');
    const lines = proxied.lines.map((line) => JSON.parse(line));
    expect(lines.find(({ status }) => status === 401)).toMatchObject({ address: '203.0.113.9' });
  } finally {
    await proxied.close();
  }
});
