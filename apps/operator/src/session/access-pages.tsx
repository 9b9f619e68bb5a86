import { ApiError } from '@svc/ui/console/api/client.ts';
import { AccessPage } from '@svc/ui/console/session/access-page.tsx';
import { useMutation } from '@tanstack/react-query';
import { openSession, type Session } from '../api/session.ts';

/** Asks for a click before using the link, so that link scanners do not consume it. */
export function OpenLink(props: { secret: string; onOpen: (session: Session) => void }) {
  const { secret, onOpen } = props;
  const opening = useMutation({ mutationFn: () => openSession(secret), onSuccess: onOpen });
  if (opening.error instanceof ApiError && [401, 422].includes(opening.error.status)) {
    return (
      <AccessPage title="This link no longer works">
        <p>
          A link works once, within 15 minutes of being created. This one was already used, has
          expired, or is incomplete.
        </p>
        <HowToGetLink />
      </AccessPage>
    );
  }
  return (
    <AccessPage title="Sign in to the operator’s console">
      <p>
        This link is yours alone: what you do here is recorded under your name. You stay signed in
        on this browser for up to 12 hours, and are signed out after 15 minutes without use.
      </p>
      <button
        type="button"
        className="svc-button svc-button--block"
        aria-busy={opening.isPending}
        onClick={() => {
          if (!opening.isPending) opening.mutate();
        }}
      >
        Sign in
      </button>
      <p className="svc-field__error" role="alert">
        {opening.error ? opening.error.message : null}
      </p>
    </AccessPage>
  );
}

export function Unreachable({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <AccessPage title="The console can’t be reached">
      <p role="alert">{error.message}</p>
      <p className="access__quiet">
        Payments and deliveries continue; they don’t depend on this page.
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
      <p>To get a link:</p>
      <ol>
        <li>
          Ask an admin for another link, from Actions in the console or with{' '}
          <code>svc-admin operator link</code>. In the sandbox, <code>npm start</code> prints one as
          well.
        </li>
        <li>Open it in this browser within 15 minutes.</li>
      </ol>
    </>
  );
}
