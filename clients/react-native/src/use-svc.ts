import type { ExperienceResult } from '@svc/core';
import { useState } from 'react';
import type { SvcWidgetHandle } from './svc-widget.tsx';

export interface UseSvc {
  /** Give it to the SvcWidget that is meant. */
  ref: { current: SvcWidgetHandle | null };
  /** Opens the experience of that widget. Before it is mounted, the reason is `destroyed`. */
  openExperience(options: { token: string }): Promise<ExperienceResult>;
}

/** For screens with several widgets: one to speak to, the same two fields at every render. */
export function useSvc(): UseSvc {
  const [svc] = useState<UseSvc>(() => {
    const ref: UseSvc['ref'] = { current: null };
    return {
      ref,
      openExperience: async (options) =>
        ref.current?.openExperience(options) ?? { reason: 'destroyed', last_step: null },
    };
  });
  return svc;
}
