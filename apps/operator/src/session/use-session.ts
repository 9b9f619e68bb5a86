import { useGateSession } from '@svc/ui/console/session/session-gate.tsx';
import type { Permission, Session } from '../api/session.ts';

export function useSession(): Session {
  return useGateSession() as Session;
}

/** Returns whether the person's role allows this. The service checks it again. */
export function usePermission(permission: Permission): boolean {
  return useSession().permissions.includes(permission);
}
