import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { deleteExpired } from '../src/jobs/delete-expired.ts';
import { mailsLane, sendMails } from '../src/jobs/send-mails.ts';
import { measureStored } from '../src/metrics/measure-stored.ts';
import type { OperatorRequest } from '../src/operator/administer.ts';
import type { Mailer } from '../src/outside/mailer.ts';
import { ada, useService } from './harness.ts';

const svc = await useService();
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const dayMs = 86_400_000;

/** A day of the far future, so that the service's own mail job does not send these mails. */
let year = 2050;

/** A declined tenant of a new partner, with the notice and a reminder that are due on the first day of a year. */
async function withUnsentMails() {
  year += 1;
  const partner = await svc.newPartner();
  const tenant = `t-${year}`;
  await svc.call('POST', `/tenant/portal_info/${tenant}`, { key: partner.key, body: ada });
  const firstDay = new Date(Date.UTC(year, 0, 1));
  await svc.db.run(sql`
    insert into mail (id, partner_id, tenant_id, type, data, product_variant, simulated, due_at,
      created_at)
    select 'mal_' || ${year}::integer || m.name, t.partner_id, t.id, m.type, m.data::jsonb, 'rent', false,
      ${firstDay}::timestamptz, ${firstDay}::timestamptz
    from tenant t, (values
      ('notice', 'autopay.enabled', '{}'),
      ('reminder', 'installment.upcoming', '{"amount_in_cents": 38003, "due_date": "2026-02-09", "number": 2}')
    ) as m (name, type, data)
    where t.partner_id = ${partner.id} and t.external_id = ${tenant}`);
  const sent: string[] = [];
  const links: string[] = [];
  let failure: Error | null = null;
  const mailer: Mailer = {
    takesSimulated: false,
    async send({ id, text }) {
      if (failure) throw failure;
      sent.push(id);
      links.push(/svc_ml_\w+/.exec(text)?.[0] ?? '');
    },
    close: () => {},
  };
  const at = (ms: number) => new Date(firstDay.getTime() + ms);
  const depsAt = (ms: number, used: Mailer | null) => ({
    db: svc.db,
    clock: { ...svc.clock, now: () => at(ms) },
    service: svc.service,
    log: quiet,
    mailer: used,
  });
  const ask = async (request: object) =>
    svc.administer({ pms: partner.pms, ...request } as OperatorRequest);
  return {
    partner,
    tenant,
    notice: `mal_${year}notice`,
    reminder: `mal_${year}reminder`,
    sent,
    links,
    fail(error: Error | null) {
      failure = error;
    },
    at,
    sendAt: (ms: number) => sendMails(depsAt(ms, mailer)),
    sendWithoutServerAt: (ms: number) => sendMails(depsAt(ms, null)),
    /** The first batch after a start with a mail server. */
    startAt: (ms: number) => mailsLane(depsAt(ms, mailer)).batch(new AbortController().signal),
    toPrint: async () => {
      const answer = await ask({ command: 'mail list', to_print: true });
      return (answer as { result: { items: { mail_id: string; failure: string }[] } }).result.items;
    },
    ask,
    stored: () =>
      rowsOf<{ id: string }>(
        svc.db,
        sql`select id from mail where partner_id = ${partner.id} order by id`,
      ),
  };
}

test('without a mail server, notices are listed to print, kept, and sent once there is a server', async () => {
  const mails = await withUnsentMails();
  await mails.sendWithoutServerAt(0);
  expect(await mails.toPrint()).toMatchObject([
    {
      mail_id: mails.notice,
      external_id: mails.tenant,
      rule: '12 CFR 1005.10(b)',
      failure: 'no mail server is set',
    },
  ]);
  const later = 60 * dayMs;
  await deleteExpired({ db: svc.db, now: mails.at(later), service: svc.service }, 1_000);
  expect((await mails.stored()).map(({ id }) => id)).toEqual([mails.notice]);
  await mails.startAt(later);
  expect(mails.sent).toEqual([mails.notice]);
  expect(await mails.toPrint()).toEqual([]);
});

test('a reminder that waited for a mail server for less than three days is sent, too', async () => {
  const mails = await withUnsentMails();
  await mails.sendWithoutServerAt(0);
  await mails.startAt(2 * dayMs);
  expect(new Set(mails.sent)).toEqual(new Set([mails.notice, mails.reminder]));
});

test('a notice is tried every six hours for as long as the mail server fails, and can be printed', async () => {
  const mails = await withUnsentMails();
  mails.fail(new Error('421 try again'));
  for (let hour = 0; hour <= 24; hour += 6) await mails.sendAt(hour * 3_600_000);
  expect(await mails.toPrint()).toEqual([]);
  for (let hour = 30; hour <= 60; hour += 6) await mails.sendAt(hour * 3_600_000);
  expect(await mails.toPrint()).toMatchObject([
    { mail_id: mails.notice, failure: '421 try again' },
  ]);
  const measured = await measureStored(svc.db, mails.at(61 * 3_600_000));
  const value = (name: 'svc_notices_to_print' | 'svc_mails_given_up') => measured[name][0]?.value;
  expect(value('svc_notices_to_print')).toBeGreaterThanOrEqual(1);
  expect(value('svc_mails_given_up')).toBeGreaterThanOrEqual(2);
  mails.fail(null);
  await mails.sendAt(66 * 3_600_000);
  expect(mails.sent).toEqual([mails.notice]);
});

test('a mail that is sent again has a fresh link, also after it was sent', async () => {
  const mails = await withUnsentMails();
  await mails.sendAt(0);
  expect(mails.sent).toHaveLength(2);
  const again = await mails.ask({ command: 'mail resend', mail_id: mails.notice });
  expect(again).toMatchObject({ ok: true, result: { queued: 1 } });
  await mails.sendAt(dayMs);
  expect(mails.sent).toHaveLength(3);
  expect(new Set(mails.links).size).toBe(3);
  expect(await mails.ask({ command: 'mail resend', mail_id: 'mal_none' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('svc-admin mail list'),
  });
});

test('a notice can be printed with name, date and text, and is no longer listed once it was sent on paper', async () => {
  const mails = await withUnsentMails();
  await mails.sendWithoutServerAt(0);
  const shown = await mails.ask({ command: 'mail print', mail_id: mails.notice });
  const { letter } = (shown as { result: { letter: string } }).result;
  expect(letter).toContain('Ada Lane');
  expect(letter).not.toContain('#link=');
  await mails.ask({ command: 'mail sent', mail_id: mails.notice });
  expect(await mails.toPrint()).toEqual([]);
  await mails.startAt(dayMs);
  expect(mails.sent).not.toContain(mails.notice);
  const { data } = await svc.call('GET', '/webhooks/audit_log?group=mail', {
    key: mails.partner.key,
  });
  expect(data.items.map(({ action }: { action: string }) => action)).toEqual([
    'mail.sent_on_paper',
    'mail.printed',
  ]);
});
