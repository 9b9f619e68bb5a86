import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useClock } from '@svc/ui/console/time/clock.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Secrets, secretsQuery } from '../api/partners.ts';
import { RunbookLink } from '../health/runbook-link.tsx';
import './secrets.css';

type Secret = Secrets['items'][number];

/** The ages of the keys and secrets, oldest first. */
export function SecretsPage() {
  const secrets = useQuery(secretsQuery);
  const { secret_key = null, items = [], runbook = '' } = secrets.data ?? {};
  return (
    <div className="page">
      <PageHeader title="Secrets">
        <p className="page-header__lead">
          The ages of what is secret. Replace each once a year, and at once when somebody who knew
          it leaves.
        </p>
      </PageHeader>
      <LoadState
        query={secrets}
        loading="Loading the ages of secrets"
        rows={6}
        failed="The ages of secrets could not be loaded"
      />
      {secret_key === null ? null : <SecretKey secretKey={secret_key} runbook={runbook} />}
      {secrets.isSuccess && items.length === 0 ? (
        <Empty icon="key" title="No key yet">
          <p>API keys and webhook secrets of partners appear here with their ages.</p>
        </Empty>
      ) : null}
      {items.length > 0 ? (
        <section className="secrets" aria-labelledby="secrets-of-partners">
          <h2 id="secrets-of-partners" className="section-title">
            Of partners
          </h2>
          <ul className="rows">
            {items.map((secret) => (
              <SecretRow key={`${secret.kind} ${secret.id}`} secret={secret} />
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

function SecretKey(props: { secretKey: NonNullable<Secrets['secret_key']>; runbook: string }) {
  const { keys, replaced_at, first_used_at } = props.secretKey;
  const since = replaced_at ?? first_used_at;
  return (
    <section className="svc-card secret-key" aria-labelledby="secret-key">
      <div className="secret-key__head">
        <h2 id="secret-key" className="section-title">
          SVC_SECRET_KEY
        </h2>
        {since === null ? null : <Age since={since} />}
      </div>
      <p>
        {replaced_at !== null ? (
          <>
            Replaced <Ago at={replaced_at} inline />.
          </>
        ) : first_used_at !== null ? (
          <>
            Not replaced in what the audit log keeps. In use since <Ago at={first_used_at} inline />
            .
          </>
        ) : (
          'Nothing is encrypted with it yet.'
        )}{' '}
        {keys === 1
          ? 'It encrypts every other secret.'
          : `${keys} keys are set: finish the replacement, and remove the old ones.`}
      </p>
      <RunbookLink to={props.runbook} about="replacing the secret key" />
    </section>
  );
}

function SecretRow({ secret: { kind, pms, name, created_at, last_used_at } }: { secret: Secret }) {
  return (
    <li>
      <Link to="/partners/$pms" params={{ pms }} className="row secret-row" data-row>
        <Age since={created_at} />
        <span className="secret-row__pms">{visibleText(pms)}</span>
        <span>{kind === 'api_key' ? 'API key' : 'Webhook secret'}</span>
        <span className="secret-row__name">{visibleText(name)}</span>
        <span className="secret-row__used">
          {kind === 'webhook_secret' ? null : last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Used <Ago at={last_used_at} />
            </>
          )}
        </span>
      </Link>
    </li>
  );
}

const day = 86_400_000;

/** The age, in days up to a year. */
function Age({ since }: { since: string }) {
  const days = useClock((now) => Math.max(0, Math.floor((now - Date.parse(since)) / day)));
  const isOld = days > 365;
  return (
    <StateMark tone={isOld ? 'warn' : 'neutral'}>
      {isOld ? `${days} days, replace it` : days === 1 ? '1 day' : `${days} days`}
    </StateMark>
  );
}
