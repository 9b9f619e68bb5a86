import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { clearAllButSession, sessionKey } from '../api/query-client.ts';

interface Gate<Session> {
  /** Loads the session, or null without one. Its key is `sessionKey`. */
  readonly query: UseQueryOptions<Session | null, Error, Session | null, readonly ['session']>;
  readonly linkSecret: string | null;
  /** Shown while the link's secret is unused. Calls `onOpen` with the session that it opened. */
  readonly link: (secret: string, onOpen: (session: Session) => void) => ReactNode;
  /** Shown without a session. `ended` is true if there was one since the page was loaded. */
  readonly closed: (ended: boolean) => ReactNode;
  readonly unreachable: (error: Error, retry: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** Renders the console if there is a session. Otherwise shows how to get one. */
export function SessionGate<Session>(gate: Gate<Session>) {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState(gate.linkSecret);
  const [hadSession, setHadSession] = useState(false);
  const session = useQuery({ ...gate.query, enabled: secret === null });
  const open = Boolean(session.data);
  useEffect(() => {
    if (open) setHadSession(true);
  }, [open]);
  useEffect(() => {
    // Pasting a new link into this tab changes only the fragment, so the page does not reload.
    const onHashChange = () => setSecret((before) => takeLinkSecret() ?? before);
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);

  if (secret !== null) {
    return gate.link(secret, (opened) => {
      clearAllButSession(queryClient);
      queryClient.setQueryData(sessionKey, opened);
      setSecret(null);
    });
  }
  if (session.data) return <SessionProvider value={session.data}>{gate.children}</SessionProvider>;
  if (session.data === null) return gate.closed(hadSession);
  if (session.isError) return gate.unreachable(session.error, () => void session.refetch());
  return <p className="svc-visually-hidden">Opening the console</p>;
}

/** The session of the gate above. Each console gives it the type of its session. */
export function useGateSession(): unknown {
  const session = use(SessionProvider);
  if (!session) throw new Error('useGateSession needs a SessionGate above it.');
  return session;
}

/** Provides the session. The gate renders it; a frame, which has no gate, renders it itself. */
export const SessionProvider = createContext<unknown>(null);

/** Removes the secret of a console link from the address bar and returns it. Null if there is none. */
export function takeLinkSecret(): string | null {
  const secret = location.hash.slice(1);
  if (secret === '') return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decode(secret);
}

function decode(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    // A malformed escape cannot be a valid secret. The service will reject it.
    return secret;
  }
}
