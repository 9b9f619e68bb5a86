import { ApiError } from '@svc/ui/console/api/client.ts';
import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Problem, RowsSkeleton } from '@svc/ui/console/parts/page-states.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useSignOut } from '@svc/ui/console/session/use-sign-out.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago, Until } from '@svc/ui/console/time/time.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  closeSession,
  endAllSessions,
  endSession,
  type OpenSession,
  openSessionsQuery,
} from '../api/session.ts';
import { useSession } from './use-session.ts';
import './open-sessions.css';

/** The open sessions of this console, with buttons to end one or all of them. */
export function OpenSessions() {
  const { read_only } = useSession();
  const sessions = useQuery({ ...openSessionsQuery, refetchInterval: pollIntervals.background });
  if (sessions.isPending) return <RowsSkeleton rows={4} label="Loading the open sessions" />;
  if (!sessions.data) {
    const retry = () => sessions.refetch();
    return <Problem what="The sessions could not be loaded" error={sessions.error} retry={retry} />;
  }
  return (
    <>
      <p className="sessions__lead">
        Each session was opened with its own link and ends after 30 minutes without use, at the
        latest after 24 hours. To show a name here and in the audit log, set <code>person</code>{' '}
        when your backend requests the link.
      </p>
      <ul className="sessions">
        {sessions.data.map((session) => (
          <Row key={session.id} session={session} mayEnd={!read_only} />
        ))}
      </ul>
      {read_only ? null : <EndAll />}
    </>
  );
}

function Row({ session, mayEnd }: { session: OpenSession; mayEnd: boolean }) {
  const { id, person, read_only, view, opened_at, expires_at } = session;
  const mine = useSession().id === id;
  const name = visibleText(person ?? 'Console session');
  return (
    <li className="sessions__row">
      <span className="sessions__who">
        {name}
        {mine ? <span className="tag">You</span> : null}
        {view === null ? null : <span className="tag">{viewWords[view]}</span>}
        {read_only ? <span className="tag">Read only</span> : null}
      </span>
      <span className="sessions__when">
        Opened <Ago at={opened_at} inline />, ends at the latest <Until at={expires_at} inline />
      </span>
      {mine ? <SignOut /> : null}
      {!mine && mayEnd ? <EndOne id={id} name={name} /> : null}
      <KeysOf session={session} />
    </li>
  );
}

/** Lists the API keys that a session created. They outlive it, so whoever ends the session has to know them. */
function KeysOf({ session: { api_keys } }: { session: OpenSession }) {
  if (api_keys.length === 0) return null;
  return (
    <span className="sessions__keys">
      Created {api_keys.length === 1 ? 'the API key' : 'the API keys'}{' '}
      {api_keys.map(({ id, name }) => visibleText(name ?? id)).join(', ')}. Signing out does not
      revoke {api_keys.length === 1 ? 'it' : 'them'}.
    </span>
  );
}

/** The name of each view. A frame on a partner's page is limited to one view. */
const viewWords: Record<NonNullable<OpenSession['view']>, string> = {
  settlements: 'Settlements in a frame',
  tenant_plan: 'One tenant in a frame',
  webhooks: 'Webhooks in a frame',
};

const button = 'svc-button svc-button--secondary svc-button--small sessions__end';

function SignOut() {
  const leaving = useSignOut(closeSession);
  return (
    <button
      type="button"
      className={button}
      aria-busy={leaving.isPending}
      onClick={() => leaving.isPending || leaving.mutate()}
    >
      Sign out
    </button>
  );
}

function EndOne({ id, name }: { id: string; name: string }) {
  const queryClient = useQueryClient();
  const ending = useMutation({
    // A 404 means that the session has already ended.
    mutationFn: () =>
      endSession(id).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }),
    onSuccess: () => {
      queryClient.setQueryData(openSessionsQuery.queryKey, (before = []) =>
        before.filter((session) => session.id !== id),
      );
      showToast(`${name} is signed out.`);
    },
    onError: (error) => showToast(`${name} is still signed in. ${error.message}`),
  });
  return (
    <button
      type="button"
      className={button}
      aria-busy={ending.isPending}
      onClick={() => ending.isPending || ending.mutate()}
    >
      Sign out<span className="svc-visually-hidden"> {name}</span>
    </button>
  );
}

function EndAll() {
  const [asking, setAsking] = useState(false);
  const leaving = useSignOut(endAllSessions);
  return (
    <div>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => setAsking(true)}
      >
        Sign everyone out
      </button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Sign everyone out?"
        error={leaving.error}
        act="Sign everyone out"
        danger
        pending={leaving.isPending}
        onAct={() => leaving.mutate()}
      >
        <p>
          This ends every session, including yours, and invalidates unused links. Your backend can
          create new links at any time. Deliveries are not affected, and API keys that were created
          in these sessions keep working: revoke those that you do not know on the page API keys.
        </p>
      </ConfirmDialog>
    </div>
  );
}
