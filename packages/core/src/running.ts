import type { Step, SvcEventMap } from '@svc/contract/frame';
import type { Channel } from './experience/channel.ts';
import type { Shell } from './experience/shell.ts';
import type { CheckedSettings, SvcSettings } from './settings.ts';
import type { Widget } from './widget/widget.ts';

/** How the experience was closed, and where the tenant was. */
export type ExperienceResult = SvcEventMap['EXPERIENCE_CLOSED'];

/** What the service says of this tenant to the widget: no amounts, no names. */
export interface TenantStatus {
  state: 'new' | 'can_split' | 'has_plan' | 'nothing_due' | 'unavailable';
  next_payment_on?: string | null;
}

/** What the open dialog shows: the shape of what comes, the frame, or what went wrong. */
export type Phase = typeof loading | typeof shown | typeof failed;
export const loading = 0;
export const shown = 1;
export const failed = 2;

/** All that one instance holds. Nothing is shared between instances. */
export interface Running {
  given: SvcSettings;
  settings: CheckedSettings;
  listeners: ((type: string, data: never) => void)[];
  destroyed?: boolean;

  widget?: Widget;
  small?: boolean;
  observer?: ResizeObserver;
  tenant?: TenantStatus | undefined;
  /** The last request that asks whether the signature is right; an earlier answer is worthless. */
  request?: object | undefined;

  /** The page's callback runs. `run` counts, so that a late answer of an earlier one is known. */
  active?: boolean;
  run: number;
  missed?: boolean;
  patience?: Timer;

  shell?: Shell | undefined;
  channel?: Channel | undefined;
  /** The last token handed to the frame; null when it needs one. */
  held: string | null;
  /** The experience's step, when it has told one. */
  place: Step | null;
  phase: Phase;
  /** A token was asked for since the last step: needing another one is a refusal. */
  renewing?: boolean;
  /** While the dialog is open. */
  result?: Promise<ExperienceResult> | undefined;
  settle?: (result: ExperienceResult) => void;
  unlock?: () => void;
  timer?: Timer;
}

export type Timer = ReturnType<typeof setTimeout>;
