import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { openSmtpServer } from '../testing/open-smtp-server.ts';
import { runMailTest } from './run-mail-test.ts';

test('a test mail goes to the mail server of the settings, and a refusal says what to check', async () => {
  const server = await openSmtpServer();
  const config = readConfig({ SVC_SMTP_URL: server.url });
  const send = (...args: string[]) => runMailTest(args, config, systemClock);
  expect(await send('ops@bank.example')).toContain('took the mail');
  expect(server.commands).toContain('RCPT TO:<ops@bank.example>');
  server.answers.recipient = '550 5.7.1 relaying denied';
  await expect(send('ops@bank.example')).rejects.toThrow(/relaying denied.*Check SVC_SMTP_URL/);
  for (const args of [[], ['nobody'], ['a@b.example', 'c@d.example'], ['a@b\r\nx: y']]) {
    await expect(send(...args)).rejects.toThrow('needs one address');
  }
  await server.close();
});
