import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { openSession, type Session } from '../api/session.ts';
import { Logo } from '../components/logo.tsx';
import './access-pages.css';

/** One click opens the session, so that a scanner that only reads the link uses nothing up. */
export function OpenPortal({
  secret,
  onOpen,
}: {
  secret: string;
  onOpen: (session: Session) => void;
}) {
  const opening = useMutation({ mutationFn: () => openSession(secret), onSuccess: onOpen });
  if (opening.error instanceof ApiError && [401, 422].includes(opening.error.status)) {
    return (
      <AccessPage title="This link no longer works">
        <p>
          A portal link works once, within ten minutes of being made. This one was used, is older,
          or is not complete.
        </p>
        <HowToGetLink />
      </AccessPage>
    );
  }
  return (
    <AccessPage title="Manage your webhooks">
      <p>
        See every message and attempt, add endpoints, test and replay. You stay signed in on this
        browser for 24 hours.
      </p>
      <button
        type="button"
        className="svc-button svc-button--block"
        aria-busy={opening.isPending}
        onClick={() => {
          if (!opening.isPending) opening.mutate();
        }}
      >
        Open the portal
      </button>
      <p className="svc-field__error" role="alert">
        {opening.error ? opening.error.message : null}
      </p>
    </AccessPage>
  );
}

export function ClosedPortal({ ended }: { ended: boolean }) {
  return (
    <AccessPage title={ended ? 'Your session has ended' : 'You need a link to come in'}>
      <p>
        {ended
          ? 'You signed out, the 24 hours are over, or the session was revoked. Nothing was lost.'
          : 'The webhook portal opens by a link that your own backend asks for.'}
      </p>
      <HowToGetLink />
    </AccessPage>
  );
}

export function Unreachable({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <AccessPage title="The portal can’t be reached">
      <p role="alert">{error.message}</p>
      <p className="access__quiet">Deliveries go on meanwhile: they don’t depend on this page.</p>
      <button type="button" className="svc-button svc-button--block" onClick={retry}>
        Try again
      </button>
    </AccessPage>
  );
}

/** The one card of a visitor without a session. */
export function AccessPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="access">
      <div className="access__card svc-card">
        <Logo />
        <h1 className="access__title">{title}</h1>
        {children}
      </div>
    </main>
  );
}

export function HowToGetLink() {
  return (
    <>
      <p>To come in:</p>
      <ol>
        <li>
          From your backend, call <code>GET /v1/partner/webhook_portal_url</code> with your API key.
        </li>
        <li>
          Open the <code>url</code> it answers in this browser.
        </li>
      </ol>
      <p className="access__quiet">
        No API key at hand? Ask the person who runs your integration for a link.
      </p>
    </>
  );
}
