'use client';
import type { ExperienceResult } from '@svc/core';
import { useState } from 'react';
import { openIn } from './mounted.ts';
import type { SvcWidgetHandle } from './svc-widget.ts';

export interface UseSvc {
  /** Pass it to the SvcWidget that you mean. */
  ref: { current: SvcWidgetHandle | null };
  /** Opens the experience in that widget. Before it is mounted, the reason is `destroyed`. */
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
}

/** Returns a ref for one of a page's several widgets, and a function that opens it. Both are stable. */
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
