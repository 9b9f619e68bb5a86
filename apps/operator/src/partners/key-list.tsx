import { KeyState, KeyUse } from '@svc/ui/console/parts/key-state.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useClock } from '@svc/ui/console/time/clock.ts';
import { Ago, Until } from '@svc/ui/console/time/time.tsx';
import { useState } from 'react';
import type { PartnerKey } from '../api/partners.ts';
import { CommandButton } from '../commands/command-button.tsx';

/** The partner's keys with their ages. Revoked ones are shown on demand. */
export function KeyList({ keys }: { keys: readonly PartnerKey[] }) {
  const [showsRevoked, setShowsRevoked] = useState(false);
  const revoked = keys.filter(({ state }) => state === 'revoked').length;
  const shown = keys.filter(({ state }) => showsRevoked || state !== 'revoked');
  return (
    <>
      {shown.length === 0 ? (
        <p className="partner__quiet">
          No key works, so every call and every widget of this partner is refused.
        </p>
      ) : (
        <ul className="rows">
          {shown.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      {revoked > 0 ? (
        <button
          type="button"
          className="svc-button svc-button--quiet svc-button--small partner__more"
          aria-expanded={showsRevoked}
          onClick={() => setShowsRevoked(!showsRevoked)}
        >
          {showsRevoked ? 'Hide revoked keys' : `Show ${revoked} revoked`}
        </button>
      ) : null}
    </>
  );
}

function KeyRow({ apiKey: key }: { apiKey: PartnerKey }) {
  return (
    <li className="key-row" data-row>
      <div className="key-row__words">
        <span className="key-row__name">
          {visibleText(key.name ?? 'Made by an operator')}
          <code>{key.ends_with === null ? key.id : `…${key.ends_with}`}</code>
        </span>
        <span className="key-row__facts">
          {key.scopes.includes('everything') ? null : <span>May: {key.scopes.join(', ')}</span>}
          <KeyUse of={key} />
        </span>
        <Handover apiKey={key} />
      </div>
      <KeyState of={key} />
      <span className="key-row__action">
        {key.state === 'revoked' ? null : (
          <CommandButton command="key-revoke" input={{ key_id: key.id }}>
            Revoke…
          </CommandButton>
        )}
      </span>
    </li>
  );
}

/** Says whether the link that the key was handed over with was opened. */
function Handover({ apiKey: { link, state } }: { apiKey: PartnerKey }) {
  const isOver = useClock((now) => link !== null && Date.parse(link.expires_at) <= now);
  if (link === null || state === 'revoked') return null;
  if (link.opened_at !== null) {
    return (
      <span className="key-row__facts">
        <span>
          Its link was opened <Ago at={link.opened_at} inline />
        </span>
      </span>
    );
  }
  if (isOver) {
    return (
      <StateMark tone="warn">
        Its link expired unopened, so no one has this key. Revoke it and create another.
      </StateMark>
    );
  }
  return (
    <span className="key-row__facts">
      <span>
        Its link was not opened yet and ends <Until at={link.expires_at} inline />
      </span>
    </span>
  );
}
