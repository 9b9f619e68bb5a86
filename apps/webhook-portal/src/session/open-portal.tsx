import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { openSession, type Session } from '../api/session.ts';
import { AccessPage } from './access-page.tsx';
import { HowToGetLink } from './how-to-get-link.tsx';

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
