import type { Step, SvcEventMap, SvcProblem, ToFrame, WidgetSession } from '@svc/contract/frame';
import type { BackGuard } from './experience/back-guard.ts';
import type { FrameChannel } from './experience/frame-channel.ts';
import type { SvcSettings } from './settings.ts';

/** How the experience was closed, and where the tenant was. */
export type ExperienceResult = SvcEventMap['EXPERIENCE_CLOSED'];

export type Timer = ReturnType<typeof setTimeout>;

/** Everything that one call of `Svc(…)` holds. Instances share nothing. */
export interface Instance {
  settings: SvcSettings;
  /** The service's origin, from `baseUrl` or the environment. */
  serviceOrigin: string;
  /**
   * Set in the WebView of an app, which shows the experience in another WebView: takes the token instead
   * of the dialog, and nothing is loaded before.
   */
  openInApp: ((token: string) => void) | undefined;
  /** Added by `on()`. Each gets every event. */
  listeners: Set<(type: string, data: never) => void>;
  destroyed: boolean;
  /** The ERROR events so far, for `diagnose()`. */
  problems: SvcProblem[];
  /** Directives of the page's policy that have blocked something of the service, as the page needs them. */
  blockedBy: Map<string, string>;
  /** Stops listening for violations of the page's policy. */
  stopWatching(): void;

  /** Set by the first `createWidget()`. */
  widget: Widget | undefined;
  /** The last response of the service about the tenant; undefined before the first one. */
  session: WidgetSession | undefined;
  /** The service refused this page or this signature: there is nothing to open. */
  refused: boolean;
  /** The newest session request. Answers to earlier ones are ignored. */
  sessionRequest: object | undefined;

  /** The page is getting a token. The timer ends the wait, and identifies this request. */
  tokenRequest: Timer | undefined;
  /** The widget shows that it is waiting for the page, and ignores clicks. */
  busy: boolean;
  /** The last click opened nothing. */
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
  /** The frame has a step to go back to. */
  canGoBack: boolean;
  /** A token was requested since the last step. If the frame needs another, it refused this one. */
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

/** One time that the dialog is open. */
export interface Opening {
  result: Promise<ExperienceResult>;
  resolve(result: ExperienceResult): void;
  unlockScroll(): void;
  unfollowKeyboard(): void;
  unwatchPage(): void;
  backGuard: BackGuard;
}
