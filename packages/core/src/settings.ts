import type { ProductVariant, SvcEventMap, SvcEventType, Theme } from '@svc/contract/frame';
import { builtInOrigin, type Environment } from './environment.ts';
import type { SvcLocale } from './locales/locale.ts';
import { type SettingIssue, SvcError } from './svc-error.ts';

/** `onEvent`'s arguments as a union: checking `eventType` narrows `data`. */
export type SvcEventArguments = {
  [T in SvcEventType]: [eventType: T, data: SvcEventMap[T]];
}[SvcEventType];

/**
 * `onEvent`: `(eventType, data) => …`, where checking `eventType` narrows `data`, or
 * `(eventType) => …` alone.
 */
export type SvcEventHandler = ((...event: SvcEventArguments) => void) | EventTypeHandler;

/** Two signatures that differ lend a callback no parameter types, so it gets them from the union. */
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
  /** A tenant token fetched before the click: the click then opens at once. */
  token?: string | null | undefined;
  /** The service, when it isn't the environment's own: `<origin>/v1` or the bare origin. */
  baseUrl?: string | undefined;
  /** Brings a fresh token when a session has ended, without asking the tenant to click again. */
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

export interface Appearance {
  /** `auto` (default) follows the page's own `color-scheme`, so a page without one stays light. */
  theme?: Theme | undefined;
  /** Each is also a CSS custom property that the page can set: `--svc-accent`, `--svc-radius`, … */
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

/**
 * What each setting looks like as text: strings in quotes, numbers bare, of all else the type, and
 * of a setting that isn't there: nothing.
 */
const rules: Record<string, RegExp> = {
  balance: /-?\d{1,15}/,
  pms: /"[a-z\d][a-z\d_-]{1,62}"/,
  externalId: /"(?!\.\.?"$)([^\\\x7f-\x9f]|\\["\\]){1,255}"/s,
  onEvent: /function/,
  environment: /"(sandbox|production)"/,
  signature: /"[0-9a-f]{64}"/s,
  onWidgetClickCallback: /function/,
  baseUrl: /"https?:\/\/([\w.-]+|\[[\da-f:]+\])(:[1-6]?\d{1,4})?(\/v1)?\/?"/,
  productVariant: /nothing|"(rent|hoa)"/,
  token: /nothing|".+"/s,
  fetchToken: /nothing|function/,
  identityCheck: /nothing|"(mount|open)"/,
  locale: /nothing|object|"[a-z\d-]{2,}"/i,
  appearance: /nothing|object/,
  nonce: /nothing|".+"/s,
};

/** Who the widget speaks of, as the frame wants it; another tenant, another frame. */
export function tenantOf({ pms, externalId, signature, productVariant }: SvcSettings) {
  return { pms, externalId, signature, productVariant: productVariant ?? 'rent' };
}

/**
 * Checks all settings at once.
 * @returns the service's origin
 * @throws SvcError `invalid_settings`, naming each wrong setting, what it got and what it wants.
 */
export function checkSettings(settings: SvcSettings): string {
  const given: Record<string, unknown> = { ...settings };
  given.baseUrl ??= builtInOrigin(given.environment);
  const issues: SettingIssue[] = [];
  let message = '';
  for (const name in { ...rules, ...given }) {
    const value = given[name];
    const kind = value == null ? 'nothing' : typeof value;
    const text = /string|number/.test(kind) ? JSON.stringify(value) : kind;
    const rule = rules[name] ?? /no such setting/;
    if (text.replace(rule, '')) {
      // Of what may be someone's secret only the type is told.
      const got = rule.dotAll ? kind : text;
      const wants = rule.source;
      issues.push({ name, got, wants });
      message += `; ${name}: got ${got}, wants ${wants}`;
    }
  }
  if (issues.length) throw new SvcError('invalid_settings', message, issues);
  return new URL(given.baseUrl as string).origin;
}
