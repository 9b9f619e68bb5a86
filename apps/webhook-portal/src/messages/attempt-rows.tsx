import { useState } from 'react';
import type { Attempt } from '../api/messages.ts';
import { StateMark } from '../components/state-mark.tsx';
import { Ago } from '../components/time/time.tsx';
import { AttemptStory } from '../deliveries/attempt-detail.tsx';
import { nameResult } from '../deliveries/describe-attempt.ts';
import { describeMs } from '../deliveries/split-timing.ts';

/** All attempts of one delivery, oldest first; twenty at a time, the newest to begin with. */
export function AttemptRows(props: {
  attempts: readonly Attempt[];
  /** The bodies were erased. */
  expunged: boolean;
  chosen: string | null;
  onChoose: (attemptId: string) => void;
}) {
  const { attempts, expunged, chosen, onChoose } = props;
  const [leaf, setLeaf] = useState<number | null>(null);
  const at = attempts.findIndex(({ id }) => id === chosen);
  const last = Math.max(0, Math.ceil(attempts.length / leafSize) - 1);
  const shown = leaf ?? (at < 0 ? last : Math.floor(at / leafSize));
  const rows = attempts.slice(shown * leafSize, (shown + 1) * leafSize);
  return (
    <>
      <ol className="attempts" aria-label="Attempts" start={shown * leafSize + 1}>
        {rows.map((attempt) => (
          <AttemptRow
            key={attempt.id}
            attempt={attempt}
            expunged={expunged}
            open={attempt.id === chosen}
            onToggle={() => onChoose(attempt.id === chosen ? 'none' : attempt.id)}
          />
        ))}
      </ol>
      {last > 0 ? (
        <nav className="leaves" aria-label="Attempts">
          <span role="status">
            {shown * leafSize + 1} to {shown * leafSize + rows.length} of {attempts.length} attempts
          </span>
          <LeafButton words="Older" disabled={shown === 0} onClick={() => setLeaf(shown - 1)} />
          <LeafButton words="Newer" disabled={shown === last} onClick={() => setLeaf(shown + 1)} />
        </nav>
      ) : null}
    </>
  );
}

const leafSize = 20;

function AttemptRow(props: {
  attempt: Attempt;
  expunged: boolean;
  open: boolean;
  onToggle: () => void;
}) {
  const { attempt, expunged, open, onToggle } = props;
  return (
    <li>
      <button type="button" className="row attempt-row" aria-expanded={open} onClick={onToggle}>
        <span className="attempt-row__number">{attempt.number}</span>
        <StateMark tone={attempt.succeeded ? 'good' : 'bad'}>{nameResult(attempt)}</StateMark>
        <span className="attempt-row__took">{describeMs(attempt.timing_in_ms.total)}</span>
        <span className="attempt-row__by">{attempt.trigger === 'schedule' ? '' : 'by hand'}</span>
        <span className="row__time">
          <Ago at={attempt.started_at} />
        </span>
      </button>
      {open ? <AttemptStory attempt={attempt} expunged={expunged} /> : null}
    </li>
  );
}

function LeafButton(props: { words: string; disabled: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="svc-button svc-button--secondary svc-button--small"
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.words}
    </button>
  );
}
