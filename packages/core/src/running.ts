import type { Step, SvcEventMap, WidgetSession } from '@svc/contract/frame';
import type { SvcSettings } from './settings.ts';

/** How the experience was closed, and where the tenant was. */
export type ExperienceResult = SvcEventMap['EXPERIENCE_CLOSED'];

/** What the open dialog shows: the shape of what comes, the frame, or what went wrong. */
export type Phase = typeof loading | typeof shown | typeof failed;
export const loading = 0;
export const shown = 1;
export const failed = 2;

/** Everything one instance holds. Instances share nothing. */
export interface Running {
  settings: SvcSettings;
  /** Of the service. */
  origin: string;
  listeners: Set<(type: string, data: never) => void>;
  destroyed?: boolean;

  /** The widget's element. */
  host?: HTMLElement;
  /** Brings the widget up to what is held here. */
  paint?: () => void;
  observer?: ResizeObserver;
  small?: boolean;
  /** What the service says of the tenant. */
  tenant?: WidgetSession | null | undefined;
  /** The last request that asks whether the signature is right; an earlier answer is worthless. */
  request?: object | undefined;

  /** The page's callback runs, and the tenant waits. */
  busy?: boolean;
  missed?: boolean;
  /** Ends when the callback may bring nothing any more; another one is another run. */
  patience?: Timer | undefined;

  /** The dialog and the element that holds it. The parts below are there as soon as it is. */
  dialog?: HTMLDialogElement | undefined;
  shell?: HTMLElement;
  /** What stands behind the frame, so that Tab comes back. */
  end: HTMLElement;
  frame: HTMLIFrameElement;
  /** What the dialog says when the frame did not come. */
  failure: HTMLElement;
  listener: (event: MessageEvent) => void;
  port?: MessagePort;
  phase: Phase;
  /** The last token handed to the frame; null when it needs one. */
  held: string | null;
  /** The experience's step, when it has told one. */
  place: Step | null;
  /** A token was asked for since the last step: needing another one is a refusal. */
  renewing?: boolean;
  /** While the dialog is open; the three below belong to it. */
  result?: Promise<ExperienceResult> | undefined;
  settle: (result: ExperienceResult) => void;
  unlock: () => void;
  timer?: Timer;
}

export type Timer = ReturnType<typeof setTimeout>;
