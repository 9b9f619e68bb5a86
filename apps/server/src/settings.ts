import { readFileSync } from 'node:fs';
import { closestNames, either } from '@svc/contract';
import type { z } from 'zod';

/** One setting of the service. The table of all settings is in config.ts. */
export interface Setting<C> {
  /** Parses the text. Its errors complete a sentence that starts with the setting's name. */
  readonly type: z.ZodType;
  /** Parsed like a text that was set. Without it, the value of a setting left out is undefined. */
  readonly default?: string | PerEnvironment;
  /** The default as the documentation shows it, if it is not a literal value, such as a file. */
  readonly defaultNote?: string;
  /** A secret can also be read from the file that `<name>_FILE` names. A `url` is shown without its credentials. */
  readonly secret?: 'text' | 'url';
  /** Checked when the settings are parsed. The result completes a sentence that starts with the name. */
  readonly rule?: Rule<C>;
  /** Checked in production only. */
  readonly inProduction?: Rule<C>;
  /** Markdown for the table in docs/operate/configuration.md. */
  readonly description: string;
}

export interface PerEnvironment {
  readonly sandbox: string;
  readonly production: string;
}

/** The values of other settings are undefined when they are invalid. */
type Rule<C> = (config: C, values: Readonly<Record<string, unknown>>) => string | false | undefined;

type Table<C> = Readonly<Record<string, Setting<C>>>;

/** The parsed value of each setting in a table. */
export type ValuesOf<T extends Record<string, { readonly type: z.ZodType }>> = {
  readonly [Name in keyof T]: T[Name] extends { readonly default: unknown }
    ? z.output<T[Name]['type']>
    : z.output<T[Name]['type']> | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadSetting {
  readonly name: string;
  /** Undefined when it was left out and has no default. */
  readonly text: string | undefined;
  /** Undefined when the text is invalid, too. */
  readonly value: unknown;
  /** `default`, `environment` or `file <path>`; empty when there is no value. */
  readonly source: string;
  /** Sentences about this setting. */
  readonly problems: string[];
}

/** Reads and parses every setting of the table. Rules are checked by `checkRules`. */
export function readSettings<C>(table: Table<C>, environment: Environment): ReadSetting[] {
  const kind = environment.SVC_ENVIRONMENT === 'production' ? 'production' : 'sandbox';
  return Object.entries(table).map(([name, setting]) => {
    const { text, source, problem } = findText(name, setting, { environment, kind });
    const problems = problem === undefined ? [] : [problem];
    if (text === undefined) return { name, text, value: undefined, source, problems };
    const parsed = setting.type.safeParse(text);
    if (parsed.success) return { name, text, value: parsed.data, source, problems };
    // Messages never contain the text, which may be a secret.
    problems.push(...parsed.error.issues.map(({ message }) => `${name} ${message}.`));
    return { name, text, value: undefined, source, problems };
  });
}

/** Adds the sentences of the rules that the configuration breaks to the settings that are valid so far. */
export function checkRules<C extends { readonly environment: string }>(
  table: Table<C>,
  settings: readonly ReadSetting[],
  config: C,
): void {
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  for (const { name, problems } of settings) {
    if (problems.length > 0) continue;
    const { rule, inProduction } = table[name] ?? {};
    const broken = [
      rule?.(config, values),
      config.environment === 'production' && inProduction?.(config, values),
    ];
    for (const words of broken) if (words) problems.push(`${name} ${words}`);
  }
}

/** A variable that is set, and is probably a misspelled setting. */
export interface UnknownSetting {
  readonly name: string;
  /** One sentence for the operator. */
  readonly message: string;
}

/** Systems whose settings do not start with SVC_. Other programs use these prefixes too. */
const sharedPrefix = /^(DATABASE|NATS|SVIX|STRIPE)_/;

/**
 * Variables that look like settings of the service but are not in the table. They are no reason to
 * refuse to start: after a rollback, the settings of the newer version are still there.
 */
export function unknownSettings<C>(table: Table<C>, environment: Environment): UnknownSetting[] {
  const known = Object.entries(table).flatMap(([name, { secret }]) =>
    secret ? [name, `${name}_FILE`] : [name],
  );
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || environment[name] === '') return [];
    const closest = closestNames(name, known);
    const isOurs = name.startsWith('SVC_');
    if (!isOurs && !(sharedPrefix.test(name) && closest.length > 0)) return [];
    const hint = closest.length === 0 ? '' : ` Did you mean ${either(closest)}?`;
    return [{ name, message: `${name} is set but is not a setting, so it is ignored.${hint}` }];
  });
}

/** The value as it may be shown: secrets are masked, URLs keep their host. */
export function shownText<C>({ secret }: Setting<C>, { text, problems }: ReadSetting): string {
  if (text === undefined) return '';
  if (secret === undefined) return text;
  if (secret === 'text' || problems.length > 0) return '********';
  // Not `new URL`, which refuses the list of hosts of a database cluster.
  const parts = /^([^:]+:\/\/)([^/?#]*@)?([^?#]*)(\?)?/.exec(text);
  if (!parts) return '********';
  const [, scheme = '', credentials, place = '', query] = parts;
  return `${scheme}${credentials === undefined ? '' : '********@'}${place}${query === undefined ? '' : '?********'}`;
}

/** The rows of the settings table in docs/operate/configuration.md. */
export function settingsTable<C>(table: Table<C>): string {
  const rows = Object.entries(table).map(([name, setting]) => {
    const names = setting.secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    return `| ${names} | ${defaultWords(setting)} | ${setting.description} |\n`;
  });
  return `| Setting | Default | |\n|---|---|---|\n${rows.join('')}`;
}

function defaultWords<C>({ defaultNote, default: value }: Setting<C>): string {
  if (defaultNote !== undefined) return defaultNote;
  if (value === undefined || value === '') return '';
  if (typeof value === 'string') return `\`${value}\``;
  return `\`${value.production}\` in production, \`${value.sandbox}\` in the sandbox`;
}

interface Found {
  readonly text: string | undefined;
  readonly source: string;
  readonly problem?: string;
}

function findText<C>(
  name: string,
  setting: Setting<C>,
  { environment, kind }: { environment: Environment; kind: keyof PerEnvironment },
): Found {
  const { secret, default: byDefault } = setting;
  // An empty variable counts as left out, because platforms cannot always remove one.
  const text = environment[name] || undefined;
  const file = (secret && environment[`${name}_FILE`]) || undefined;
  if (text !== undefined && file !== undefined) {
    const problem = `${name} and ${name}_FILE are both set: remove one of them.`;
    return { text, source: 'environment', problem };
  }
  if (file !== undefined) return readSecret(name, file);
  if (text !== undefined) return { text, source: 'environment' };
  const fallback = typeof byDefault === 'object' ? byDefault[kind] : byDefault;
  return { text: fallback || undefined, source: fallback ? 'default' : '' };
}

function readSecret(name: string, file: string): Found {
  const source = `file ${file}`;
  try {
    // Editors and `echo` end a file with a line feed.
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return { text, source };
    return { text: undefined, source, problem: `${name}_FILE names ${file}, which is empty.` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = `${name}_FILE names ${file}, which cannot be read (${code}).`;
    return { text: undefined, source, problem };
  }
}
