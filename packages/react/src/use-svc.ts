'use client';
import type { ExperienceResult } from '@svc/core';
import { useState } from 'react';
import { openIn } from './mounted.ts';
import type { SvcWidgetHandle } from './svc-widget.tsx';

export interface UseSvc {
  /** Give it to the SvcWidget that is meant. */
  ref(handle: SvcWidgetHandle | null): void;
  /** Opens the experience in that widget. Before it is mounted, the reason is `destroyed`. */
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
}

/** For pages with several widgets: one to speak to, the same two functions at every render. */
export function useSvc(): UseSvc {
  const [svc] = useState<UseSvc>(() => {
    let current: SvcWidgetHandle | null = null;
    return {
      ref(handle) {
        current = handle;
      },
      openExperienceAndSetToken: (options) =>
        current?.openExperienceAndSetToken(options) ?? openIn(undefined, ''),
    };
  });
  return svc;
}
