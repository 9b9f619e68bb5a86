import type { ProductVariant, SvcEventMap, SvcEventType, Theme } from '@svc/contract/frame';
import { builtInOrigin, type Environment } from './environment.ts';
import type { SvcLocale } from './locales/locale.ts';
import { invalidSettings, type SettingIssue } from './svc-error.ts';

/** `onEvent`'s arguments as a union: checking `eventType` narrows `data`. */
export type SvcEventArguments = {
  [T in SvcEventType]: [eventType: T, data: SvcEventMap[T]];
}[SvcEventType];

/**
 * `onEvent`: `(eventType, data) => …`, where checking `eventType` narrows `data`, or
 * `(eventType) => …` alone.
 */
export type SvcEventHandler = ((...event: SvcEventArguments) => void) | EventTypeHandler;

/**
 * Two overloads on purpose: TypeScript then takes a callback's parameter types from the tuple union
 * of SvcEventHandler, in which checking `eventType` narrows `data`.
 */
interface EventTypeHandler {
  (eventType: SvcEventType): void;
  <_>(eventType: SvcEventType): void;
}

/** The settings of `Svc(…)`; the React component takes the same ones as props. */
export interface SvcSettings {
  /** Tenant's current balance in integer cents: 1,520.12 is 152012. Zero or less: nothing due. */
  balance: number;
  /** Portal name, issued together with the API key; constant per partner. */
  pms: string;
  /** The tenant's id in the partner's system. Never a lease id. */
  externalId: string;
  /** Called with each event of the SDK. Ignore types that you don't know. */
  onEvent: SvcEventHandler;
  environment: Environment;
  /** From your backend: hex HMAC-SHA256 over `pms + "+" + externalId`, keyed by the API key. */
  signature: string;
  /**
   * Called on click. It asks the partner's backend for a tenant token and hands it to
   * `openExperienceAndSetToken` (or returns it, or a promise of it), within 30 seconds.
   */
  onWidgetClickCallback: () => unknown;
  /** `hoa` for homeowners' associations; `rent` when omitted. */
  productVariant?: ProductVariant | undefined;
  /** A tenant token fetched before the click, so that the click opens the experience at once. */
  token?: string | null | undefined;
  /** The service's URL, if it isn't the environment's own: `<origin>/v1` or the bare origin. */
  baseUrl?: string | undefined;
  /** Returns a fresh token when a session has ended, without asking the tenant to click again. */
  fetchToken?: (() => string | Promise<string>) | undefined;
  /**
   * When the signature is checked: by one request after first paint (`mount`, default), or by the
   * experience when it opens (`open`, which requests nothing before).
   */
  identityCheck?: 'mount' | 'open' | undefined;
  /**
   * BCP 47, such as `es-MX`: the experience's language. For the widget too, take a locale such as
   * `es` of `@svc/core/locales/es`, or one of your own.
   */
  locale?: string | SvcLocale | undefined;
  appearance?: Appearance | undefined;
  /** Accepted for pages that hand a CSP nonce to everything; nothing here needs one. */
  nonce?: string | undefined;
}

/** The appearance of the widget and of the experience, where it overrides the appearance that you stored. */
export interface Appearance {
  /** `auto` (default) follows the page's own `color-scheme`, so a page without one stays light. */
  theme?: Theme | undefined;
  /**
   * Each is also a CSS custom property that the page can set: `--svc-accent`, `--svc-radius`, …
   * The experience takes `accent`, `radius` (0 to 24 px) and the known system fonts of `font`.
   */
  variables?: Partial<Record<AppearanceVariable, string | undefined>> | undefined;
}

export type AppearanceVariable =
  | 'accent'
  | 'on-accent'
  | 'surface'
  | 'ink'
  | 'quiet'
  | 'line'
  | 'radius'
  | 'font';

/** The attribute of `<svc-widget>` for each setting that can be text. */
export const settingAttributes = {
  balance: 'balance',
  pms: 'pms',
  externalId: 'external-id',
  signature: 'signature',
  environment: 'environment',
  productVariant: 'product-variant',
  baseUrl: 'base-url',
  identityCheck: 'identity-check',
  locale: 'locale',
  token: 'token',
} as const satisfies Partial<Record<keyof SvcSettings, string>>;

/** How one setting is checked. Its texts make a sentence: "<value> <problem>. Pass <wants>." */
export interface Rule {
  isRequired?: true;
  /** True if the value may be a secret or personal. Messages then say its type only. */
  isSecret?: true;
  /** Returns what is wrong with a value that is neither null nor undefined; undefined for a valid one. */
  problem(value: unknown): string | undefined;
  /** The kind of value to pass, for messages. */
  wants: string;
}

export type Rules = Readonly<Record<string, Rule>>;

export const settingRules: Readonly<Record<keyof SvcSettings, Rule>> = {
  balance: {
    isRequired: true,
    problem(value) {
      if (typeof value !== 'number') return 'is not a number';
      if (!Number.isInteger(value)) return 'is not an integer';
      return Math.abs(value) < 1e15 ? undefined : 'is out of range';
    },
    wants: 'cents, such as 152012',
  },
  pms: {
    isRequired: true,
    problem: (value) =>
      notText(value) ??
      (/^[a-z\d][a-z\d_-]{1,62}$/.test(value as string) ? undefined : 'is not a portal name'),
    wants: 'the name that you got with the API key, such as "my-portal"',
  },
  externalId: {
    isRequired: true,
    isSecret: true,
    problem: (value) => notText(value) ?? externalIdProblem(value as string),
    wants: "the tenant's id in your system, 1 to 255 characters",
  },
  onEvent: { isRequired: true, problem: notFunction, wants: 'a function (eventType, data) => …' },
  environment: {
    isRequired: true,
    problem: (value) => notOneOf(['sandbox', 'production'], value),
    wants: 'Environment.Sandbox or Environment.Production',
  },
  signature: {
    isRequired: true,
    isSecret: true,
    problem: (value) =>
      notText(value) ??
      (/^[0-9a-f]{64}$/.test(value as string)
        ? undefined
        : 'is not made of 64 lowercase hexadecimal digits'),
    wants: 'what signWidget() returned on your backend',
  },
  onWidgetClickCallback: {
    isRequired: true,
    problem: notFunction,
    wants: 'a function that fetches a token and opens the experience with it',
  },
  productVariant: {
    problem: (value) => notOneOf(['rent', 'hoa'] satisfies ProductVariant[], value),
    wants: '"rent" or "hoa"',
  },
  token: {
    isSecret: true,
    problem: (value) => notText(value) ?? (value ? undefined : 'is empty'),
    wants: 'a token from portal_info, or leave it out',
  },
  baseUrl: {
    // Falls back to the environment's origin, if the build has one.
    isRequired: true,
    problem: (value) => notText(value) ?? baseUrlProblem(value as string),
    wants: 'the URL of the service, such as https://svc.example.com/v1',
  },
  fetchToken: { problem: notFunction, wants: 'a function that returns a fresh token' },
  identityCheck: {
    problem: (value) => notOneOf(['mount', 'open'], value),
    wants: '"mount" or "open"',
  },
  locale: {
    problem(value) {
      if (typeof value === 'object') return undefined;
      return (
        notText(value) ??
        (/^[a-z\d-]{2,}$/i.test(value as string) ? undefined : 'is not a language tag')
      );
    },
    wants: 'a tag such as "es-MX", or a locale such as es of @svc/core/locales/es',
  },
  appearance: {
    problem: (value) => (typeof value === 'object' ? undefined : 'is not an object'),
    wants: 'an object such as { theme: "dark" }',
  },
  nonce: {
    isSecret: true,
    problem: (value) => notText(value) ?? (value ? undefined : 'is empty'),
    wants: 'a nonce, or leave it out',
  },
};

/** Returns what to check first if the service does not answer and the page passes no URL for it, or ''. */
export function baseUrlAdvice({ settings }: { readonly settings: SvcSettings }): string {
  if (settings.baseUrl !== undefined) return '';
  return ' The page passes no baseUrl, so this is the default address: pass the address of your service.';
}

/** Returns the settings that identify the widget's tenant, with defaults filled in. */
export function tenantIdentity({ pms, externalId, signature, productVariant }: SvcSettings) {
  return { pms, externalId, signature, productVariant: productVariant ?? 'rent' };
}

/**
 * Checks all settings at once.
 * @param rules the rules of the settings; the widget's when omitted
 * @returns the service's origin
 * @throws SvcError `invalid_settings`, whose `issues` name each wrong setting
 */
export function checkSettings(settings: object, rules: Rules = settingRules): string {
  const given: Record<string, unknown> = { ...settings };
  given.baseUrl ??= builtInOrigin(given.environment);
  const names = new Set([...Object.keys(rules), ...Object.keys(given)]);
  const issues = [...names].flatMap((name) => checkSetting(rules, name, given[name]) ?? []);
  if (issues.length > 0) throw invalidSettings(issues);
  return new URL(given.baseUrl as string).origin;
}

function checkSetting(rules: Rules, name: string, value: unknown): SettingIssue | undefined {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (!rule) return unknownSetting(rules, name, value);
  const { wants } = rule;
  const got = rule.isSecret ? typeOf(value) : describe(value);
  if (value === undefined || value === null) {
    if (!rule.isRequired) return undefined;
    return { name, got, wants, message: `${name}: missing. Pass ${wants}.` };
  }
  const problem = rule.problem(value);
  if (!problem) return undefined;
  if (isPromise(value)) {
    const message = `${name}: a promise is not a value. Await it, then pass ${wants}.`;
    return { name, got, wants, message };
  }
  const subject = got === typeOf(value) ? `the ${got}` : got;
  return { name, got, wants, message: `${name}: ${subject} ${problem}. Pass ${wants}.` };
}

function unknownSetting(rules: Rules, name: string, value: unknown): SettingIssue {
  const plain = (text: string) => text.replace(/[-_]/g, '').toLowerCase();
  const meant = Object.keys(rules).find((known) => plain(known) === plain(name));
  const hint = meant ? `Did you mean ${meant}?` : 'Remove it.';
  return {
    name,
    // The value of a misspelled setting could be a secret.
    got: typeOf(value),
    wants: meant ?? 'no such setting',
    message: `${name}: there is no such setting. ${hint}`,
  };
}

/** Returns a value as a developer would write it, or its type if it has no short form. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? String(value) : typeOf(value);
}

function typeOf(value: unknown): string {
  return value === null || value === undefined ? 'nothing' : typeof value;
}

function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown })?.then === 'function';
}

export function notText(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'is not a string';
}

export function notFunction(value: unknown): string | undefined {
  return typeof value === 'function' ? undefined : 'is not a function';
}

export function notOneOf(allowed: readonly unknown[], value: unknown): string | undefined {
  return allowed.includes(value) ? undefined : 'is not one of the allowed values';
}

function externalIdProblem(id: string): string | undefined {
  if (id === '') return 'is empty';
  if (id.length > 255) return 'is longer than 255 characters';
  // A URL's path cannot hold these two: browsers and servers resolve them away.
  if (id === '.' || id === '..') return 'is a relative path';
  return /[\p{Cc}\p{Cs}]/u.test(id)
    ? 'contains control characters or unpaired surrogates'
    : undefined;
}

function baseUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'is not an http or https URL';
  if (username || password) return 'contains a user name or password';
  if (search || hash || !['/', '/v1', '/v1/'].includes(pathname)) {
    return 'has a path other than /v1';
  }
  return undefined;
}
