import { join } from 'node:path';
import type { Clock } from '@svc/runtime';
import type { IdentityProvider } from '../domain/operators/identity-provider.ts';
import type { TextSender, Texts } from '../domain/texts/text-sender.ts';
import type { Config } from '../service-settings.ts';
import { createDecisionService, type DecisionService } from './decision-service.ts';
import { createFileTexts } from './file-texts.ts';
import { type MailFiles, openMailFiles } from './mail-files.ts';
import { createFileMailer, createSmtpMailer, type Mailer } from './mailer.ts';
import { createOidcProvider } from './oidc-provider.ts';
import { createTwilio } from './twilio.ts';

interface Outside {
  readonly decisions: DecisionService | null;
  readonly mailer: Mailer | null;
  /** Present also when mails go to a server, because earlier mails may be in the folder. */
  readonly mailFiles: MailFiles;
}

/** Opens the external services that the settings name: the decision service and the mail server. */
export function openOutside(
  { environment, dataDir, underwriting, smtpUrl, mailFrom }: Config,
  clock: Clock,
): Outside {
  const mailFiles = openMailFiles(join(dataDir, 'mail'));
  const withoutServer = environment === 'sandbox' ? createFileMailer(mailFiles, mailFrom) : null;
  return {
    mailFiles,
    decisions: underwriting ? createDecisionService(clock, underwriting) : null,
    mailer: smtpUrl === undefined ? withoutServer : createSmtpMailer(smtpUrl, mailFrom),
  };
}

/** Opens the provider of text messages that the settings name; null if none is. */
export function openTexts(config: Config, clock: Clock): Texts | null {
  const sender = openSender(config, clock);
  return (
    sender && {
      sender,
      showsDetails: config.smsDetails,
      codesPerDay: config.smsCodesPerDay,
    }
  );
}

/** Opens the provider at which the people of the operator's console sign in; null if none is named. */
export function openIdentityProvider({ oidc }: Config, clock: Clock): IdentityProvider | null {
  return oidc ? createOidcProvider(clock, oidc) : null;
}

function openSender({ sms, dataDir, twilio }: Config, clock: Clock): TextSender | null {
  if (twilio) return createTwilio(clock, twilio);
  return sms === 'files' ? createFileTexts(openMailFiles(join(dataDir, 'mail'))) : null;
}
