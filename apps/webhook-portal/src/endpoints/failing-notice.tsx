import { Link } from '@tanstack/react-router';
import type { Endpoint } from '../api/endpoints.ts';
import { Ago, Until } from '../components/time/time.tsx';

/** Said before it is too late: every attempt fails, and when that disables the endpoint. */
export function FailingNotice({ endpoint }: { endpoint: Endpoint }) {
  const { state, failing_since, disables_at } = endpoint;
  if (state !== 'enabled' || failing_since === null) return null;
  return (
    <div className="svc-notice svc-tone-bad">
      <p className="svc-notice__title">Nothing gets through</p>
      <p>
        Every attempt has failed since the first failure, <Ago at={failing_since} inline />.{' '}
        {disables_at === null ? null : (
          <>
            Unless one succeeds before, the endpoint is disabled <Until at={disables_at} inline />.
          </>
        )}{' '}
        <Link
          to="/messages"
          search={{ endpoint_id: endpoint.id, state: 'failed' }}
          className="svc-link"
        >
          See what failed and why
        </Link>
      </p>
    </div>
  );
}
