import type { DatabaseTarget } from '@svc/db';
import { achSettings } from './ach/ach-settings.ts';
import { creditorSettings } from './creditor.ts';
import { databaseSettings } from './database-settings.ts';
import { debitAccountsSetting } from './debit-accounts.ts';
import { httpSettings } from './http/http-settings.ts';
import { metricsSettings } from './metrics/metrics-settings.ts';
import { decisionNeedsAccountSetting, underwritingSettings } from './outside/decision-settings.ts';
import { mailSettings } from './outside/mail-settings.ts';
import { stripeSettings } from './outside/stripe/stripe-settings.ts';
import { logLevelSetting, processSettings, secretKeySetting } from './process-settings.ts';
import { processorSetting } from './processor-settings.ts';
import { deliverySettings } from './relay/delivery-settings.ts';
import { natsSettings } from './relay/nats/nats-settings.ts';
import { svixSettings } from './relay/svix/svix-settings.ts';
import {
  type ConfigOf,
  type Environment,
  type ReadSetting,
  readSettings,
  shownText,
  type UnknownSetting,
  unknownSettings,
} from './settings.ts';
import { tracingSettings } from './tracing-settings.ts';

/**
 * Every setting of the service, in the order of docs/operate/configuration.md, which `npm run settings`
 * writes. Each is declared next to the code that it configures.
 */
export const settings = {
  ...processSettings,
  ...databaseSettings,
  secretKeys: secretKeySetting,
  ...httpSettings,
  creditor: creditorSettings,
  debitAccounts: debitAccountsSetting,
  ...deliverySettings,
  svix: svixSettings,
  nats: natsSettings,
  underwriting: underwritingSettings,
  decisionNeedsAccount: decisionNeedsAccountSetting,
  processor: processorSetting,
  stripe: stripeSettings,
  ach: achSettings,
  ...mailSettings,
  ...metricsSettings,
  tracing: tracingSettings,
  logLevel: logLevelSetting,
};

/** The settings of a process, by the names of `settings`. */
export interface Config extends ConfigOf<typeof settings> {
  readonly database: DatabaseTarget;
}

/** Invalid settings. The message has one line for each problem and is shown to the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings from the environment. Nothing else reads the environment.
 * @throws ConfigError with every invalid setting and every broken production rule
 */
export function readConfig(environment: Environment = process.env): Config {
  return readChecked(environment, () => true);
}

/**
 * Reads the settings for a command that needs the database and nothing else. In an emergency it works
 * on a machine that has none of the service's other settings, or wrong ones.
 * @throws ConfigError when the database cannot be found with them
 */
export function readDatabaseConfig(environment: Environment = process.env): Config {
  return readChecked(environment, ({ setting }) => setting.leadsToDatabase === true);
}

function readChecked(environment: Environment, isNeeded: (read: ReadSetting) => boolean): Config {
  const { config, read } = readSettings(settings, environment);
  const problems = read.filter(isNeeded).flatMap((it) => it.problems);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const { databaseUrl: url, directUrl, dataDir } = config;
  return { ...config, database: url === undefined ? { dataDir } : { url, directUrl } };
}

/** Variables that are set and look like misspelled settings. */
export function readUnknownSettings(environment: Environment = process.env): UnknownSetting[] {
  return unknownSettings(settings, environment);
}

/**
 * The folder of the person who runs a command. npm runs a script in the folder of its package, and passes
 * the person's as INIT_CWD. A program that a script starts has its own folder, so the name must match.
 */
export function callerFolder(environment: Environment = process.env): string {
  const { INIT_CWD: folder, npm_lifecycle_event: script } = environment;
  return (script === 'svc-admin' || script === 'svc') && folder ? folder : process.cwd();
}

/** One line of `svc-admin config`. */
interface ShownSetting {
  readonly name: string;
  /** Secrets are masked; empty when the setting has no value. */
  readonly value: string;
  /** `default`, `environment` or `file <path>`; empty without a value. */
  readonly source: string;
}

/** The settings in effect, with masked secrets, and what is wrong with them. */
export interface ShownConfig {
  readonly settings: readonly ShownSetting[];
  /** Set, but not settings of the service: probably misspelled. */
  readonly unknown: readonly UnknownSetting[];
  readonly problems: readonly string[];
}

/** Reads the settings to show them. Does not throw when they are invalid. */
export function showConfig(environment: Environment = process.env): ShownConfig {
  const { read } = readSettings(settings, environment);
  return {
    settings: read.map((it) => ({
      name: it.setting.name,
      value: shownText(it),
      source: it.source,
    })),
    unknown: unknownSettings(settings, environment),
    problems: read.flatMap(({ problems }) => problems),
  };
}
