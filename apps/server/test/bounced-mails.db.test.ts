import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Listed } from '../src/domain/listed.ts';
import type { MailLine } from '../src/domain/mail/list-mails.ts';
import { sendMails } from '../src/jobs/send-mails.ts';
import { describeResult } from '../src/operator/administer.ts';
import { createSmtpMailer } from '../src/outside/mailer.ts';
import { ada, useService } from './harness.ts';
import type { Partner } from './journeys/with-plan.ts';
import { openSmtpServer } from './support/open-smtp-server.ts';

const svc = await useService();
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

let server: Awaited<ReturnType<typeof openSmtpServer>>;
beforeAll(async () => {
  server = await openSmtpServer();
});
afterAll(() => server.close());

/** A tenant in real time, whose mails are sent to a server. */
async function newTenant(partner: Partner, externalId: string) {
  const report = (email: string) =>
    svc.call('POST', `/tenant/portal_info/${externalId}`, {
      key: partner.key,
      body: { ...ada, email },
    });
  await report(`${externalId}@example.com`);
  const { id } = await oneRowOf<{ id: string }>(
    svc.db,
    sql`select id from tenant where external_id = ${externalId} and partner_id = ${partner.id}`,
  );
  return { id, report };
}

/** Adds a mail that is due years ahead, so that the service's own job, whose clock stands still, does not send it. */
async function addMail(partner: Partner, tenantId: string, id: string, at: string) {
  await svc.db.run(sql`
    insert into mail (id, partner_id, tenant_id, type, data, product_variant, simulated, due_at,
      created_at)
    values (${id}, ${partner.id}, ${tenantId}, 'installment.upcoming',
      '{"amount_in_cents": 38003, "due_date": "2026-02-09", "number": 2}', 'rent', false,
      ${at}, ${at})`);
}

async function sendAt(instant: string): Promise<number> {
  const mailer = createSmtpMailer(server.url, 'Svc <no-reply@svc.example>');
  const clock = { ...svc.clock, now: () => new Date(instant) };
  try {
    return await sendMails({ db: svc.db, clock, service: svc.service, log: quiet, mailer });
  } finally {
    mailer.close();
  }
}

async function list(pms: string, bounced = true): Promise<readonly MailLine[]> {
  const request = {
    command: 'mail list',
    pms,
    ...(bounced ? { bounced: true as const } : {}),
  } as const;
  const answer = await svc.administer(request as Parameters<typeof svc.administer>[0]);
  if (!answer.ok) throw new Error(answer.message);
  return (answer.result as Listed<MailLine>).items;
}

const recipients = () => server.commands.filter((it) => it.startsWith('RCPT')).length;

test('a mail to an address that does not exist is recorded and never sent again', async () => {
  const partner = await svc.newPartner();
  const tenant = await newTenant(partner, 't-bounce');
  await addMail(partner, tenant.id, 'mal_bounce1', '2040-01-01T00:00:00Z');
  server.answers.recipient = '550 5.1.1 <t-bounce@example.com>: no such user';
  const before = recipients();
  expect(await sendAt('2040-01-01T00:00:00Z')).toBe(1);
  expect(await sendAt('2040-01-02T00:00:00Z')).toBe(0);
  expect(recipients() - before).toBe(1);
  const [mail] = await list(partner.pms);
  expect(mail).toMatchObject({
    external_id: 't-bounce',
    sent_at: null,
    bounced_at: '2040-01-01T00:00:00.000Z',
    due_at: null,
    failure: '550 5.1.1 <[address]>: no such user',
    address_bounces: true,
  });
  const text = describeResult({ command: 'mail list' }, { items: [mail], has_more: false });
  expect(text).toContain('bounced 2040-01-01 00:00 UTC');
  expect(text).not.toContain('t-bounce@example.com');
  await addMail(partner, tenant.id, 'mal_bounce2', '2040-01-09T00:00:00Z');
  expect(await sendAt('2040-01-09T00:00:00Z')).toBe(1);

  // The portal learns since when the address refuses mails, until it reports another one.
  const same = await tenant.report('t-bounce@example.com');
  expect(same.data.warnings).toContainEqual(
    expect.objectContaining({
      code: 'email_bounces',
      param: 'email',
      message: expect.stringContaining('since 2040-01-01'),
    }),
  );
  const other = await tenant.report('ada.new@example.com');
  expect(other.data.warnings.map((it: { code: string }) => it.code)).not.toContain('email_bounces');
  expect(await list(partner.pms)).toMatchObject([
    { address_bounces: false },
    { address_bounces: false },
  ]);
});

test('an address that takes mails again is no longer marked', async () => {
  const partner = await svc.newPartner();
  const tenant = await newTenant(partner, 't-again');
  await addMail(partner, tenant.id, 'mal_again1', '2041-01-01T00:00:00Z');
  server.answers.recipient = '552 5.2.2 full';
  await sendAt('2041-01-01T00:00:00Z');
  expect(await list(partner.pms)).toMatchObject([{ address_bounces: true }]);
  await addMail(partner, tenant.id, 'mal_again2', '2041-01-05T00:00:00Z');
  server.answers.recipient = '250 ok';
  await sendAt('2041-01-05T00:00:00Z');
  expect(await list(partner.pms)).toMatchObject([{ address_bounces: false }]);
  expect(await list(partner.pms, false)).toMatchObject([
    { sent_at: '2041-01-05T00:00:00.000Z' },
    { bounced_at: '2041-01-01T00:00:00.000Z' },
  ]);
});

test('a server that does not trust us is asked again, and the address is not marked', async () => {
  const partner = await svc.newPartner();
  const tenant = await newTenant(partner, 't-trust');
  await addMail(partner, tenant.id, 'mal_trust1', '2042-01-01T00:00:00Z');
  server.answers.recipient = '554 5.7.1 relay access denied';
  await sendAt('2042-01-01T00:00:00Z');
  expect(await list(partner.pms)).toEqual([]);
  server.answers.recipient = '250 ok';
  expect(await sendAt('2042-01-01T00:01:00Z')).toBe(1);
  expect(await list(partner.pms, false)).toMatchObject([{ sent_at: '2042-01-01T00:01:00.000Z' }]);
});

test('erasing a tenant forgets that the address bounced', async () => {
  const partner = await svc.newPartner();
  const tenant = await newTenant(partner, 't-erased');
  await addMail(partner, tenant.id, 'mal_erased1', '2043-01-01T00:00:00Z');
  server.answers.recipient = '550 5.1.1 unknown';
  await sendAt('2043-01-01T00:00:00Z');
  const marks = () =>
    rowsOf(svc.db, sql`select from bounced_address where tenant_id = ${tenant.id}`);
  expect(await marks()).toHaveLength(1);
  const about = { pms: partner.pms, external_id: 't-erased' };
  expect(await svc.administer({ command: 'tenant erase', ...about })).toMatchObject({ ok: true });
  expect(await marks()).toHaveLength(0);
});
