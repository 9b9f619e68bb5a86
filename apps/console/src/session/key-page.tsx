import type { OpenedKeyOutput } from '@svc/contract';
import { ApiError } from '@svc/ui/console/api/client.ts';
import { CodeFile } from '@svc/ui/console/parts/code-file.tsx';
import { AccessPage } from '@svc/ui/console/session/access-page.tsx';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';

/** Returns whether the secret of the page's link shows an API key, instead of opening the console. */
export function isKeyLink(secret: string): boolean {
  return secret.startsWith('svc_kl_');
}

/** Shows an API key once. It asks for a click first, so that link scanners do not use the link up. */
export function KeyPage({ secret }: { secret: string }) {
  // A mutation, so that the response is not in the query cache: the key must not outlive the page.
  const opening = useMutation({
    mutationFn: () => call('POST', '/portal/key', { body: { secret } }),
    gcTime: 0,
  });
  if (opening.data) return <ShownKey opened={opening.data} />;
  if (opening.error instanceof ApiError && [401, 422].includes(opening.error.status)) {
    return <UnusableLink error={opening.error} />;
  }
  return (
    <AccessPage title="Your API key is ready">
      <p>
        This link shows the key once. Before you go on, have the place open where your backend’s
        secrets are stored.
      </p>
      <button
        type="button"
        className="svc-button svc-button--block"
        aria-busy={opening.isPending}
        onClick={() => opening.isPending || opening.mutate()}
      >
        Show the key
      </button>
      <p className="svc-field__error" role="alert">
        {opening.error ? opening.error.message : null}
      </p>
    </AccessPage>
  );
}

function ShownKey({ opened }: { opened: OpenedKeyOutput }) {
  const { pms, environment, api_url, api_key } = opened;
  const [isStored, setStored] = useState(false);
  useAskBeforeLeaving(!isStored);
  if (isStored) return <NextSteps opened={opened} />;
  return (
    <AccessPage title={`Your API key for the ${environment}`}>
      <p>
        Store it now. It is shown only here and only once, and it opens your whole API: keep it on
        your backend.
      </p>
      <CodeFile
        file=".env"
        note="for your backend"
        code={`SVC_API_KEY=${api_key}\nSVC_PMS=${pms}`}
      />
      <CodeFile
        file="Check it"
        note="names your portal"
        code={`curl ${api_url}/partner \\\n  -H "Authorization: Bearer $SVC_API_KEY"`}
      />
      <button
        type="button"
        className="svc-button svc-button--block"
        onClick={() => setStored(true)}
      >
        I have stored the key
      </button>
    </AccessPage>
  );
}

function NextSteps({ opened: { api_url, key_id } }: { opened: OpenedKeyOutput }) {
  return (
    <AccessPage title="The key is stored">
      <p>
        This page has forgotten it. If you lose the key, ask for a new one; the service knows this
        one as <code>{key_id}</code>.
      </p>
      <p>
        Your API answers at <code>{api_url}</code>.
      </p>
      <a className="svc-button svc-button--block" href="/docs/start">
        Go to the quick start
      </a>
    </AccessPage>
  );
}

function UnusableLink({ error }: { error: ApiError }) {
  if (error.code === 'token_expired') {
    return (
      <AccessPage title="This link has ended">
        <p>{error.message}</p>
        <p>Ask the person who sent it for a new link.</p>
      </AccessPage>
    );
  }
  return (
    <AccessPage title="This link does not work">
      <p>{error.message}</p>
      <p>
        If you opened it yourself, you have the key. If you did not, someone else may have it: ask
        for a new key, and say so, so that this one is revoked.
      </p>
    </AccessPage>
  );
}

/** Asks before the page is left or reloaded, which would lose the key for good. */
function useAskBeforeLeaving(asks: boolean): void {
  useEffect(() => {
    if (!asks) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [asks]);
}
