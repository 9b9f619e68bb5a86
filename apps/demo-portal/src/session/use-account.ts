import { useCallback, useEffect, useRef, useState } from 'react';
import type { Selected } from '../../backend/answers.ts';
import { api } from '../api.ts';

export type Signed =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'ready'; selected: Selected };

export interface AccountSession {
  signed: Signed;
  /** Increases with each sign-in, so that the widget is recreated. */
  generation: number;
  signIn(): void;
  startOver(): void;
  weekLater(): void;
}

/** Signs the tenant in at the portal's backend and reloads the account whenever `booking` changes. */
export function useAccount(tenantId: string | null, booking: number): AccountSession {
  const [signed, setSigned] = useState<Signed>({ state: 'loading' });
  const [generation, setGeneration] = useState(0);
  const latest = useRef(0);

  const load = useCallback((ask: () => Promise<Selected>) => {
    const turn = ++latest.current;
    const settle = (next: Signed) => {
      if (turn !== latest.current) return;
      setSigned(next);
      setGeneration(turn);
    };
    setSigned({ state: 'loading' });
    ask().then(
      (selected) => settle({ state: 'ready', selected }),
      (error: Error) => settle({ state: 'failed', message: error.message }),
    );
  }, []);

  const signIn = useCallback(() => {
    if (tenantId !== null) load(() => api.select(tenantId));
  }, [tenantId, load]);
  const startOver = useCallback(() => {
    if (tenantId !== null) load(() => api.startOver(tenantId));
  }, [tenantId, load]);

  const weekLater = useCallback(() => {
    if (tenantId !== null) load(() => api.weekLater(tenantId));
  }, [tenantId, load]);

  useEffect(signIn, [signIn]);
  useEffect(() => {
    if (tenantId === null || booking === 0) return;
    const turn = latest.current;
    api.account(tenantId).then(
      (account) => {
        if (turn !== latest.current) return;
        setSigned((now) =>
          now.state === 'ready' ? { ...now, selected: { ...now.selected, account } } : now,
        );
      },
      // The next payment or reload retries. The stream's badge shows that it is disconnected.
      () => undefined,
    );
  }, [tenantId, booking]);

  return { signed, generation, signIn, startOver, weekLater };
}
