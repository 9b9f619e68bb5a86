import { useEffect, useState } from 'react';
import type { Activity } from '../../../backend/answers.ts';

/** Returns all recent activity, oldest first, and whether the stream is connected. */
export function useActivity(): { items: readonly Activity[]; live: boolean } {
  const [items, setItems] = useState<readonly Activity[]>([]);
  const [live, setLive] = useState(false);
  useEffect(() => {
    const source = new EventSource('/api/stream');
    let run = '';
    source.addEventListener('run', ({ data }) => {
      if (run !== data) setItems([]);
      run = data;
      setLive(true);
    });
    source.addEventListener('message', ({ data }) => {
      const activity = JSON.parse(data) as Activity;
      setItems((earlier) => [...earlier, activity]);
    });
    source.addEventListener('error', () => setLive(false));
    return () => source.close();
  }, []);
  return { items, live };
}

/** Returns a tenant's activity since they last started over. */
export function activityOf(items: readonly Activity[], tenantId: string): Activity[] {
  const own = items.filter(({ tenant_id }) => tenant_id === null || tenant_id === tenantId);
  const reset = own.findLastIndex((item) => item.kind === 'call' && item.path.endsWith('/reset'));
  return own.slice(Math.max(reset, 0));
}
