import { type SubmitEvent, useState } from 'react';
import { closeFloating, Floating } from '../parts/floating.tsx';
import { currentTime } from '../time/clock.ts';
import { chipLabel, RemoveChipButton } from './menu-filter.tsx';

interface Range {
  since: string | undefined;
  until: string | undefined;
}

/** A filter by time range, from a preset or to the minute, in the viewer's time zone. */
export function TimeFilter({
  since,
  until,
  onChange,
}: Range & { onChange: (range: Range) => void }) {
  const isActive = since !== undefined || until !== undefined;
  return (
    <span className="chip" data-set={isActive}>
      <Floating
        className="chip__words"
        name="Time"
        popup="dialog"
        align="start"
        panelClassName="filter-panel"
        face={chipLabel('Time', isActive ? describeRange(since, until) : undefined)}
      >
        {() => (
          <>
            {presets.map(({ words, ms }) => (
              <button
                key={words}
                type="button"
                className="menu__item"
                onClick={(event) => {
                  closeFloating(event.currentTarget);
                  onChange({ since: new Date(currentTime() - ms).toISOString(), until: undefined });
                }}
              >
                {words}
              </button>
            ))}
            <RangeForm since={since} until={until} onChange={onChange} />
          </>
        )}
      </Floating>
      <RemoveChipButton
        label="Time"
        shown={isActive}
        onRemove={() => onChange({ since: undefined, until: undefined })}
      />
    </span>
  );
}

function RangeForm({ since, until, onChange }: Range & { onChange: (range: Range) => void }) {
  const [from, setFrom] = useState(toLocal(since));
  const [to, setTo] = useState(toLocal(until));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    closeFloating(event.currentTarget);
    onChange({ since: toInstant(from), until: toInstant(to) });
  };
  return (
    <form className="filter-panel__form" onSubmit={submit}>
      <label>
        From
        <input
          type="datetime-local"
          className="svc-field__input svc-field__input--small"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
      </label>
      <label>
        Until
        <input
          type="datetime-local"
          className="svc-field__input svc-field__input--small"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </label>
      <button type="submit" className="svc-button svc-button--secondary svc-button--small">
        Apply
      </button>
    </form>
  );
}

const hour = 3_600_000;
const presets = [
  { words: 'Last hour', ms: hour },
  { words: 'Last 24 hours', ms: 24 * hour },
  { words: 'Last 7 days', ms: 7 * 24 * hour },
];

const shortFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function describeRange(since: string | undefined, until: string | undefined): string {
  const formatInstant = (instant: string) =>
    Number.isNaN(Date.parse(instant)) ? instant : shortFormat.format(new Date(instant));
  if (since === undefined) return `until ${formatInstant(until ?? '')}`;
  return until === undefined
    ? `since ${formatInstant(since)}`
    : `${formatInstant(since)} to ${formatInstant(until)}`;
}

/** Local time without a zone, the format of `datetime-local` inputs. Empty without a valid instant. */
export function toLocal(instant: string | undefined): string {
  const at = new Date(instant ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toInstant(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}
