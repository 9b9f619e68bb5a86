'use client';
import { type ExperienceResult, SvcError, type SvcInstance, type SvcSettings } from '@svc/core';

/** What one component holds between its renders. It is its box's ref, too. */
export interface Mounted {
  current: HTMLDivElement | null;
  /** None while the settings are wrong. */
  svc?: SvcInstance | undefined;
  /** The last message about wrong settings, so that each is told once. */
  told?: string;
  /** The last settings. */
  given?: SvcSettings;
}

export const mounted = new Set<Mounted>();

/**
 * Opens the experience with a tenant token: in the widget whose click callback runs, else in the
 * only one on the page. Resolves when it is closed.
 * @throws SvcError `ambiguous_instance` when that is none or several: use the widget's ref then.
 */
export function openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult> {
  const all = [...mounted];
  const clicked = all.filter(({ svc }) => svc?.busy);
  const [target, another] = clicked[0] ? clicked : all;
  if (!target || another) throw new SvcError('ambiguous_instance', ': use a ref');
  return openIn(target, options);
}

export async function openIn(
  { svc }: Pick<Mounted, 'svc'>,
  { token }: { token: string },
): Promise<ExperienceResult> {
  return svc?.openExperienceAndSetToken(token) ?? { reason: 'destroyed', last_step: null };
}
