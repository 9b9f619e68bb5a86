import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { describe, expect, test } from 'vitest';
import { createMailLink } from '../src/domain/access/mail-links.ts';
import { routes } from '../src/http/routes.ts';
import { sendMails } from '../src/jobs/send-mails.ts';
import type { Mailer } from '../src/outside/mailer.ts';
import { ada, useService } from './harness.ts';
import { playTenant, testCard } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';
import { changeTriggers } from './support/change-triggers.ts';

const svc = await useService();
const partner = await svc.newPartner();

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

async function mailsOf(externalId: string) {
  return rowsOf<{
    id: string;
    type: string;
    due_at: Date | null;
    sent_at: Date | null;
    failure: string | null;
  }>(
    svc.db,
    sql`
    select m.id, m.type, m.due_at, m.sent_at, m.failure from mail m
    join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id where t.external_id = ${externalId} order by m.id`,
  );
}

/** Waits for the file that the sandbox writes, and decodes it. `index` counts mails of the type. */
async function readMail(externalId: string, type: string, index = 0): Promise<string> {
  const found = async () => (await mailsOf(externalId)).filter((it) => it.type === type).at(index);
  // Runs the timers that are due, including the next run of the mail job.
  await expect
    .poll(async () => {
      svc.clock.advance(10_000);
      return (await found())?.sent_at ?? null;
    })
    .not.toBeNull();
  const raw = await readFile(join(svc.mailFolder, `${(await found())?.id}.eml`), 'utf8');
  return raw
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/(=[0-9A-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
    );
}

function openLink(link: string, nonce = 'nonce-of-this-page-1') {
  return svc.call('POST', '/experience/link', { body: { link, nonce } });
}

test('a receipt, a reminder and a failed payment are mailed, and each link opens the plan once', async () => {
  const tenant = await withPlan(svc, partner, 't-mail');
  expect(await readMail('t-mail', 'installment.paid')).toContain('Receipt: $410.03 paid');
  await tenant.simulate('fail_next_payment', { return_code: 'R02' });
  await tenant.simulate('advance_clock', { by: 'P10D' });
  const reminder = await readMail('t-mail', 'installment.upcoming');
  expect(reminder).toMatch(/^To: ada@example\.com\r$/m);
  expect(reminder).toMatch(/^Subject: \$380\.03 is due Monday, February 9\r$/m);
  const failed = await readMail('t-mail', 'installment.failed');
  expect(failed).toContain('didn’t go through');

  const link = /#link=(svc_ml_\w+)/.exec(reminder)?.[1] ?? '';
  const page = `${svc.url}/experience/${partner.pms}`;
  expect((await fetch(page)).status).toBe(200);
  const opened = await openLink(link);
  expect(opened.status).toBe(200);
  expect(opened.data).toMatchObject({ step: 'manage', plan: { id: tenant.plan.id } });
  const headers = { authorization: `Bearer ${opened.data.session}` };
  expect((await svc.call('GET', '/experience/state', { headers })).status).toBe(200);

  expect((await openLink(link)).status).toBe(200);
  const again = await openLink(link, 'nonce-of-another-page');
  expect(again.status).toBe(401);
  expect(again.error?.message).toContain('used already');
});

test('a mail link is not accepted as a tenant token, nor a tenant token as a link', async () => {
  const tenant = await withPlan(svc, partner, 't-link');
  const receipt = await readMail('t-link', 'installment.paid');
  const link = /#link=(svc_ml_\w+)/.exec(receipt)?.[1] ?? '';
  const exchanged = await svc.call('POST', '/experience/session', {
    body: {
      token: link,
      pms: partner.pms,
      external_id: 't-link',
      signature: 'a'.repeat(64),
      nonce: 'nonce-of-this-frame-1',
    },
  });
  expect(exchanged.status).toBe(401);
  const info = await svc.call('POST', '/tenant/portal_info/t-link', {
    key: partner.key,
    body: ada,
  });
  expect((await openLink(info.data.token)).error?.code).toBe('token_invalid');
  expect(tenant.plan.state).toBe('active');
});

test('an expired link is refused with advice', async () => {
  await withPlan(svc, partner, 't-old-link');
  const receipt = await readMail('t-old-link', 'installment.paid');
  const link = /#link=(svc_ml_\w+)/.exec(receipt)?.[1] ?? '';
  await svc.db.run(sql`
    update tenant_token k set expires_at = ${svc.clock.now()} from tenant t
    where t.id = k.tenant_id and t.external_id = 't-old-link' and k.by_mail`);
  const { status, error } = await openLink(link);
  expect(status).toBe(401);
  expect(error).toMatchObject({ code: 'token_expired' });
  expect(error?.message).toContain('from your portal');
});

test('a refused mail is retried with the same Message-ID and link', async () => {
  const now = svc.clock.now();
  await svc.db.run(sql`
    insert into tenant (id, partner_id, external_id, email, created_at, updated_at)
    values ('ten_late', ${partner.id}, 't-late', 'late@example.com', ${now}, ${now})`);
  // Due far in the future, so that the service's own mail job does not send it.
  await svc.db.run(sql`
    insert into mail (id, partner_id, tenant_id, type, data, product_variant, simulated, due_at,
      created_at)
    values ('mal_late', ${partner.id}, 'ten_late', 'installment.upcoming',
      '{"amount_in_cents": 38003, "due_date": "2026-02-09", "number": 2}', 'rent', false,
      '2040-01-01', ${now})`);
  const sent: string[] = [];
  let refusing = true;
  const mailer: Mailer = {
    takesSimulated: false,
    async send({ id, text }) {
      sent.push(`${id} ${/svc_ml_\w+/.exec(text)?.[0]}`);
      if (refusing) throw new Error('451 4.2.0 <late@example.com>: later');
    },
    close: () => {},
  };
  const at = (instant: string) => ({ ...svc.clock, now: () => new Date(instant) });
  const sendAt = (instant: string) =>
    sendMails({ db: svc.db, clock: at(instant), service: svc.service, log: quiet, mailer });
  await sendAt('2040-01-01T00:00:00Z');
  expect((await mailsOf('t-late'))[0]?.failure).toBe('451 4.2.0 <[address]>: later');
  refusing = false;
  await sendAt('2040-01-01T00:00:30Z');
  await sendAt('2040-01-01T00:01:00Z');
  await sendAt('2040-01-02T00:00:00Z');
  expect(sent).toHaveLength(2);
  expect(new Set(sent).size).toBe(1);
});

test('a process that stops sends the mail it has begun; the others are due at once', async () => {
  const at = '2042-01-01T00:00:00Z';
  await svc.db.run(sql`
    insert into tenant (id, partner_id, external_id, email, created_at, updated_at)
    values ('ten_stop', ${partner.id}, 't-stop', 'stop@example.com', ${at}, ${at})`);
  await svc.db.run(sql`
    insert into mail (partner_id, id, tenant_id, type, data, product_variant, simulated, due_at, created_at)
    select ${partner.id}, 'mal_stop' || i, 'ten_stop', 'installment.upcoming',
      '{"amount_in_cents": 38003, "due_date": "2042-02-09", "number": 2}', 'rent', false, ${at}, ${at}
    from generate_series(1, ${3}::integer) i`);
  const stopping = new AbortController();
  const mailer: Mailer = {
    takesSimulated: false,
    send: async () => stopping.abort(),
    close: () => {},
  };
  const clock = { ...svc.clock, now: () => new Date(at) };
  await sendMails({ db: svc.db, clock, service: svc.service, log: quiet, mailer }, stopping.signal);
  const left = await rowsOf<{ attempts: number; due_at: Date }>(
    svc.db,
    sql`
    select attempts, due_at from mail where tenant_id = 'ten_stop' and sent_at is null`,
  );
  expect(left).toEqual(Array(2).fill({ attempts: 0, due_at: new Date(at) }));
  await svc.db.run(sql`delete from mail where tenant_id = 'ten_stop'`);
});

test('mails of simulated tenants are not sent to a server', async () => {
  const tenant = await withPlan(svc, partner, 't-simulated');
  await readMail('t-simulated', 'installment.paid');
  await svc.db.run(sql`
    update mail m set due_at = '2041-01-01', sent_at = null from tenant t
    where t.partner_id = m.partner_id and t.id = m.tenant_id and t.external_id = 't-simulated'`);
  const mailer: Mailer = {
    takesSimulated: false,
    send: async () => expect.unreachable('a simulated tenant was sent a mail'),
    close: () => {},
  };
  const clock = { ...svc.clock, now: () => new Date('2041-01-01T00:00:00Z') };
  await sendMails({ db: svc.db, clock, service: svc.service, log: quiet, mailer });
  const [mail] = await mailsOf('t-simulated');
  expect(mail).toMatchObject({ due_at: null, sent_at: null, failure: 'simulated tenant' });
  expect(tenant.plan.state).toBe('active');
});

test('mails are in the language of the consent, with the stored accent and logo', async () => {
  const branded = await svc.newPartner();
  const { key, pms } = branded;
  const at = '/partner/appearance';
  await svc.call('PUT', at, { key, body: { accent: '#fde047' } });
  const headers = { 'content-type': 'image/png' };
  const { data } = await svc.call('PUT', `${at}/logo`, { key, body: onePixel, headers });
  const first = await withPlan(svc, branded, 't-espanol', { locale: 'es' });
  expect(first.accepted.status).toBe(200);
  const mail = await readMail('t-espanol', 'installment.paid');
  expect(mail).toContain('Recibimos tu pago de renta');
  expect(data.logo.url).toContain(`/brand/${pms}/`);
  expect(mail).toContain(`src="${data.logo.url}" alt="Svc Sandbox Finance" width="1" height="1"`);
  // Yellow has too little contrast on a white page, so it is darker, with black text.
  expect(mail).toContain('background:#9e8b29;color:#000000');
  // Another partner's mails keep our colors.
  await withPlan(svc, partner, 't-plain');
  const plain = await readMail('t-plain', 'installment.paid');
  expect(plain).toContain('background:#0f766e;color:#ffffff');
  expect(plain).not.toContain('<img');
});

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function typesOf(externalId: string): Promise<string[]> {
  return (await mailsOf(externalId)).map(({ type }) => type);
}

test('the agreement is mailed as it was accepted, without the digits of the account', async () => {
  const tenant = await withPlan(svc, partner, 't-agreement');
  const { text, sha256 } = (await tenant.ownPlan()).data.management.agreement;
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  for (const fact of ['Borrower: Ada Lane', `Plan number: ${tenant.plan.id}`, 'February 1, 2026']) {
    expect(text).toContain(fact);
  }
  const mail = (await readMail('t-agreement', 'plan.activated')).replaceAll('\r\n', '\n');
  expect(mail).toMatch(/^From: Svc Sandbox Finance <no-reply@svc\.example>$/m);
  expect(mail).toContain(text.replaceAll('ending in 0000', 'ending in ••••'));
  expect(mail).toContain(sha256);
  // The clear text in the database names neither the tenant nor the home.
  const stored = await oneRowOf<{ text: string }>(
    svc.db,
    sql`select disclosure_text as text from plan where id = ${tenant.plan.id}`,
  );
  expect(stored.text).toContain('Borrower: [removed]');
  expect(stored.text).not.toMatch(/Ada|Lane/);
});

test('an agreement of an earlier version stays readable, with its hash', async () => {
  const tenant = await withPlan(svc, partner, 't-before');
  const text = 'Creditor: Maple Bank\n\nTotal of payments: $1,550.12';
  const hash = createHash('sha256').update(text).digest();
  await changeTriggers(svc.db, async (tx) => {
    // A plan keeps its hash otherwise.
    await tx.run(sql`alter table plan disable trigger plan_keeps_agreement`);
    await tx.run(sql`
      update plan set agreement_sealed = null, disclosure_text = ${text}, disclosure_sha256 = ${hash}
      where partner_id = ${partner.id} and id = ${tenant.plan.id}`);
    await tx.run(sql`alter table plan enable trigger plan_keeps_agreement`);
  });
  const { agreement } = (await tenant.ownPlan()).data.management;
  expect(agreement).toMatchObject({ text, sha256: hash.toString('hex') });
});

test('each change of a plan is mailed once, and a last payment with the end of its plan', async () => {
  const tenant = await withPlan(svc, partner, 't-changes');
  const [, second, ...rest] = tenant.plan.installments;
  const { reschedule_days } = (await tenant.ownPlan()).data.management.installments[1];
  const moved = { installment_id: second.id, due_date: reschedule_days[0], reason: 'other' };
  await tenant.change('reschedule', moved);
  await tenant.change('reschedule', moved);
  await tenant.pay(testCard);
  const part = { amount_in_cents: 10_000, of_in_cents: 38_003 };
  await tenant.change('pay', { installment_ids: [second.id], part });
  await tenant.change('autopay', { enabled: false });
  await tenant.change('autopay', { enabled: false });
  const settlement = `/settlements/${tenant.plan.settlement_id}`;
  const { key } = partner;
  await svc.call('PATCH', settlement, { key, body: { status: 'verified' } });
  await svc.call('POST', `${settlement}/refunds`, { key, body: { amount_in_cents: 50_000 } });
  await tenant.change('pay', { installment_ids: [second.id, rest[0].id] });
  expect((await typesOf('t-changes')).toSorted()).toEqual([
    'autopay.disabled',
    'installment.paid',
    'installment.paid',
    'installment.paid',
    'installment.rescheduled',
    'plan.activated',
    'plan.completed',
    'plan.payment_method',
    'plan.refunded',
  ]);
  expect(await readMail('t-changes', 'installment.paid', 1)).toContain(
    'You still owe the remaining $280.03. We’ll charge it automatically that day.',
  );
  const credited = await readMail('t-changes', 'plan.refunded');
  expect(credited).toContain('Credited: $500.00\r\nLeft to pay: $540.09');
  const { amounts } = (await tenant.ownPlan()).data.management;
  expect([amounts.credited_in_cents, amounts.left_in_cents]).toEqual([50_000, 0]);
});

test('a bank that revokes the permission to debit, and a plan that stays unpaid, are mailed', async () => {
  const tenant = await withPlan(svc, partner, 't-late');
  await tenant.simulate('fail_next_payment', { return_code: 'R07' });
  await tenant.simulate('advance_clock', { by: 'P170D' });
  const types = await typesOf('t-late');
  // The mail about the failure says that automatic payments are off.
  expect(types.filter((it) => it.startsWith('autopay'))).toEqual([]);
  expect(types.filter((it) => it === 'plan.past_due')).toHaveLength(1);
  expect(types.filter((it) => it === 'plan.charged_off')).toHaveLength(1);
  expect(await readMail('t-late', 'installment.failed')).toContain('Autopay is off now');
  expect(await readMail('t-late', 'plan.charged_off')).toContain('You still owe $1,140.09.');
});

test('a decline is mailed with its reasons, in the language of the application', async () => {
  const { key, pms } = partner;
  await svc.call('POST', '/simulation/t-declined/set_underwriting_result', {
    key,
    body: { underwriting_result: 'WILL_BE_DECLINED', rent_cycle_date: '2026-02-01' },
  });
  const info = await svc.call('POST', '/tenant/portal_info/t-declined', { key, body: ada });
  const who = { pms, apiKey: key, externalId: 't-declined', productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply(500_000, { locale: 'es' });
  await tenant.pay();
  expect((await tenant.state()).data.step).toBe('declined');
  const notice = await readMail('t-declined', 'application.declined');
  expect(notice).toContain('Tus ingresos no son suficientes para el monto solicitado');
  expect(notice).toContain('Fecha: 1 de febrero de 2026');
  expect(notice).toContain('Equal Credit Opportunity Act');
  const link = /#link=(svc_ml_\w+)/.exec(notice)?.[1] ?? '';
  expect((await openLink(link)).data.step).toBe('declined');
});

test('a mail is in English where the stored language is no longer supported', async () => {
  await withPlan(svc, partner, 't-removed', { locale: 'es' });
  await svc.db.run(sql`update tenant set locale = 'xx' where external_id = 't-removed'`);
  expect(await readMail('t-removed', 'installment.paid')).toContain('Receipt: $410.03 paid');
});

/** Opens a session with the link in the tenant's receipt. */
async function openReceiptLink(externalId: string) {
  const link = /#link=(svc_ml_\w+)/.exec(await readMail(externalId, 'installment.paid'))?.[1] ?? '';
  const opened = await openLink(link);
  const headers = { authorization: `Bearer ${opened.data.session}` };
  return {
    link,
    opened,
    call: (method: string, path: string, body?: unknown) =>
      svc.call(method, `/experience${path}`, { headers, body }),
    confirm: (last4: string, date_of_birth = '1990-04-01') =>
      svc.call('POST', '/experience/confirm', { headers, body: { date_of_birth, last4 } }),
  };
}

describe('a session from a mail', () => {
  /** The address of a document is a POST, and this session may have that of a receipt. */
  const allowed = ['/experience/confirm', '/experience/document/{kind}/{id}'];
  const writes = routes.filter(
    ({ who, method, secret, path }) =>
      who === 'tenant' && (method !== 'GET' || secret) && !allowed.includes(path),
  );

  test('the session is read-only and hides the digits that the confirmation asks for', async () => {
    const { plan } = await withPlan(svc, partner, 't-look');
    const { opened, call } = await openReceiptLink('t-look');
    expect(opened.data).toMatchObject({
      step: 'manage',
      mail_access: { continue_in: 'confirm', tries_left: 5 },
      payment_method: { last4: '••••', label: 'Bank account ending in ••••' },
      management: {
        agreement: { text: '' },
        receipts: [{ method: 'Bank account ending in ••••' }],
      },
    });
    const seen = [
      opened.data,
      (await call('GET', '/state')).data,
      (await call('GET', `/plan/${plan.id}`)).data,
    ];
    for (const data of seen) expect(JSON.stringify(data)).not.toMatch(/ending in \d|"last4":"\d/);
    expect(writes.length).toBeGreaterThan(7);
    for (const { method, path } of writes) {
      const at = path.replace('/experience', '').replace('{id}', plan.id);
      expect(await call(method, at, method === 'GET' ? undefined : {})).toMatchObject({
        status: 403,
        error: { code: 'confirmation_required' },
      });
    }
  });

  test('the tenant can pay after confirming the date of birth and the last four digits', async () => {
    const { plan, read } = await withPlan(svc, partner, 't-confirm');
    const { call, confirm } = await openReceiptLink('t-confirm');
    expect((await confirm('0000', '1990-04-02')).data).toMatchObject({
      confirmed: false,
      tries_left: 4,
      state: { mail_access: { tries_left: 4 } },
    });
    expect((await confirm('000')).status).toBe(422);
    expect((await confirm('0000')).data).toMatchObject({
      confirmed: true,
      tries_left: 4,
      state: { mail_access: null, payment_method: { last4: '0000' } },
    });
    const installment_ids = [plan.installments[1].id];
    const paid = await call('POST', `/plan/${plan.id}/pay`, { installment_ids });
    expect(paid).toMatchObject({ status: 200, data: { failure: null } });
    expect((await read()).installments[1].state).toBe('paid');
    expect((await confirm('0000')).error?.code).toBe('step_not_allowed');
  });

  test('the session and its link end after five wrong answers, also concurrent ones', async () => {
    await withPlan(svc, partner, 't-guess');
    const { link, call, confirm } = await openReceiptLink('t-guess');
    const digits = ['1111', '2222', '3333', '4444', '5555', '6666', '7777'];
    const answers = await Promise.all(digits.map((last4) => confirm(last4)));
    const counted = answers.filter(({ status }) => status === 200);
    const left = counted.map(({ data }) => Number(data.tries_left));
    expect(left.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
    const rest = answers.filter(({ status }) => status !== 200);
    expect(rest.map(({ error }) => error?.code)).toEqual(['token_expired', 'token_expired']);
    expect((await confirm('0000')).status).toBe(401);
    expect((await call('GET', '/state')).status).toBe(401);
    // The same page may repeat its exchange for 30 s.
    expect((await openLink(link)).error).toMatchObject({
      code: 'token_invalid',
      message: expect.stringContaining('turned off'),
    });
    const lines = svc.lines.map((line) => JSON.parse(line));
    const warned = lines.filter(({ msg }) => msg.startsWith('wrong answers'));
    expect(warned.map(({ tries_left }) => tries_left)).toEqual(
      expect.arrayContaining([0, 1, 2, 3, 4]),
    );
    expect(JSON.stringify(warned)).not.toMatch(/1990|1111/);
  });

  test('a link with a return_url leads to the portal without a confirmation', async () => {
    await withPlan(svc, partner, 't-portal');
    await svc.call('POST', '/tenant/portal_info/t-portal', {
      key: partner.key,
      body: { ...ada, return_url: 'https://portal.example/rent' },
    });
    const { opened, confirm } = await openReceiptLink('t-portal');
    expect(opened.data.mail_access).toEqual({ continue_in: 'portal', tries_left: 5 });
    expect(await confirm('0000')).toMatchObject({
      status: 403,
      error: { code: 'confirmation_required' },
    });
  });
});

test('links and sessions of an old address expire when the portal reports a new one', async () => {
  await withPlan(svc, partner, 't-moved');
  const { call } = await openReceiptLink('t-moved');
  const { hmac, ...tenant } = await oneRowOf<{ partnerId: string; tenantId: string; hmac: Buffer }>(
    svc.db,
    sql`
    select partner_id as "partnerId", id as "tenantId", email_hmac as hmac from tenant
    where external_id = 't-moved'`,
  );
  const unused = await svc.db.transaction((tx) =>
    createMailLink(
      { tx, now: svc.clock.now() },
      { ...tenant, productVariant: 'rent', addressedTo: { hmac, sha256: null } },
    ),
  );
  const report = (email: string) =>
    svc.call('POST', '/tenant/portal_info/t-moved', { key: partner.key, body: { ...ada, email } });
  await report(ada.email);
  expect((await call('GET', '/state')).status).toBe(200);
  await report('lane@example.com');
  expect((await call('GET', '/state')).error?.code).toBe('token_expired');
  expect((await openLink(unused)).error).toMatchObject({
    code: 'token_invalid',
    message: expect.stringContaining('another e-mail address'),
  });
});

test('a mail retried after a change of address goes to the new address with a new link', async () => {
  const report = (email: string) =>
    svc.call('POST', '/tenant/portal_info/t-again', { key: partner.key, body: { ...ada, email } });
  await report('old@example.com');
  await svc.db.run(sql`
    insert into mail (id, partner_id, tenant_id, type, data, product_variant, simulated, due_at,
      created_at)
    select 'mal_again', partner_id, id, 'installment.upcoming',
      '{"amount_in_cents": 38003, "due_date": "2026-02-09", "number": 2}', 'rent', false,
      '2042-01-01', ${svc.clock.now()}
    from tenant where external_id = 't-again'`);
  const sent: { to: string; link: string }[] = [];
  const mailer: Mailer = {
    takesSimulated: false,
    async send({ to, text }) {
      sent.push({ to, link: /svc_ml_\w+/.exec(text)?.[0] ?? '' });
      if (sent.length === 1) throw new Error('451 later');
    },
    close: () => {},
  };
  const sendAt = (instant: string) => {
    const clock = { ...svc.clock, now: () => new Date(instant) };
    return sendMails({ db: svc.db, clock, service: svc.service, log: quiet, mailer });
  };
  await sendAt('2042-01-01T00:00:00Z');
  await report('new@example.com');
  await sendAt('2042-01-01T00:01:00Z');
  expect(sent.map(({ to }) => to)).toEqual(['old@example.com', 'new@example.com']);
  expect(sent[0]?.link).not.toBe(sent[1]?.link);
});
