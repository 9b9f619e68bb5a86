import { ApiError } from '@svc/ui/console/api/client.ts';
import { AccessPage } from '@svc/ui/console/session/access-page.tsx';
import { useMutation } from '@tanstack/react-query';
import { openSession, type Session } from '../api/session.ts';

/** Asks for a click before using the link, so that link scanners do not consume it. */
export function OpenConsole({
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
          A console link works once, within ten minutes of being created. This one was already used,
          has expired, or is incomplete.
        </p>
        <HowToGetLink />
      </AccessPage>
    );
  }
  return (
    <AccessPage title="Open your console">
      <p>
        The console shows what this link was made for: your webhooks, and with an admin link also
        your integration, tenants, settlements and payouts. You stay signed in on this browser for
        up to 24 hours, and are signed out after 30 minutes without use.
      </p>
      <button
        type="button"
        className="svc-button svc-button--block"
        aria-busy={opening.isPending}
        onClick={() => {
          if (!opening.isPending) opening.mutate();
        }}
      >
        Open the console
      </button>
      <p className="svc-field__error" role="alert">
        {opening.error ? opening.error.message : null}
      </p>
    </AccessPage>
  );
}

export function ClosedConsole({ ended }: { ended: boolean }) {
  return (
    <AccessPage title={ended ? 'Your session has ended' : 'You need a link to sign in'}>
      <p>
        {ended
          ? 'You signed out, the console was not used for 30 minutes, the session reached its 24-hour limit, or it was revoked. Nothing was lost.'
          : 'The console opens with a link that your backend requests.'}
      </p>
      <HowToGetLink />
    </AccessPage>
  );
}

export function Unreachable({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <AccessPage title="The console can’t be reached">
      <p role="alert">{error.message}</p>
      <p className="access__quiet">
        Deliveries continue in the meantime; they don’t depend on this page.
      </p>
      <button type="button" className="svc-button svc-button--block" onClick={retry}>
        Try again
      </button>
    </AccessPage>
  );
}

function HowToGetLink() {
  return (
    <>
      <p>To sign in:</p>
      <ol>
        <li>
          From your backend, call <code>GET /v1/partner/webhook_portal_url</code> with your API key.
        </li>
        <li>
          Open the returned <code>url</code> in this browser.
        </li>
        <li>To continue at this address, come back to this tab.</li>
      </ol>
      <p>
        Add <code>?scope=admin</code> to the call for API keys, origins, tenants, settlements and
        payouts. Without it, the link reaches webhooks only.
      </p>
      <p className="access__quiet">
        Don’t have an API key? Ask the person who maintains your integration for a link.
      </p>
    </>
  );
}
