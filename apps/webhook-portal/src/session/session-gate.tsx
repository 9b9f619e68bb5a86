import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { clearAllButSession } from '../api/query-client.ts';
import { type Session, sessionQuery } from '../api/session.ts';
import { ClosedPortal, OpenPortal, Unreachable } from './access-pages.tsx';

/** Shows the portal to an open session, and to everybody else the page that says what to do. */
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
    // A new link pasted into this tab changes only the fragment: the page does not load again.
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
    return <OpenPortal key={secret} secret={secret} onOpen={onOpen} />;
  }
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (session.data === null) return <ClosedPortal ended={hadSession} />;
  if (session.isError) return <Unreachable error={session.error} retry={() => session.refetch()} />;
  return <p className="svc-visually-hidden">Opening the portal</p>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionGate above it.');
  return session;
}

const SessionContext = createContext<Session | null>(null);

/** Takes the secret of a portal link out of the address bar before anything else can see it. */
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
    // A broken escape can't be a real secret: the service will say so.
    return secret;
  }
}
