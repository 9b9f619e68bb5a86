import { Ago, Until } from '@svc/ui/console/time/time.tsx';
import { Link } from '@tanstack/react-router';
import type { Endpoint } from '../api/endpoints.ts';
import { useSession } from '../session/use-session.ts';
import { describeDisabled, heldWords } from './endpoint-state.tsx';
import { useEndpointChange } from './use-endpoint-change.ts';

/** Warns that every attempt is failing, and when the endpoint will be disabled. */
export function FailingNotice({ endpoint }: { endpoint: Endpoint }) {
  const { state, failing_since, disables_at } = endpoint;
  if (state !== 'enabled' || failing_since === null) return null;
  return (
    <div className="svc-notice svc-tone-bad">
      <p className="svc-notice__title">Deliveries are failing</p>
      <p>
        Every attempt has failed since the first failure, <Ago at={failing_since} inline />.{' '}
        {disables_at === null ? null : (
          <>
            Unless an attempt succeeds first, the endpoint is disabled{' '}
            <Until at={disables_at} inline />.
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

/** Explains why the endpoint is disabled and how many messages are held, with buttons to enable it. */
export function HeldNotice({ endpoint }: { endpoint: Endpoint }) {
  const { read_only } = useSession();
  const change = useEndpointChange(endpoint, () => undefined);
  const held = endpoint.held_count;
  const enable = (what: 'release' | 'skip') => {
    if (!change.isPending) change.mutate({ state: 'enabled', held: what });
  };
  return (
    <div className="svc-notice svc-tone-warn held">
      <p className="svc-notice__title">Nothing is sent to this endpoint</p>
      <p>
        {describeDisabled(endpoint.disabled_reason)} {describeHeld(held)}
      </p>
      {read_only ? null : (
        <div className="held__actions">
          <button
            type="button"
            className="svc-button svc-button--small"
            onClick={() => enable('release')}
          >
            {held > 0 ? `Enable and send ${heldWords(held)}` : 'Enable'}
          </button>
          {held > 0 ? (
            <button
              type="button"
              className="svc-button svc-button--secondary svc-button--small"
              onClick={() => enable('skip')}
            >
              Enable and skip them
            </button>
          ) : null}
        </div>
      )}
      <p className="svc-field__error" role="alert">
        {change.error?.message}
      </p>
    </div>
  );
}

function describeHeld(held: number): string {
  if (held === 0) return 'New messages are held until it is enabled.';
  return held === 1 ? '1 message is held for it.' : `${heldWords(held)} messages are held for it.`;
}
