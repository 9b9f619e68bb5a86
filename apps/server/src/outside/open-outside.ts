import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createDecisionService, type DecisionService } from './decision-service.ts';
import { type MailFiles, openMailFiles } from './mail-files.ts';
import { createFileMailer, createSmtpMailer, type Mailer } from './mailer.ts';

interface Outside {
  readonly decisions: DecisionService | null;
  readonly mailer: Mailer | null;
  /** Also when mails go to a server now: earlier ones may be there. */
  readonly mailFiles: MailFiles;
}

/** What the settings name beyond the database and the partners' endpoints. */
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
