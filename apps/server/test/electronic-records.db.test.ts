import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { countNoticesToPrint } from '../src/domain/mail/list-notices.ts';
import { sendMails } from '../src/jobs/send-mails.ts';
import type { OperatorRequest } from '../src/operator/administer.ts';
import type { Mailer } from '../src/outside/mailer.ts';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';

// Consent to electronic records (15 USC 7001(c)): who gets which mail by email, and which on paper.
const svc = await useService({ roles: ['api'] }, '2026-02-01T18:00:00Z');
const partner = await svc.newPartner();
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** A tenant in real time, who can apply. */
async function newTenant(externalId: string) {
  const { key, pms } = partner;
  const { data } = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, data.token, who);
  return { ...tenant, externalId, ...recordsOf(tenant.exchanged.data) };
}

function recordsOf({ session }: { session: string }) {
  const headers = { authorization: `Bearer ${session}` };
  return {
    records: () => svc.call('GET', '/experience/electronic_records', { headers }),
    choose: (accepted_sha256: string | null) =>
      svc.call('POST', '/experience/electronic_records', { body: { accepted_sha256 }, headers }),
  };
}

/** Sends what is due, and returns the mails of the tenant by their type. */
async function sendMailsTo(externalId: string) {
  const mailer: Mailer = { takesSimulated: true, send: async () => {}, close: () => {} };
  const deps = { db: svc.db, clock: svc.clock, service: svc.service, log: quiet, mailer };
  while ((await sendMails(deps)) > 0);
  const mails = await rowsOf<{ type: string; sent: boolean; failure: string | null }>(
    svc.db,
    sql`select m.type, m.sent_at is not null as sent, m.failure from mail m
      join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
      where t.external_id = ${externalId} order by m.id`,
  );
  return Object.fromEntries(
    mails.map(({ type, sent, failure }) => [type, sent ? 'sent' : failure]),
  );
}

async function run(request: object) {
  const answer = await svc.administer(request as OperatorRequest);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result;
}

async function toPrint(externalId: string) {
  const { items } = (await run({ command: 'mail list', to_print: true, pms: partner.pms })) as {
    items: { external_id: string; type: string; deadline: string; failure: string }[];
  };
  return items.filter((it) => it.external_id === externalId);
}

const onPaper = 'no consent to electronic records';
const tooLittle = 10_000;

test('a decline is mailed to a tenant who agreed, and the text is stored', async () => {
  const tenant = await newTenant('t-agrees');
  // The first screen waits for this response, so a later response carries the texts.
  const opened = tenant.exchanged.data;
  expect(opened.asks_electronic_records).toBe(true);
  const { choice, texts } = (await tenant.records()).data;
  expect(choice).toBeNull();
  const [english, spanish] = texts;
  for (const { text } of texts) {
    const [sentence] = text.split('\n\n');
    expect(JSON.stringify(opened)).not.toContain(sentence);
  }
  for (const part of [
    'by email and on screen',
    'a current web browser',
    'a free paper copy',
    'change my mind at any time, at no cost',
    'If it changes, I change it there',
    'I don’t have to agree',
    svc.service.creditor.address,
    svc.service.creditor.supportEmail,
  ]) {
    expect(english?.text).toContain(part);
  }
  expect(spanish).toMatchObject({ locale: 'es', text: expect.stringContaining('sin costo') });
  await tenant.apply(tooLittle, { locale: 'es' }, { records: spanish?.sha256 });
  await tenant.pay();
  expect((await tenant.state()).data).toMatchObject({
    step: 'declined',
    notice: { on_paper: false },
  });
  expect(await sendMailsTo('t-agrees')).toEqual({ 'application.declined': 'sent' });
  expect(await toPrint('t-agrees')).toEqual([]);

  const about = { pms: partner.pms, external_id: 't-agrees' };
  const { tables } = (await run({ command: 'tenant export', ...about })) as {
    tables: { electronic_records: object[] };
  };
  expect(tables.electronic_records).toMatchObject([
    { agreed: true, consent_text: spanish?.text, consent_version: '1', locale: 'es' },
  ]);
  await run({ command: 'tenant erase', ...about });
  expect(
    await rowsOf(
      svc.db,
      sql`select from electronic_records where consent_text = ${spanish?.text ?? ''}`,
    ),
  ).toEqual([]);
});

test.each([
  ['who does not agree', 't-paper', { records: null }],
  ['whose page did not ask', 't-old-page', {}],
])('a decline of a tenant %s is listed to print, with its deadline', async (_, id, answer) => {
  const tenant = await newTenant(id);
  await tenant.apply(tooLittle, {}, answer);
  await tenant.pay();
  expect((await tenant.state()).data).toMatchObject({
    step: 'declined',
    notice: { on_paper: true },
  });
  expect(await sendMailsTo(id)).toEqual({ 'application.declined': onPaper });
  expect(await toPrint(id)).toMatchObject([
    { type: 'application.declined', deadline: '2026-03-03', failure: onPaper },
  ]);
  const lateOn = async (day: string) => (await countNoticesToPrint(svc.db, new Date(day))).late;
  expect(await lateOn('2026-02-23T12:00:00Z')).toBe(0);
  expect(await lateOn('2026-02-25T12:00:00Z')).toBeGreaterThan(0);
});

test('a tenant who does not agree gets the plan, its notices on paper, and reminders by email', async () => {
  const tenant = await withPlan(svc, partner, 't-plan', { records: null });
  await tenant.change('autopay', { enabled: false });
  await tenant.change('autopay', { enabled: true });
  await tenant.simulate('advance_clock', { by: 'P10D' });
  expect(await sendMailsTo('t-plan')).toMatchObject({
    'plan.activated': onPaper,
    'autopay.enabled': onPaper,
    'autopay.disabled': 'sent',
    'installment.upcoming': 'sent',
    'installment.paid': 'sent',
  });
});

test('an agreement covers the notices of its plan, until the tenant chooses paper', async () => {
  const tenant = await withPlan(svc, partner, 't-withdraws', { records: undefined });
  expect(await sendMailsTo('t-withdraws')).toMatchObject({ 'plan.activated': 'sent' });
  const { records, choose } = recordsOf(tenant.exchanged.data);
  expect((await records()).data.choice).toBeNull();
  const toEnable = async () => {
    await tenant.change('autopay', { enabled: false });
    await tenant.change('autopay', { enabled: true });
    return (await sendMailsTo('t-withdraws'))['autopay.enabled'];
  };
  expect((await choose(null)).data.choice).toBe('paper');
  expect(await toEnable()).toBe(onPaper);
  const [english] = (await records()).data.texts;
  expect((await choose(english.sha256)).data.choice).toBe('electronic');
  expect(await toEnable()).toBe('sent');
  await choose(english.sha256);
  await run({ command: 'tenant paper', pms: partner.pms, external_id: 't-withdraws' });
  expect((await records()).data.choice).toBe('paper');
  // Each answer is kept once, as the proof of when it counted.
  const stored = await rowsOf<{ agreed: boolean }>(
    svc.db,
    sql`select e.agreed from electronic_records e
      join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
      where t.external_id = 't-withdraws' order by e.decided_at, e.id`,
  );
  expect(stored.map(({ agreed }) => agreed)).toEqual([false, true, false]);
  const { data: log } = await svc.call('GET', '/webhooks/audit_log?group=tenant', {
    key: partner.key,
  });
  expect(log.items[0]).toMatchObject({
    action: 'tenant.notices_on_paper',
    details: { external_id: 't-withdraws' },
  });
});

test('a text that changed since it was read is refused, and the application is not sent', async () => {
  const tenant = await newTenant('t-stale');
  const stale = { records: '0'.repeat(64) };
  expect(await tenant.apply(500_000, {}, stale)).toMatchObject({
    status: 409,
    error: { code: 'version_conflict' },
  });
  expect((await tenant.state()).data.application).toBeNull();
});

test('a tenant who has agreed is not asked again', async () => {
  const tenant = await newTenant('t-again');
  const [english] = (await tenant.records()).data.texts;
  await tenant.choose(english?.sha256 ?? '');
  expect((await tenant.state()).data.asks_electronic_records).toBe(false);
  await tenant.choose(null);
  expect((await tenant.state()).data.asks_electronic_records).toBe(true);
});
