import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import { openOutside } from '../outside/open-outside.ts';
import { UsageError } from './usage-error.ts';

/**
 * `svc mail test <address>`: sends a mail with the settings of the service, and returns what happened,
 * for the terminal.
 * @throws UsageError for no address, and ConfigError if no mail can be sent
 */
export async function runMailTest(
  [address, ...rest]: readonly string[],
  config: Config,
  clock: Clock,
): Promise<string> {
  if (address === undefined || rest.length > 0 || !/^[^\s@<>"]+@[^\s@<>"]+$/.test(address)) {
    throw new UsageError('"mail test" needs one address, such as mail test ops@bank.example.');
  }
  const { mailer } = openOutside(config, clock);
  if (mailer === null) {
    throw new ConfigError('SVC_SMTP_URL is not set, so no mail can be sent.');
  }
  const id = `test-${clock.now().getTime()}`;
  const text = `This is a test of "svc mail test". Mails to tenants leave the same way.\n`;
  try {
    await mailer.send({
      id,
      from: config.creditor.name,
      to: address,
      subject: 'Test mail',
      text,
      html: `<p>${text}</p>`,
      date: clock.now(),
    });
  } catch (error) {
    const host = config.smtpUrl === undefined ? '' : new URL(config.smtpUrl).host;
    throw new ConfigError(
      `${host} did not take the mail: ${(error as Error).message}. Check SVC_SMTP_URL and SVC_MAIL_FROM.`,
    );
  } finally {
    mailer.close();
  }
  return config.smtpUrl === undefined
    ? `The mail is in ${join(config.dataDir, 'mail', `${id}.eml`)}.\n`
    : `${new URL(config.smtpUrl).host} took the mail. Look whether it arrives, and not as spam.\n`;
}
