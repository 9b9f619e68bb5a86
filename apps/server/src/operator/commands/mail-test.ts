import { argument, defineCommand } from '../command.ts';
import { sendTestMail } from '../send-test-mail.ts';
import { UsageError } from '../usage-error.ts';

export const mailTest = defineCommand({
  name: 'mail test',
  summary: 'send a test mail to an address',
  input: { address: argument('<address>', readAddress) },
  effect: 'report',
  scope: 'settings',
  run: ({ readConfig, clock }, { address }) => sendTestMail(address, readConfig(), clock),
  describe: ({ message }) => `${message}\n`,
});

function readAddress(text: string): string {
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(text)) return text;
  throw new UsageError(`"${text}" is no address. Pass one such as ops@bank.example.`);
}
