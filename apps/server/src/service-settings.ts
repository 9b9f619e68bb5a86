import type { DatabaseTarget } from '@svc/db';
import { creditorSettings, privacyUrlSetting } from './creditor.ts';
import { databaseSettings } from './database-settings.ts';
import { debitAccountsSetting } from './debit-accounts.ts';
import { httpSettings } from './http/http-settings.ts';
import { retentionSettings } from './jobs/retention-settings.ts';
import { metricsSettings } from './metrics/metrics-settings.ts';
import { approvalsSetting } from './operator/approvals/approval-settings.ts';
import {
  decisionNeedsAccountSetting,
  holdFlaggedSetting,
  militaryLookupSetting,
  militaryPhoneSetting,
  underwritingSettings,
} from './outside/decision-settings.ts';
import { mailSettings } from './outside/mail-settings.ts';
import { oidcSettings } from './outside/oidc-settings.ts';
import { textSettings } from './outside/text-settings.ts';
import { logLevelSetting, processSettings, secretKeySetting } from './process-settings.ts';
import { deliverySettings } from './relay/delivery-settings.ts';
import { natsSettings } from './relay/nats/nats-settings.ts';
import { svixSettings } from './relay/svix/svix-settings.ts';
import type { ConfigOf } from './settings.ts';
import { tracingSettings } from './tracing-settings.ts';

/**
 * Every setting of the service except for those of processors, in the order of
 * docs/operate/configuration.md. Each is declared next to the code that it configures.
 */
export const serviceSettings = {
  ...processSettings,
  ...databaseSettings,
  secretKeys: secretKeySetting,
  ...httpSettings,
  oidc: oidcSettings,
  creditor: creditorSettings,
  privacyUrl: privacyUrlSetting,
  debitAccounts: debitAccountsSetting,
  ...deliverySettings,
  svix: svixSettings,
  nats: natsSettings,
  underwriting: underwritingSettings,
  decisionNeedsAccount: decisionNeedsAccountSetting,
  holdFlagged: holdFlaggedSetting,
  militaryLookupRequired: militaryLookupSetting,
  militaryPhone: militaryPhoneSetting,
  ...mailSettings,
  ...textSettings,
  ...metricsSettings,
  tracing: tracingSettings,
  logLevel: logLevelSetting,
  retention: retentionSettings,
  approvals: approvalsSetting,
};

/** The settings of a process, by the names of `serviceSettings`. */
export interface Config extends ConfigOf<typeof serviceSettings> {
  readonly database: DatabaseTarget;
  /** The name of a processor. */
  readonly processor: string | undefined;
  /** The settings of that processor, as its folder declares them (`processors/`); undefined if it has none. */
  readonly processorSettings: unknown;
}

/** Invalid settings. The message has one line for each problem and is shown to the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
