import type { ProcessorDefinition } from './processors/define-processor.ts';
import { processors } from './processors/index.ts';
import { processorSetting } from './processors/processor-setting.ts';
import { type Config, ConfigError, serviceSettings } from './service-settings.ts';
import {
  type Environment,
  type ReadSetting,
  readSettings,
  shownText,
  type UnknownSetting,
  unknownSettings,
} from './settings.ts';

/**
 * Every setting, in the order of docs/operate/configuration.md, which `npm run settings` writes. Those of a
 * processor are one section with its name.
 */
export function allSettings(known: readonly ProcessorDefinition[] = processors) {
  const ofProcessors = known.flatMap(({ name, settings }) => (settings ? [[name, settings]] : []));
  return {
    ...serviceSettings,
    processor: processorSetting(known),
    // Untyped: the folder of each processor declares the type of its settings, which `Config.processorSettings` does
    // not know.
    ...(Object.fromEntries(ofProcessors) as object),
  };
}

/**
 * Reads the settings from the environment. Nothing else reads the environment.
 * @throws ConfigError with every invalid setting and every broken production rule
 */
export function readConfig(
  environment: Environment = process.env,
  known: readonly ProcessorDefinition[] = processors,
): Config {
  return readChecked(environment, { known, isNeeded: () => true });
}

/**
 * Reads the settings for a command that needs the database and nothing else. In an emergency it works
 * on a machine that has none of the service's other settings, or wrong ones.
 * @throws ConfigError when the database cannot be found with them
 */
export function readDatabaseConfig(environment: Environment = process.env): Config {
  const isNeeded = ({ setting }: ReadSetting) => setting.leadsToDatabase === true;
  return readChecked(environment, { known: processors, isNeeded });
}

interface ReadOptions {
  readonly known: readonly ProcessorDefinition[];
  readonly isNeeded: (read: ReadSetting) => boolean;
}

function readChecked(environment: Environment, { known, isNeeded }: ReadOptions): Config {
  const { config, read } = readSettings(allSettings(known), environment);
  const problems = read.filter(isNeeded).flatMap((it) => it.problems);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const { databaseUrl: url, directUrl, dataDir, processor } = config;
  const sections: Readonly<Record<string, unknown>> = config;
  return {
    ...config,
    database: url === undefined ? { dataDir } : { url, directUrl },
    processorSettings: processor === undefined ? undefined : sections[processor],
  };
}

/** Returns the variables that are set and look like misspelled settings. */
export function readUnknownSettings(environment: Environment = process.env): UnknownSetting[] {
  return unknownSettings(allSettings(), environment);
}

/**
 * Returns the folder in which a person runs a command. npm runs a script in the folder of its package, and passes
 * the person's folder as INIT_CWD. A program that a script starts inherits INIT_CWD but has its own folder, so the
 * script's name must match.
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
  /** Variables that are set but are not settings of the service. They are probably misspelled. */
  readonly unknown: readonly UnknownSetting[];
  readonly problems: readonly string[];
}

/** Reads the settings to show them. Does not throw when they are invalid. */
export function showConfig(environment: Environment = process.env): ShownConfig {
  const { read } = readSettings(allSettings(), environment);
  return {
    settings: read.map((it) => ({
      name: it.setting.name,
      value: shownText(it),
      source: it.source,
    })),
    unknown: unknownSettings(allSettings(), environment),
    problems: read.flatMap(({ problems }) => problems),
  };
}
