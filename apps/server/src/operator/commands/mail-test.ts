import { argument, defineCommand } from '../command.ts';
import { readAddress } from '../read-values.ts';
import { sendTestMail } from '../send-test-mail.ts';

export const mailTest = defineCommand({
  name: 'mail test',
  summary: 'send a test mail to an address',
  input: { address: argument('<address>', readAddress) },
  effect: 'report',
  scope: 'settings',
  run: ({ readConfig, clock }, { address }) => sendTestMail(address, readConfig(), clock),
  describe: ({ message }) => `${message}\n`,
});
