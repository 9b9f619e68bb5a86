import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago, Until } from '@svc/ui/console/time/time.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  endSession,
  type Factors,
  factorsQuery,
  removePasskey,
  sessionsQuery,
} from '../api/sign-in.ts';
import { EnrollPasskey, EnrollPassword, RecoveryCodes } from '../session/enroll.tsx';
import { roleNames } from '../session/role-names.ts';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import { useSession } from '../session/use-session.ts';
import './account.css';

/** Shows how the person can sign in, and where they are signed in. */
export function AccountPage() {
  const { name, role } = useSession();
  const factors = useQuery(factorsQuery);
  return (
    <div className="page page--narrow">
      <PageHeader title="Your account">
        <p className="page-header__lead">
          <span>{visibleText(name)}</span>
          <span>{roleNames[role]}</span>
        </p>
      </PageHeader>
      <LoadState
        query={factors}
        loading="Loading your ways to sign in"
        rows={3}
        failed="Your ways to sign in could not be loaded"
      />
      {factors.data ? <WaysToSignIn factors={factors.data} /> : null}
      <Sessions />
    </div>
  );
}

function WaysToSignIn({ factors }: { factors: Factors }) {
  const client = useQueryClient();
  const { prove, dialog } = useFreshProof();
  const [adding, setAdding] = useState<'passkey' | 'password' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: factorsQuery.queryKey });
  const removing = useMutation({
    mutationFn: (id: string) => prove(() => removePasskey(id)),
    onSuccess: () => {
      showToast('The passkey no longer works.');
      refresh();
    },
    onError: (error) => showToast(error.message),
  });
  const onEnrolled = (made: readonly string[] | null) => {
    setAdding(null);
    setCodes(made);
    showToast(adding === 'passkey' ? 'The passkey works from now on.' : 'The password is saved.');
    refresh();
  };
  if (codes !== null) {
    return (
      <Part title="Recovery codes">
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      </Part>
    );
  }
  const { passkeys, has_password, provider, recovery_codes_left } = factors;
  return (
    <Part title="Ways to sign in">
      <ul className="account__rows">
        {provider === null ? null : (
          <li className="account__row">
            <span className="account__name">Company account</span>
            <span className="account__about">
              You sign in with {provider}. What is below only confirms actions.
            </span>
          </li>
        )}
        {passkeys.map((passkey, index) => (
          <li key={passkey.id} className="account__row">
            <span className="account__name">Passkey {index + 1}</span>
            <span className="account__about">
              Created <Ago at={passkey.created_at} inline />
              {passkey.last_used_at === null ? (
                ', not used yet'
              ) : (
                <>
                  , last used <Ago at={passkey.last_used_at} inline />
                </>
              )}
            </span>
            <button
              type="button"
              className="svc-button svc-button--secondary svc-button--small"
              aria-busy={removing.isPending && removing.variables === passkey.id}
              onClick={() => removing.isPending || removing.mutate(passkey.id)}
            >
              Remove<span className="svc-visually-hidden"> passkey {index + 1}</span>
            </button>
          </li>
        ))}
        <li className="account__row">
          <span className="account__name">Password</span>
          <span className="account__about">
            {has_password ? 'Set, with the code of an authenticator app' : 'Not set'}
          </span>
          <button
            type="button"
            className="svc-button svc-button--secondary svc-button--small"
            onClick={() => setAdding('password')}
          >
            {has_password ? 'Change' : 'Set'}
            <span className="svc-visually-hidden"> the password</span>
          </button>
        </li>
        <li className="account__row">
          <span className="account__name">Recovery codes</span>
          <span className="account__about">
            {recovery_codes_left === 0
              ? 'None left. Create another passkey on a second device.'
              : `${recovery_codes_left} left`}
          </span>
        </li>
      </ul>
      {adding === null ? (
        <button
          type="button"
          className="svc-button svc-button--small account__add"
          onClick={() => setAdding('passkey')}
        >
          Add a passkey
        </button>
      ) : (
        <div className="svc-card">
          {adding === 'passkey' ? (
            <EnrollPasskey onDone={onEnrolled} prove={prove} />
          ) : (
            <EnrollPassword onDone={onEnrolled} prove={prove} />
          )}
        </div>
      )}
      {dialog}
    </Part>
  );
}

function Sessions() {
  const client = useQueryClient();
  const { id: own } = useSession();
  const sessions = useQuery({ ...sessionsQuery, refetchInterval: pollIntervals.background });
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: () => {
      showToast('The session has ended.');
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => showToast(error.message),
  });
  return (
    <Part title="Open sessions">
      <LoadState
        query={sessions}
        loading="Loading the open sessions"
        rows={2}
        failed="The open sessions could not be loaded"
      />
      <ul className="account__rows">
        {sessions.data?.map((session) => (
          <li key={session.id} className="account__row">
            <span className="account__name">
              {session.id === own
                ? 'This browser'
                : session.is_yours
                  ? 'Another browser'
                  : visibleText(session.name)}
            </span>
            <span className="account__about">
              Opened <Ago at={session.opened_at} inline />, ends at the latest{' '}
              <Until at={session.expires_at} inline />
            </span>
            {session.id === own ? null : (
              <button
                type="button"
                className="svc-button svc-button--secondary svc-button--small"
                aria-busy={ending.isPending && ending.variables === session.id}
                onClick={() => ending.isPending || ending.mutate(session.id)}
              >
                Sign out
                <span className="svc-visually-hidden"> {visibleText(session.name)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="account__part" aria-label={title}>
      <h2 className="section-title">{title}</h2>
      {children}
    </section>
  );
}
