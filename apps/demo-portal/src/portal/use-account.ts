import { useEffect, useState } from 'react';
import type { Activity, Selected } from '../../backend/answers.ts';
import { api } from '../api.ts';

interface LoadedAccount {
  /** Null until it has loaded. */
  page: Selected | null;
  failure: string | null;
}

/** Loads the resident's account, and loads it again when a webhook has changed the ledger. */
export function useAccount(tenantId: string): LoadedAccount {
  const [loaded, setLoaded] = useState<LoadedAccount>({ page: null, failure: null });
  useEffect(() => {
    let unmounted = false;
    const load = () =>
      api.load(tenantId).then(
        (page) => {
          if (!unmounted) setLoaded({ page, failure: null });
        },
        (error: Error) => {
          if (!unmounted)
            setLoaded((now) => (now.page ? now : { page: null, failure: error.message }));
        },
      );
    void load();
    const stream = new EventSource('/api/stream');
    stream.addEventListener('message', ({ data }) => {
      if (changesLedger(JSON.parse(data), tenantId)) void load();
    });
    return () => {
      unmounted = true;
      stream.close();
    };
  }, [tenantId]);
  return loaded;
}

function changesLedger(activity: Activity, tenantId: string): boolean {
  return (
    activity.kind === 'webhook' &&
    activity.verified &&
    activity.tenant_id === tenantId &&
    (activity.type === 'settlement.created' || activity.type === 'plan.canceled')
  );
}
