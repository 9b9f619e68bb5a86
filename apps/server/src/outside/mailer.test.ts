import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSmtpServer } from '../../test/support/open-smtp-server.ts';
import type { Mail } from '../domain/mail/compose.ts';
import type { MailFiles } from './mail-files.ts';
import { createFileMailer, createSmtpMailer, MailBounced } from './mailer.ts';

let server: Awaited<ReturnType<typeof openSmtpServer>>;
beforeEach(async () => {
  server = await openSmtpServer();
});
afterEach(() => server.close());

const mail: Mail = {
  id: 'mal_1',
  from: 'Maple Bank for Elm Court',
  to: 'ada@example.com',
  subject: 'Receipt',
  text: 'Paid',
  html: '<p>Paid</p>',
  date: new Date('2026-02-06T15:00:00Z'),
};

async function send(change: Partial<Mail> = {}) {
  const mailer = createSmtpMailer(server.url, 'Svc <no-reply@svc.example>');
  try {
    await mailer.send({ ...mail, ...change });
  } finally {
    mailer.close();
  }
}

test('a mail is sent to one address, with the same Message-ID in every attempt', async () => {
  await send();
  await send();
  expect(server.commands.filter((it) => it.startsWith('RCPT'))).toEqual([
    'RCPT TO:<ada@example.com>',
    'RCPT TO:<ada@example.com>',
  ]);
  const ids = server.commands.filter((it) => it.startsWith('Message-ID'));
  expect(ids).toEqual(['Message-ID: <mal_1@svc.example>', 'Message-ID: <mal_1@svc.example>']);
});

test.each([
  ['tom&jane@example.com', 'tom&jane@example.com'],
  ['a/b=c@example.com', 'a/b=c@example.com'],
  // A domain has an ASCII form; a local part has none, and needs a server that takes UTF-8.
  ['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'],
  ['j\u00fcrgen@b\u00fccher.example', 'j\u00fcrgen@b\u00fccher.example'],
])('a mail to %s is sent to %s', async (to, recipient) => {
  await send({ to });
  expect(server.commands.filter((it) => it.startsWith('RCPT'))).toEqual([`RCPT TO:<${recipient}>`]);
});

test('without a server every mail is a file, but one mailbox bounces', async () => {
  const written: string[] = [];
  const files: MailFiles = {
    write: async (id) => void written.push(id),
    deleteOlderThan: async () => 0,
  };
  const mailer = createFileMailer(files, 'Svc <no-reply@svc.example>');
  for (const to of ['bounce@example.com', 'bounce+ada@example.com']) {
    await expect(mailer.send({ ...mail, to })).rejects.toBeInstanceOf(MailBounced);
  }
  for (const to of ['bouncer@example.com', 'ada@bounce.example'])
    await mailer.send({ ...mail, to });
  expect(written).toEqual([mail.id, mail.id]);
});

test('a temporary refusal of the server rejects', async () => {
  server.answers.recipient = '451 later';
  const refusal = await send().catch((error: unknown) => error);
  expect(refusal).not.toBeInstanceOf(MailBounced);
  expect((refusal as Error).message).toContain('451');
});

test.each([
  ['550 no such user', true],
  ['550 5.1.1 <ada@example.com>: no such user', true],
  ['552 5.2.2 mailbox full for good', true],
  ['553-5.1.3 first line\r\n553 5.1.3 second line', true],
  ['554 5.7.1 relay access denied', false],
  ['550 5.4.1 no route', false],
  ['450 4.2.1 try again', false],
])('the answer "%s" to the recipient is a bounce: %s', async (answer, bounced) => {
  server.answers.recipient = answer;
  const refusal = await send().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Error);
  expect(refusal instanceof MailBounced).toBe(bounced);
  if (bounced) expect((refusal as Error).message).toMatch(/^55\d[ -]/);
});

test('line breaks in an address or subject add neither a header nor a recipient', async () => {
  await send({
    to: 'ada@example.com\r\nBcc: all@example.com',
    subject: 'Receipt\r\nBcc: all@example.com',
  }).catch(() => undefined);
  expect(server.commands.filter((it) => /^bcc/i.test(it))).toEqual([]);
  expect(server.commands.filter((it) => it.includes('RCPT TO:<all@'))).toEqual([]);
});
