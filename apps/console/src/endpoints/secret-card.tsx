import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useNow } from '@svc/ui/console/time/clock.ts';
import { Countdown } from '@svc/ui/console/time/time.tsx';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Endpoint, readSecret, rotateSecret, type Secret } from '../api/endpoints.ts';
import { useSession } from '../session/use-session.ts';
import { RotateDialog } from './rotate-dialog.tsx';
import './secret.css';

/** The signing secret, masked until revealed. It is cleared after a minute or when the page is left. */
export function SecretCard({ endpoint }: { endpoint: Endpoint }) {
  const endpointId = endpoint.id;
  const { read_only } = useSession();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [rotating, setRotating] = useState(false);
  const [previous, setPrevious] = useState<Secret['previous'] | null>(null);
  const show = (read: Secret) => {
    setSecret(read);
    setPrevious(read.previous);
  };
  const reading = useMutation({ mutationFn: () => readSecret(endpointId), onSuccess: show });
  useEffect(() => {
    if (secret === null) return;
    const timer = setTimeout(() => setSecret(null), 60_000);
    return () => clearTimeout(timer);
  }, [secret]);
  return (
    <section className="svc-card side-card" aria-label="Signing secret">
      <h2 className="section-title">Signing secret</h2>
      {read_only ? (
        <p className="side-card__quiet">
          Read-only links can’t view the secret.{' '}
          <Link to="/endpoints/$endpointId/verify" params={{ endpointId }} className="svc-link">
            See how to verify webhooks
          </Link>
        </p>
      ) : (
        <>
          <SecretValue
            endpointId={endpointId}
            secret={secret}
            busy={reading.isPending}
            onToggle={() => (secret ? setSecret(null) : reading.mutate())}
          />
          <p className="svc-field__error" role="alert">
            {reading.error?.message}
          </p>
          <p className="side-card__quiet">
            Verify every webhook with it:{' '}
            <Link to="/endpoints/$endpointId/verify" params={{ endpointId }} className="svc-link">
              code for your server
            </Link>
          </p>
          <Overlap previous={previous ?? stillSigning(endpoint)} />
          <button
            type="button"
            className="svc-button svc-button--secondary svc-button--small side-card__action"
            onClick={() => setRotating(true)}
          >
            <Icon name="rotate" /> Rotate
          </button>
          <RotateDialog
            noun="signing secret"
            open={rotating}
            rotate={(overlap) => rotateSecret(endpointId, overlap)}
            onClose={() => setRotating(false)}
            onRotated={show}
          />
        </>
      )}
    </section>
  );
}

function SecretValue(props: {
  endpointId: string;
  secret: Secret | null;
  busy: boolean;
  onToggle: () => void;
}) {
  const { endpointId, secret } = props;
  return (
    <div className="secret">
      <code className="secret__value">{secret?.secret ?? mask}</code>
      <button
        type="button"
        className="icon-button"
        aria-label={secret ? 'Hide the secret' : 'Reveal the secret'}
        title={secret ? 'Hide' : 'Reveal'}
        aria-busy={props.busy}
        onClick={props.onToggle}
      >
        <Icon name={secret ? 'hide' : 'eye'} />
      </button>
      <CopyButton
        label="Copy the secret"
        text={async () => (secret ?? (await readSecret(endpointId))).secret}
      />
    </div>
  );
}

function Overlap({ previous }: { previous: Secret['previous'] }) {
  const now = useNow(1000);
  const live = previous.filter(({ expires_at }) => Date.parse(expires_at) > now);
  if (live.length === 0) return null;
  return (
    <ul className="overlap">
      {live.map(({ expires_at }) => (
        <li key={expires_at}>
          <Icon name="clock" />
          <span>
            The previous secret still signs for <Countdown at={expires_at} inline />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The overlap as reported by the endpoint, for use before the secret has been read. */
function stillSigning({ previous_secret_expires_at: until }: Endpoint): Secret['previous'] {
  return until === null ? [] : [{ expires_at: until }];
}

const mask = `whsec_${'•'.repeat(18)}`;
