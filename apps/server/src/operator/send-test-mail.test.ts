import { systemClock } from '@svc/runtime';
import { expect, test } from 'vitest';
import { openSmtpServer } from '../../test/support/open-smtp-server.ts';
import { readConfig } from '../config.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { sendTestMail } from './send-test-mail.ts';

test('a test mail goes to the mail server of the settings, and a refusal says what to check', async () => {
  const server = await openSmtpServer();
  const config = readConfig({ SVC_SMTP_URL: server.url });
  const send = (address: string) => sendTestMail(address, config, systemClock);
  expect((await send('ops@bank.example')).message).toContain('took the mail');
  expect(server.commands).toContain('RCPT TO:<ops@bank.example>');
  server.answers.recipient = '550 5.7.1 relaying denied';
  await expect(send('ops@bank.example')).rejects.toThrow(/relaying denied.*Check SVC_SMTP_URL/);
  await server.close();
});

test.each([
  [[], '"mail test" needs <address>: mail test <address>.'],
  [['ops'], '"ops" is no address. Pass one such as ops@bank.example.'],
  [['a@b.example', 'c@d.example'], '"mail test" does not take "c@d.example".'],
  [['a@b\r\nx: y'], 'is no address.'],
])('a test mail to %j is refused', (args, message) => {
  expect(() => parseCommandLine(['mail', 'test', ...args])).toThrow(message);
});
