import { readFileSync } from 'node:fs';
import { closestNames, either } from '@svc/contract';
import type { z } from 'zod';

/** A setting of the service as it is declared, next to the code that it configures. */
interface Declaration<Type extends z.ZodType> {
  /** The environment variable. */
  readonly name: string;
  /** Parses the text. Its errors complete a sentence that starts with the setting's name. */
  readonly type: Type;
  /**
   * The default, which is parsed like a text that was set. Without a default, a setting that is left out is
   * undefined.
   */
  readonly default?: string | PerEnvironment;
  /** The default as the documentation shows it, if it is not a literal value, such as a file. */
  readonly defaultNote?: string;
  /** Has no default, and its section is undefined without it. Only in an optional section. */
  readonly required?: true;
  /** A secret can also be read from the file that `<name>_FILE` names. A `url` is shown without its credentials. */
  readonly secret?: 'text' | 'url';
  /** Set if commands that need the database and nothing else read it. */
  readonly leadsToDatabase?: true;
  /** Checked when the settings are parsed. The result completes a sentence that starts with the name. */
  rule?(value: z.output<Type> | undefined, others: OtherValues): Violation;
  /** Checked in production only. */
  inProduction?(value: z.output<Type> | undefined, others: OtherValues): Violation;
  /** Markdown for the table in docs/operate/configuration.md. */
  readonly description: string;
}

interface PerEnvironment {
  readonly sandbox: string;
  readonly production?: string;
}

/** The problem as the end of a sentence. Undefined or false if there is none. */
type Violation = string | false | undefined;

/**
 * The parsed values of all settings by the names of their variables, and undefined where one is left out
 * or invalid. Untyped, because the type of the whole configuration follows from its parts.
 */
export type OtherValues = Readonly<Record<string, unknown>>;

export interface Setting<Type extends z.ZodType = z.ZodType, IsAlwaysSet extends boolean = boolean>
  extends Declaration<Type> {
  readonly isAlwaysSet: IsAlwaysSet;
}

type AlwaysSet =
  | { readonly default: string | Required<PerEnvironment> }
  | { readonly required: true };

/** Declares a setting. */
export function setting<Type extends z.ZodType>(
  declaration: Declaration<Type> & AlwaysSet,
): Setting<Type, true>;
export function setting<Type extends z.ZodType>(
  declaration: Declaration<Type>,
): Setting<Type, false>;
export function setting(declaration: Declaration<z.ZodType>): Setting {
  return {
    ...declaration,
    isAlwaysSet: declaration.default !== undefined || declaration.required === true,
  };
}

export type Settings = Readonly<Record<string, Setting>>;

/** Settings that are one object of the configuration. */
export interface Section<S extends Settings, IsOptional extends boolean = boolean> {
  readonly settings: S;
  readonly isOptional: IsOptional;
  /** Returns whether the section is used. If so, its required settings must be set. */
  isUsed(values: OtherValues): boolean;
  /** The reason why a required setting must be set, as the end of a sentence. */
  readonly because: string;
}

/** Declares settings that are one object of the configuration, and all have defaults. */
export function section<S extends Readonly<Record<string, Setting<z.ZodType, true>>>>(
  settings: S,
): Section<S, false> {
  return { settings, isOptional: false, isUsed: () => true, because: '' };
}

/** Declares settings that are one object of the configuration when a condition holds, and undefined otherwise. */
export function optionalSection<S extends Settings>(
  { isUsed, because = '' }: Pick<Section<S>, 'isUsed'> & { readonly because?: string },
  settings: S,
): Section<S, true> {
  return { settings, isOptional: true, isUsed, because };
}

/** The settings and sections of a service, by the names of the configuration's fields. */
type SettingTree = Readonly<Record<string, Setting | Section<Settings>>>;

type ValueOf<S> =
  S extends Setting<infer Type, infer IsAlwaysSet>
    ? IsAlwaysSet extends true
      ? z.output<Type>
      : z.output<Type> | undefined
    : never;

/** The type of the object that a section has in the configuration. */
export type SectionValue<S extends Section<Settings>> = {
  readonly [Field in keyof S['settings']]: ValueOf<S['settings'][Field]>;
};

/** The configuration that is read with a tree. */
export type ConfigOf<Tree extends SettingTree> = {
  readonly [Field in keyof Tree]: Tree[Field] extends Section<Settings, infer IsOptional>
    ? SectionValue<Tree[Field]> | (IsOptional extends true ? undefined : never)
    : ValueOf<Tree[Field]>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadSetting {
  readonly setting: Setting;
  /** Undefined when it was left out and has no default. */
  readonly text: string | undefined;
  /** Undefined when the text is invalid, too. */
  readonly value: unknown;
  /** `default`, `environment` or `file <path>`; empty when there is no value. */
  readonly source: string;
  /** Sentences about this setting. */
  readonly problems: string[];
}

/** All settings of a tree, in the order of their documentation. */
export function settingsOf(tree: SettingTree): Setting[] {
  return Object.values(tree).flatMap((it) =>
    'settings' in it ? Object.values(it.settings) : [it],
  );
}

/**
 * Reads the configuration and checks every rule. Where a setting is invalid, its value is undefined, which
 * the type does not say: look at the problems first.
 */
export function readSettings<Tree extends SettingTree>(
  tree: Tree,
  environment: Environment,
): { config: ConfigOf<Tree>; read: ReadSetting[] } {
  const kind = environment.SVC_ENVIRONMENT === 'production' ? 'production' : 'sandbox';
  const read = settingsOf(tree).map((it) => readSetting(it, { environment, kind }));
  const values = Object.fromEntries(read.map(({ setting: { name }, value }) => [name, value]));
  for (const { setting: it, value, problems } of read) {
    if (problems.length > 0) continue;
    const violations = [
      it.rule?.(value, values),
      kind === 'production' && it.inProduction?.(value, values),
    ];
    for (const violation of violations) if (violation) problems.push(`${it.name} ${violation}`);
  }
  const fieldsOf = (settings: Settings) =>
    mapValues(settings, ({ name }) => values[name] as unknown);
  const config = mapValues(tree, (it) => {
    if (!('settings' in it)) return values[it.name];
    const missing = it.isUsed(values) ? missingOf(it, read) : [];
    for (const {
      setting: { name },
      problems,
    } of missing) {
      if (problems.length === 0) problems.push(`${name} must be set, because ${it.because}`);
    }
    return it.isUsed(values) && missing.length === 0 ? fieldsOf(it.settings) : undefined;
  });
  return { config: config as ConfigOf<Tree>, read };
}

function missingOf({ settings }: Section<Settings>, read: readonly ReadSetting[]): ReadSetting[] {
  const required = Object.values(settings).filter((it) => it.required);
  return read.filter(({ setting: it, value }) => value === undefined && required.includes(it));
}

function mapValues<T, R>(
  fields: Readonly<Record<string, T>>,
  map: (value: T) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));
}

function readSetting(it: Setting, from: Source): ReadSetting {
  const { text, source, problem } = findText(it, from);
  const problems = problem === undefined ? [] : [problem];
  if (text === undefined) return { setting: it, text, value: undefined, source, problems };
  const parsed = it.type.safeParse(text);
  if (parsed.success) return { setting: it, text, value: parsed.data, source, problems };
  // Messages never contain the text, which may be a secret.
  problems.push(...parsed.error.issues.map(({ message }) => `${it.name} ${message}.`));
  return { setting: it, text, value: undefined, source, problems };
}

/** A variable that is set, and is probably a misspelled setting. */
export interface UnknownSetting {
  readonly name: string;
  /** One sentence for the operator. */
  readonly message: string;
}

/**
 * Returns the prefix of a setting of another system, such as `NATS`, because other programs use these variables,
 * too. Undefined for our own settings, and for those of OpenTelemetry, which itself reads variables that are not in
 * the tree.
 */
function sharedPrefix(name: string): string | undefined {
  const [prefix, rest] = name.split('_', 2);
  return rest === undefined || prefix === 'SVC' || prefix === 'OTEL' ? undefined : prefix;
}

/**
 * Returns the variables that look like settings of the service but are not in the tree. They are no reason to refuse
 * to start: after a rollback, the settings of the newer version are still there.
 */
export function unknownSettings(tree: SettingTree, environment: Environment): UnknownSetting[] {
  const known = settingsOf(tree).flatMap(({ name, secret }) =>
    secret ? [name, `${name}_FILE`] : [name],
  );
  const prefixes = new Set(known.map(sharedPrefix).filter((it) => it !== undefined));
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || environment[name] === '') return [];
    const closest = closestNames(name, known);
    const isOurs = name.startsWith('SVC_');
    const isShared = prefixes.has(sharedPrefix(name) ?? '');
    if (!isOurs && !(isShared && closest.length > 0)) return [];
    const hint = closest.length === 0 ? '' : ` Did you mean ${either(closest)}?`;
    return [{ name, message: `${name} is set but is not a setting, so it is ignored.${hint}` }];
  });
}

/** Returns the value as it may be shown: secrets are masked, URLs keep their host. */
export function shownText({ setting: { secret }, text, problems }: ReadSetting): string {
  if (text === undefined) return '';
  if (secret === undefined) return text;
  if (secret === 'text' || problems.length > 0) return '********';
  // Parsed without `new URL`, which refuses the list of hosts of a database cluster.
  const parts = /^([^:]+:\/\/)([^/?#]*@)?([^?#]*)(\?)?/.exec(text);
  if (!parts) return '********';
  const [, scheme = '', credentials, place = '', query] = parts;
  return `${scheme}${credentials === undefined ? '' : '********@'}${place}${query === undefined ? '' : '?********'}`;
}

/** Returns the settings table of docs/operate/configuration.md, as Markdown. */
export function settingsTable(tree: SettingTree): string {
  const rows = settingsOf(tree).map((it) => {
    const names = it.secret ? `\`${it.name}\`, \`${it.name}_FILE\`` : `\`${it.name}\``;
    return `| ${names} | ${defaultWords(it)} | ${it.description} |\n`;
  });
  return `| Setting | Default | |\n|---|---|---|\n${rows.join('')}`;
}

function defaultWords({ defaultNote, default: value }: Setting): string {
  if (defaultNote !== undefined) return defaultNote;
  if (value === undefined || value === '') return '';
  if (typeof value === 'string') return `\`${value}\``;
  return `\`${value.production}\` in production, \`${value.sandbox}\` in the sandbox`;
}

interface Source {
  readonly environment: Environment;
  readonly kind: keyof PerEnvironment;
}

interface Found {
  readonly text: string | undefined;
  readonly source: string;
  readonly problem?: string;
}

function findText(it: Setting, { environment, kind }: Source): Found {
  const { name, secret, default: byDefault } = it;
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
  return { text: fallback, source: fallback ? 'default' : '' };
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
