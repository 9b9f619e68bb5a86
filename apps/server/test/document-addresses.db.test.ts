import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { formatMoney } from '../src/words/formats.ts';
import { ada, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { addressOf, downloadDocument, load, pathIn } from './support/download-document.ts';
import { readPdf } from './support/read-pdf.ts';

const svc = await useService();
const partner = await svc.newPartner();
const { key, pms } = partner;
const minuteMs = 60_000;

type Tenant = Awaited<ReturnType<typeof withPlan>>;

async function pathOf(tenant: Tenant, document = `agreement/${tenant.plan.id}`): Promise<string> {
  const { session } = tenant.exchanged.data;
  const address = await addressOf({ url: svc.url, session, document });
  expect(address.status).toBe(200);
  return pathIn(address);
}

const get = (path: string, init?: RequestInit) => load(svc.url + path, init);

/** Expects the page that says what to do, and nothing of the document. */
async function expectFailure(path: string, status: number): Promise<void> {
  const answer = await get(path);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBeNull();
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.bytes.toString()).toContain('save the document again');
}

test('an address downloads the document without the session, as often as a browser asks', async () => {
  const tenant = await withPlan(svc, partner, 't-address');
  const path = await pathOf(tenant);
  const first = await get(path);
  expect(first.status).toBe(200);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="my-file.pdf"',
    'content-length': String(first.bytes.length),
    'cache-control': 'no-store',
    'accept-ranges': 'none',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  });
  expect(readPdf(first.bytes).text).toContain('Ada Lane');
  const head = await get(path, { method: 'HEAD' });
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  expect(head.headers.get('content-length')).toBe(String(first.bytes.length));
  const range = await get(path, { headers: { range: 'bytes=100-199' } });
  expect([range.status, range.bytes]).toEqual([200, first.bytes]);
  expect((await get(path, { method: 'POST' })).status).toBe(405);
});

test('an address works for 10 minutes', async () => {
  const tenant = await withPlan(svc, partner, 't-expiry');
  const path = await pathOf(tenant);
  svc.clock.advance(10 * minuteMs - 1);
  expect((await get(path)).status).toBe(200);
  svc.clock.advance(1);
  await expectFailure(path, 401);
  expect((await get(await pathOf(tenant))).status).toBe(200);
});

test('an address ends with its session', async () => {
  const tenant = await withPlan(svc, partner, 't-session');
  // The session ends an hour after it began, also while it is used.
  for (let used = 0; used < 4; used += 1) {
    svc.clock.advance(14 * minuteMs);
    expect((await tenant.state()).status).toBe(200);
  }
  const path = await pathOf(tenant);
  expect((await get(path)).status).toBe(200);
  svc.clock.advance(5 * minuteMs);
  await expectFailure(path, 401);
});

test('an address of a hosted page ends when the page’s addresses are revoked', async () => {
  await withPlan(svc, partner, 't-revoked');
  const info = await svc.call('POST', '/tenant/portal_info/t-revoked', {
    key,
    body: { ...ada, hosted: { use: 'redirect', return_url: 'https://portal.example/rent' } },
  });
  const link = new URL(info.data.experience_url).hash.slice('#link='.length);
  const body = { link, nonce: 'nonce-of-this-page-1' };
  const { data } = await svc.call('POST', '/experience/link', { body });
  const headers = { authorization: `Bearer ${data.session}` };
  const { plan } = (await svc.call('GET', '/experience/state', { headers })).data;
  const path = pathIn(
    await addressOf({ url: svc.url, session: data.session, document: `agreement/${plan.id}` }),
  );
  expect((await get(path)).status).toBe(200);
  await svc.call('DELETE', '/tenants/t-revoked/experience_urls', { key });
  await expectFailure(path, 401);
});

test('an address ends when the tenant is erased', async () => {
  const tenant = await withPlan(svc, partner, 't-erased');
  const open = tenant.plan.installments.filter(({ state }: { state: string }) => state !== 'paid');
  await tenant.change('pay', { installment_ids: open.map(({ id }: { id: string }) => id) });
  await tenant.simulate('advance_clock', { by: 'P20D' });
  for (const status of ['unverified', 'verified']) {
    const { settlement_id } = await tenant.read();
    await svc.call('PATCH', `/settlements/${settlement_id}`, { key, body: { status } });
  }
  const path = await pathOf(tenant);
  expect((await get(path)).status).toBe(200);
  const erased = await svc.administer({ command: 'tenant erase', pms, external_id: 't-erased' });
  expect(erased.ok).toBe(true);
  await expectFailure(path, 401);
});

test('an altered address, and a sealed value of another kind, download nothing', async () => {
  const tenant = await withPlan(svc, partner, 't-altered');
  const path = await pathOf(tenant);
  const [folder, sealed] = [path.slice(0, path.lastIndexOf('/') + 1), path.split('/').at(-1) ?? ''];
  for (const at of [0, 8, 30, 60, sealed.length - 8]) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    await expectFailure(folder + sealed.slice(0, at) + other + sealed.slice(at + 1), 401);
  }
  const rows = await rowsOf<{ sealed: Buffer }>(
    svc.db,
    sql`select secret_sealed as sealed from api_key where partner_id = ${partner.id}`,
  );
  expect(rows).toHaveLength(1);
  for (const wrong of [rows[0]?.sealed.toString('base64url'), 'AAAA', '%20', 'a'.repeat(5_000)]) {
    await expectFailure(folder + wrong, 401);
  }
  expect((await svc.call('GET', `/experience/document/agreement/${tenant.plan.id}`)).status).toBe(
    405,
  );
});

test('an address names neither the tenant nor the document, and is in no log', async () => {
  const tenant = await withPlan(svc, partner, 't-log');
  const path = await pathOf(tenant);
  const sealed = path.split('/').at(-1) ?? '';
  const named = [partner.id, tenant.plan.id, 'agreement', 'my-file', 'xps_'];
  const decoded = Buffer.from(sealed, 'base64url').toString('latin1');
  for (const word of named) expect(`${path} ${decoded}`).not.toContain(word);
  const before = svc.lines.length;
  await get(path);
  await get(`${path.slice(0, -4)}AAAA`);
  await get(`${path}/more`);
  await get(path, { method: 'PUT' });
  svc.clock.advance(11 * minuteMs);
  const late = await get(path);
  expect(late.bytes.toString()).not.toContain(sealed.slice(0, 40));
  const lines = svc.lines.slice(before).join('\n');
  expect(lines).toContain('/experience/document/:documentAddress');
  expect(lines).not.toContain(sealed.slice(0, 40));
});

test('a file name that needs escaping in a header is refused', async () => {
  const tenant = await withPlan(svc, partner, 't-file-name');
  const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
  for (const file_name of ['', 'Contrato', 'a b', '../a', 'a"b', 'a\r\nb', 'ñ', 'a'.repeat(61)]) {
    const body = { locale: 'en', file_name };
    const path = `/experience/document/agreement/${tenant.plan.id}`;
    const refused = await svc.call('POST', path, { headers, body });
    expect(refused, file_name).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
  }
});

test('the calendar has the payments that are still to come, in the language on screen', async () => {
  // Another tenant of the same lease would make it a share of the rent.
  const tenant = await withPlan(svc, await svc.newPartner(), 't-calendar');
  const { session } = tenant.exchanged.data;
  const calendarIn = (locale: string) =>
    downloadDocument({
      url: svc.url,
      session,
      document: `calendar/${tenant.plan.id}?locale=${locale}`,
    });
  const english = await calendarIn('en');
  expect(english.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(english.headers.get('content-disposition')).toBe('attachment; filename="my-file.ics"');
  const lines = english.bytes.toString().replaceAll('\r\n ', '').split('\r\n');
  const later = tenant.plan.installments.slice(1);
  expect(lines.filter((it) => it.startsWith('DTSTART'))).toEqual(
    later.map(
      ({ due_date }: { due_date: string }) => `DTSTART;VALUE=DATE:${due_date.replaceAll('-', '')}`,
    ),
  );
  const amount = formatMoney(later[0].amount_in_cents).replace(',', '\\,');
  expect(lines).toContain(`SUMMARY:Payment due: ${amount} (February 2026 rent)`);
  const spanish = (await calendarIn('es')).bytes.toString().replaceAll('\r\n ', '');
  expect(spanish).toContain(`SUMMARY:Vence un pago: ${amount} (Renta de febrero de 2026)`);
  await tenant.change('pay', { installment_ids: later.map(({ id }: { id: string }) => id) });
  expect((await calendarIn('en')).status).toBe(404);
});
