'use client';
import type { ExperienceResult } from '@svc/core';
import { type RefObject, useRef, useState } from 'react';
import type { SvcWidgetHandle } from './svc-widget.tsx';

export interface UseSvc {
  /** Give it to the SvcWidget that is meant. */
  ref: RefObject<SvcWidgetHandle | null>;
  /** Opens the experience in that widget. Before it is mounted, the reason is `destroyed`. */
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
}

/** For pages with several widgets: one to speak to, the same object at every render. */
export function useSvc(): UseSvc {
  const ref = useRef<SvcWidgetHandle>(null);
  const [svc] = useState<UseSvc>(() => ({
    ref,
    openExperienceAndSetToken: async (options) =>
      ref.current?.openExperienceAndSetToken(options) ?? { reason: 'destroyed', last_step: null },
  }));
  return svc;
}
