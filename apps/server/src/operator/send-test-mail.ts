import { join } from 'node:path';
import type { Clock } from '@svc/runtime';
import { openOutside } from '../outside/open-outside.ts';
import { type Config, ConfigError } from '../service-settings.ts';

/**
 * Sends a mail with the settings of the service. Resolves with a sentence about where it went.
 * @throws ConfigError if no mail can be sent
 */
export async function sendTestMail(
  address: string,
  config: Config,
  clock: Clock,
): Promise<{ message: string }> {
  const { mailer } = openOutside(config, clock);
  if (mailer === null) {
    throw new ConfigError('SVC_SMTP_URL is not set, so no mail can be sent.');
  }
  const id = `test-${clock.now().getTime()}`;
  const text = `This is a test of "svc-admin mail test". Mails to tenants leave the same way.\n`;
  const host = config.smtpUrl === undefined ? undefined : new URL(config.smtpUrl).host;
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
    throw new ConfigError(
      `${host} did not take the mail: ${(error as Error).message}. Check SVC_SMTP_URL and SVC_MAIL_FROM.`,
    );
  } finally {
    mailer.close();
  }
  return {
    message:
      host === undefined
        ? `The mail is in ${join(config.dataDir, 'mail', `${id}.eml`)}.`
        : `${host} took the mail. Look whether it arrives, and not as spam.`,
  };
}
