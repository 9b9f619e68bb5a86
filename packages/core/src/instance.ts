import type { Step, SvcEventMap, SvcProblem, ToFrame, WidgetSession } from '@svc/contract/frame';
import type { BackGuard } from './experience/back-guard.ts';
import type { FrameChannel } from './experience/frame-channel.ts';
import type { SvcSettings } from './settings.ts';

/** How the experience was closed, and the last step that the tenant saw. */
export type ExperienceResult = SvcEventMap['EXPERIENCE_CLOSED'];

export type Timer = ReturnType<typeof setTimeout>;

/** The state of one `Svc(…)` call. Instances share nothing. */
export interface Instance {
  settings: SvcSettings;
  /** The service's origin, from `baseUrl` or the environment. */
  serviceOrigin: string;
  /**
   * Set in an app's WebView. Passes the token to the app, which shows the experience in another WebView. No
   * dialog is created, and nothing is loaded before the click.
   */
  openInApp: ((token: string) => void) | undefined;
  /** Added by `on()`. Each gets every event. */
  listeners: Set<(type: string, data: never) => void>;
  destroyed: boolean;
  /** The ERROR events so far, for `diagnose()`. */
  problems: SvcProblem[];
  /** Directives of the page's policy that have blocked the service, each with the text that the policy needs. */
  blockedBy: Map<string, string>;
  /** Stops listening for violations of the page's policy. */
  stopWatching(): void;

  /** Set by the first `createWidget()`. */
  widget: Widget | undefined;
  /** The last response of the service about the tenant; undefined before the first one. */
  session: WidgetSession | undefined;
  /** True if the service refused this page or this signature, so that there is nothing to open. */
  refused: boolean;
  /** The newest session request. Responses to earlier ones are ignored. */
  sessionRequest: object | undefined;

  /** Set while the page is getting a token. The timer ends the wait, and identifies this request. */
  tokenRequest: Timer | undefined;
  /** True while the widget shows that it is waiting for the page. It then ignores clicks. */
  busy: boolean;
  /** True if the last click opened nothing. */
  openFailed: boolean;

  /** The dialog with its frame, from the first hint of a click until it is released. */
  experience: Experience | undefined;
}

export interface Widget {
  element: HTMLElement;
  /** Updates every text and color in place, from the instance. */
  render(): void;
  stopWatchingSize(): void;
}

/** A dialog in the page with the service's frame inside. It survives closing, for a quick reopen. */
export interface Experience {
  /** The element in the page. Its shadow root holds the dialog. */
  host: HTMLElement;
  dialog: HTMLDialogElement;
  iframe: HTMLIFrameElement;
  /** In the dialog only while the phase is `failed`. */
  failureMessage: HTMLElement;
  channel: FrameChannel<ToFrame> | undefined;
  phase: Phase;
  /** The last token handed to the frame; null when the frame needs one. */
  token: string | null;
  /** The tenant's step, once the frame has reported one. */
  step: Step | null;
  /** True if the frame has a step to go back to. */
  canGoBack: boolean;
  /** True if a token was requested since the last step. If the frame then needs another, that one was refused. */
  renewing: boolean;
  /** Runs while the frame loads. */
  loadTimer: Timer | undefined;
  /** Set while the dialog is open. */
  opening: Opening | undefined;
  /** Reports the end of the last opening. Set while the history entry is being removed. */
  reportClosed: (() => void) | undefined;
}

/** The dialog's content: a placeholder, the frame, or an error message with a retry button. */
export type Phase = 'loading' | 'shown' | 'failed';

/** The state of the dialog from when it opens to when it closes. */
export interface Opening {
  result: Promise<ExperienceResult>;
  resolve(result: ExperienceResult): void;
  unlockScroll(): void;
  unfollowKeyboard(): void;
  unwatchPage(): void;
  backGuard: BackGuard;
}
