import { useGateSession } from '@svc/ui/console/session/session-gate.tsx';
import type { Session } from '../api/session.ts';

export function useSession(): Session {
  return useGateSession() as Session;
}
