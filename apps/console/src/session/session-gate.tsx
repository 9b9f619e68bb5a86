import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { clearAllButSession } from '../api/query-client.ts';
import { type Session, sessionQuery } from '../api/session.ts';
import { ClosedConsole, OpenConsole, Unreachable } from './access-pages.tsx';

/** Renders the console if there is a session. Otherwise explains how to get one. */
export function SessionGate({
  linkSecret,
  children,
}: {
  linkSecret: string | null;
  children: ReactNode;
}) {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState(linkSecret);
  const [hadSession, setHadSession] = useState(false);
  const session = useQuery({ ...sessionQuery, enabled: secret === null });
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
    const onOpen = (opened: Session) => {
      clearAllButSession(queryClient);
      queryClient.setQueryData(sessionQuery.queryKey, opened);
      setSecret(null);
    };
    return <OpenConsole key={secret} secret={secret} onOpen={onOpen} />;
  }
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (session.data === null) return <ClosedConsole ended={hadSession} />;
  if (session.isError) return <Unreachable error={session.error} retry={() => session.refetch()} />;
  return <p className="svc-visually-hidden">Opening the console</p>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionGate above it.');
  return session;
}

const SessionContext = createContext<Session | null>(null);

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
