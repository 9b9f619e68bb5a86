'use client';
import { type ExperienceResult, SvcError, type SvcInstance } from '@svc/core';

/** What one component holds between its renders. */
export interface Mounted {
  /** None while the settings are wrong. */
  svc?: SvcInstance | undefined;
  /** Clicked, and nothing has opened yet. */
  pending?: boolean;
  /** The last message about wrong settings, so that each is told once. */
  told?: string | undefined;
}

export const mounted = new Set<Mounted>();

/**
 * Opens the experience with a tenant token: in the widget whose click callback runs, else in the
 * only one on the page. Resolves when it is closed.
 * @throws SvcError `ambiguous_instance` when that is none or several: use the widget's ref then.
 */
export function openExperienceAndSetToken({ token }: { token: string }): Promise<ExperienceResult> {
  const all = [...mounted];
  const pending = all.filter((widget) => widget.pending);
  const [target, another] = pending[0] ? pending : all;
  if (!target || another) throw new SvcError('ambiguous_instance', ': use the ref of a SvcWidget');
  return openIn(target, token);
}

export async function openIn({ svc }: Mounted, token: string): Promise<ExperienceResult> {
  return svc?.openExperienceAndSetToken(token) ?? { reason: 'destroyed', last_step: null };
}
