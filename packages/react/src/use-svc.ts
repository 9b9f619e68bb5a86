'use client';
import type { ExperienceResult } from '@svc/core';
import { useState } from 'react';
import { openIn } from './mounted.ts';
import type { SvcWidgetHandle } from './svc-widget.ts';

export interface UseSvc {
  /** Give it to the SvcWidget that is meant. */
  ref: { current: SvcWidgetHandle | null };
  /** Opens the experience in that widget. Before it is mounted, the reason is `destroyed`. */
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
}

/** For pages with several widgets: one to speak to, the same two fields at every render. */
export function useSvc(): UseSvc {
  const [svc] = useState<UseSvc>(() => {
    const ref: UseSvc['ref'] = { current: null };
    return {
      ref,
      openExperienceAndSetToken: (options) =>
        ref.current?.openExperienceAndSetToken(options) ?? openIn({}, options),
    };
  });
  return svc;
}
