import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createDecisionService, type DecisionService } from './decision-service.ts';
import { createFileMailer, createSmtpMailer, type Mailer } from './mailer.ts';

/** What the settings name beyond the database and the partners' endpoints. */
export function openOutside(
  { environment, dataDir, underwriting, smtpUrl, mailFrom }: Config,
  clock: Clock,
): { decisions: DecisionService | null; mailer: Mailer | null } {
  const toFiles = () => createFileMailer(join(dataDir, 'mail'), mailFrom);
  const withoutServer = environment === 'sandbox' ? toFiles() : null;
  return {
    decisions: underwriting ? createDecisionService(clock, underwriting) : null,
    mailer: smtpUrl === undefined ? withoutServer : createSmtpMailer(smtpUrl, mailFrom),
  };
}
