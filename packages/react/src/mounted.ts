'use client';
import { type ExperienceResult, SvcError, type SvcInstance, type SvcSettings } from '@svc/core';

/** The state that an SvcWidget keeps between renders. It is also the ref of its element. */
export interface MountedWidget {
  current: HTMLDivElement | null;
  /** Undefined while the settings are wrong. */
  svc?: SvcInstance | undefined;
  /** The last message about wrong settings, so that each is reported once. */
  reported?: string;
  /** Removes the note about wrong settings. */
  removeNote?: () => void;
  /** The settings of the last render. */
  settings?: SvcSettings;
}

export const mountedWidgets = new Set<MountedWidget>();

/**
 * Opens the experience with a tenant token, in the widget whose click callback is running, or else
 * in the only one on the page. Resolves when the experience is closed.
 * @throws SvcError `not_mounted` without a widget, `ambiguous_instance` with several: use a ref
 */
export function openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult> {
  const all = [...mountedWidgets];
  const clicked = all.filter(({ svc }) => svc?.busy);
  const [target, another] = clicked[0] ? clicked : all;
  if (!target) {
    const message =
      'No SvcWidget is mounted, so there is none to open. Call it while the SvcWidget is on the page.';
    throw new SvcError('not_mounted', message);
  }
  if (another) {
    const message =
      'Several SvcWidgets are mounted. Open the one you mean through its ref or useSvc().';
    throw new SvcError('ambiguous_instance', message);
  }
  return openIn(target, options);
}

export async function openIn(
  { svc }: Pick<MountedWidget, 'svc'>,
  { token }: { token: string },
): Promise<ExperienceResult> {
  return svc?.openExperienceAndSetToken(token) ?? { reason: 'destroyed', last_step: null };
}
