import { ApiError } from '@svc/ui/console/api/client.ts';
import { AccessPage } from '@svc/ui/console/session/access-page.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { finishVisitQuery, returnPath, signInAtProvider } from '../api/sign-in.ts';

/** Removes the provider's answer from the address bar and returns it. Null on any other page. */
export function takeProviderAnswer(): string | null {
  if (location.pathname !== returnPath) return null;
  const query = location.search.slice(1);
  history.replaceState(null, '', '/operator');
  return query;
}

/** The page on which the browser comes back from the provider. */
export function ProviderReturn({ query }: { query: string }) {
  const finishing = useQuery(finishVisitQuery(query));
  const again = useMutation({ mutationFn: () => signInAtProvider(true) });
  const error = again.error ?? finishing.error;
  if (finishing.data === returnPath) {
    return (
      <AccessPage title="You have confirmed that it is you">
        <p role="status">Close this tab. The other one continues where you were.</p>
      </AccessPage>
    );
  }
  if (error === null) return <p className="svc-visually-hidden">Signing you in</p>;
  const wasInvited = !(error instanceof ApiError && error.code === 'not_invited');
  return (
    <AccessPage title={wasInvited ? 'You are not signed in yet' : 'You were not invited'}>
      <p role="alert">{error.message}</p>
      <button
        type="button"
        className="svc-button svc-button--block"
        aria-busy={again.isPending}
        onClick={() => again.isPending || again.mutate()}
      >
        {wasInvited ? 'Start again' : 'Sign in with another account'}
      </button>
      <p>
        <a className="svc-link" href="/operator">
          Back to the console
        </a>
      </p>
    </AccessPage>
  );
}
