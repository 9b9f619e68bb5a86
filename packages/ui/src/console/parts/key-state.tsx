import { Ago, Until } from '../time/time.tsx';
import { StateMark } from './state-mark.tsx';

interface Key {
  readonly state: 'live' | 'expiring' | 'revoked';
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

/** Shows whether an API key works, and when it stops or stopped working. */
export function KeyState({ of: { state, expires_at, revoked_at } }: { of: Key }) {
  return (
    <span className="key-state">
      {state === 'live' ? <StateMark tone="good">Live</StateMark> : null}
      {state === 'expiring' ? <StateMark tone="warn">Rotated</StateMark> : null}
      {state === 'revoked' ? <StateMark tone="neutral">Revoked</StateMark> : null}
      {state === 'expiring' && expires_at !== null ? (
        <span>
          stops <Until at={expires_at} inline />
        </span>
      ) : null}
      {state === 'revoked' && revoked_at !== null ? <Ago at={revoked_at} inline /> : null}
    </span>
  );
}

/** When a key was created and last used. */
export function KeyUse({ of: { created_at, last_used_at } }: { of: Key }) {
  return (
    <>
      <span>
        Created <Ago at={created_at} inline />
      </span>
      <span>
        {last_used_at === null ? (
          'Never used'
        ) : (
          <>
            Last used <Ago at={last_used_at} inline />
          </>
        )}
      </span>
    </>
  );
}
