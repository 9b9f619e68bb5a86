import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../api.ts';

type Prepared =
  | { state: 'busy' }
  | { state: 'ready'; tenantId: string }
  | { state: 'failed'; message: string };

export type Preparation = Prepared & {
  /** Increases with each preparation, so that the portal is loaded again. */
  generation: number;
  select(): void;
  startOver(): void;
  weekLater(): void;
};

/** Prepares the tenant in the sandbox, before the portal shows its page. */
export function usePreparation(tenantId: string): Preparation {
  const [prepared, setPrepared] = useState<Prepared>({ state: 'busy' });
  const [generation, setGeneration] = useState(0);
  const latestAttempt = useRef(0);

  const prepare = useCallback(
    (ask: () => Promise<unknown>) => {
      const attempt = ++latestAttempt.current;
      const settle = (next: Prepared) => {
        if (attempt !== latestAttempt.current) return;
        setPrepared(next);
        setGeneration(attempt);
      };
      setPrepared({ state: 'busy' });
      ask().then(
        () => settle({ state: 'ready', tenantId }),
        (error: Error) => settle({ state: 'failed', message: error.message }),
      );
    },
    [tenantId],
  );

  const select = useCallback(() => prepare(() => api.select(tenantId)), [tenantId, prepare]);
  useEffect(select, [select]);
  // The first render with another tenant comes before the effect.
  const isForOtherTenant = prepared.state === 'ready' && prepared.tenantId !== tenantId;
  return {
    ...(isForOtherTenant ? { state: 'busy' } : prepared),
    generation,
    select,
    startOver: () => prepare(() => api.startOver(tenantId)),
    weekLater: () => prepare(() => api.weekLater(tenantId)),
  };
}
