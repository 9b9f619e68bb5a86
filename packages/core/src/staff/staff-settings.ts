import type { PortalView } from '@svc/contract/frame';
import type { Environment } from '../environment.ts';
import {
  type Appearance,
  checkSettings,
  notFunction,
  notOneOf,
  notText,
  type Rules,
  settingRules,
} from '../settings.ts';

export type { PortalView };

/** The reason why a view is not shown. The person at the page sees a sentence without details and can try again. */
export interface StaffProblem {
  /**
   * `frame_timeout`: the frame did not load. `frame_blocked`: the page's policy forbids it.
   * `token_failed`: `getToken` threw or took too long. `token_invalid`: it returned something other than a
   * portal token. `token_refused`: the service refused a token that was just fetched. `token_mismatch`: the
   * token is for another view, tenant or portal. `invalid_settings`: wrong props in React, where they do
   * not tear down the page.
   */
  error_code:
    | 'frame_timeout'
    | 'frame_blocked'
    | 'token_failed'
    | 'token_invalid'
    | 'token_refused'
    | 'token_mismatch'
    | 'invalid_settings';
  /** For the page's developer. */
  msg: string;
  /** The value that `getToken` threw. */
  cause?: unknown;
}

/** The settings of `StaffView(…)`. */
export interface StaffViewSettings {
  /** `settlements`, `tenant_plan` or `webhooks`. */
  view: PortalView;
  /** Portal name, issued together with the API key; constant per partner. */
  pms: string;
  /** The tenant's id in your system, for the view `tenant_plan` only. */
  externalId?: string | undefined;
  environment: Environment;
  /** The service's URL, if it isn't the environment's own: `<origin>/v1` or the bare origin. */
  baseUrl?: string | undefined;
  /**
   * Asks your backend for a portal token of this view (`POST /v1/portal_tokens`), within 30 seconds. Called
   * when the view loads and shortly before each token expires.
   */
  getToken: (of: { view: PortalView; externalId: string | null }) => string | Promise<string>;
  appearance?: Appearance | undefined;
  /** Called with each problem, instead of an error in the browser's console. */
  onError?: ((problem: StaffProblem) => void) | undefined;
}

const views: readonly PortalView[] = ['settlements', 'tenant_plan', 'webhooks'];

/**
 * Checks all settings at once.
 * @returns the service's origin
 * @throws SvcError `invalid_settings`, whose `issues` name each wrong setting
 */
export function checkStaffSettings(settings: StaffViewSettings): string {
  const { pms, externalId, environment, baseUrl, appearance } = settingRules;
  const rules: Rules = {
    view: {
      isRequired: true,
      problem: (value) => notText(value) ?? notOneOf(views, value),
      wants: '"settlements", "tenant_plan" or "webhooks"',
    },
    pms,
    externalId:
      settings.view === 'tenant_plan'
        ? externalId
        : { problem: () => 'is for the view "tenant_plan"', isSecret: true, wants: 'nothing' },
    environment,
    baseUrl,
    getToken: {
      isRequired: true,
      problem: notFunction,
      wants: 'a function that asks your backend for a portal token',
    },
    appearance,
    onError: { problem: notFunction, wants: 'a function (problem) => …' },
  };
  return checkSettings(settings, rules);
}
