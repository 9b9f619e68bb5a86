import { join } from 'node:path';
import type { Clock } from '@svc/runtime';
import type { Config } from '../service-settings.ts';
import { createDecisionService, type DecisionService } from './decision-service.ts';
import { type MailFiles, openMailFiles } from './mail-files.ts';
import { createFileMailer, createSmtpMailer, type Mailer } from './mailer.ts';

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
