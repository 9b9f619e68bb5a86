import { clearAllButSession, sessionKey } from '@svc/ui/console/api/query-client.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '../api/session.ts';

/** Returns a function that shows the console for a new session and drops all data of an earlier one. */
export function useOpenSession(): (opened: Session) => void {
  const client = useQueryClient();
  return (opened) => {
    clearAllButSession(client);
    client.setQueryData(sessionKey, opened);
  };
}
