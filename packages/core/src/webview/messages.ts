// Messages between an app and the page that the service serves at `/sdk/webview` to the app's WebViews.
//
// The page sends JSON text with `window.ReactNativeWebView.postMessage`. The app injects a call of
// `window.svcReceive(message)`, and only into a page at the service's origin. The page says `hello` and
// gets `start`, whose secret is in all of its later messages: a frame of another site has no way to
// learn it. An app stays installed for years while the page is always the newest, so fields and types
// are only added. Both sides ignore types that they do not know.

import type { SvcEvent, SvcEventType } from '@svc/contract/frame';
import type { ExperienceResult } from '../instance.ts';
import type { SvcSettings } from '../settings.ts';

export const webviewPath = '/sdk/webview';

/** The settings as data: the functions stay in the app. */
export interface PassedSettings
  extends Omit<SvcSettings, 'onEvent' | 'onWidgetClickCallback' | 'fetchToken' | 'nonce'> {
  /** True if the app has a `fetchToken`. */
  fetchToken?: boolean;
}

export type CallbackName = 'onWidgetClickCallback' | 'fetchToken';

/** The outcome of the app's function. A function that returned nothing, not even a promise, has no result. */
export type CallbackResult =
  | { outcome: 'token'; token: string }
  /** The function returned a promise that resolved to nothing. */
  | { outcome: 'nothing' }
  | { outcome: 'null' | 'object' | 'threw' };

export type ToPage =
  | {
      type: 'start';
      secret: string;
      shows: 'widget' | 'experience';
      settings: PassedSettings;
      /** The token for the experience. */
      token: string | null;
    }
  | { type: 'settings'; settings: PassedSettings }
  | { type: 'result'; call: number; result: CallbackResult }
  /** To the widget: the app shows the experience. */
  | { type: 'opened' }
  /** To the widget: what the tenant did in the experience. */
  | { type: 'seen'; event: SvcEventType }
  /** To the widget: the experience was closed. */
  | { type: 'closed'; last_step: ExperienceResult['last_step'] }
  /** To the open experience: another token. */
  | { type: 'token'; token: string }
  /** To the open experience: the tenant pressed the phone's back button. */
  | { type: 'back' };

export type FromPage =
  | { type: 'event'; event: SvcEvent }
  | { type: 'call'; call: number; name: CallbackName }
  /** From the widget: there is a token to open the experience with. */
  | { type: 'open'; token: string }
  /** From the experience. */
  | { type: 'closed'; result: ExperienceResult }
  /** A line that the SDK has written to the page's console, in the sandbox. */
  | { type: 'log'; line: string };
