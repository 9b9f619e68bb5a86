import { keepPreviousData, type UseMutationResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useMemo, useState } from 'react';
import type { Endpoint } from '../api/endpoints.ts';
import { type Replay, type ReplayInput, replayPreviewQuery } from '../api/replays.ts';
import { Field } from '../components/field.tsx';
import { useNow } from '../components/time/clock.ts';
import { EndpointSelect } from '../subscriptions/endpoint-select.tsx';
import { EventTypePicker } from '../subscriptions/event-type-picker.tsx';
import { countMessages, replayedStates } from './describe-replay.ts';
import { emptyReplay, type ReplayDraft, replayInput, windows } from './replay-draft.ts';

export function ReplayForm(props: {
  endpoints: readonly Endpoint[];
  endpointId: string | undefined;
  starting: UseMutationResult<Replay, Error, ReplayInput>;
  cancel: ReactNode;
}) {
  const { endpoints, starting } = props;
  const first = endpoints.find(({ id }) => id === props.endpointId) ?? endpoints[0];
  const [draft, setDraft] = useState(() => emptyReplay(first?.id ?? ''));
  const change = (part: Partial<ReplayDraft>) => setDraft((before) => ({ ...before, ...part }));
  const minute = useNow(60_000);
  const input = useMemo(() => replayInput(draft, minute), [draft, minute]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (typeof input !== 'string' && !starting.isPending) starting.mutate(input);
  };
  return (
    <form className="form" onSubmit={submit} noValidate>
      <EndpointSelect
        endpoints={endpoints}
        value={draft.endpointId}
        onChange={(endpointId) => change({ endpointId })}
      />
      <WindowFields draft={draft} onChange={change} />
      <States draft={draft} onChange={change} />
      <EventTypePicker
        chosen={draft.eventTypes}
        onChange={(eventTypes) => change({ eventTypes })}
        error={null}
        allWords="All events"
      />
      <Field
        label="Maximum per second"
        optional
        hint="Leave empty to use the endpoint’s own rate limit."
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input replay__rate"
            inputMode="numeric"
            value={draft.rate}
            onChange={(event) => change({ rate: event.target.value.trim() })}
          />
        )}
      </Field>
      <ReplayPreview input={input} starting={starting} cancel={props.cancel} />
    </form>
  );
}

function States(props: { draft: ReplayDraft; onChange: (part: Partial<ReplayDraft>) => void }) {
  const { states } = props.draft;
  return (
    <fieldset className="svc-field">
      <legend className="svc-field__label">Which messages</legend>
      <div className="choices">
        {replayedStates.map(({ value, words }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={states.includes(value)}
              onChange={({ target }) =>
                props.onChange({
                  states: target.checked
                    ? [...states, value]
                    : states.filter((state) => state !== value),
                })
              }
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Selects the time range: a preset, or start and end times in the viewer's zone. */
export function WindowFields(props: {
  draft: ReplayDraft;
  onChange: (part: Partial<ReplayDraft>) => void;
}) {
  const { draft, onChange } = props;
  return (
    <>
      <fieldset className="svc-field">
        <legend className="svc-field__label">Published in the last</legend>
        <div className="choices choices--row">
          {windows.map(({ hours, words }) => (
            <label key={hours}>
              <input
                type="radio"
                name="window"
                checked={draft.window === hours}
                onChange={() => onChange({ window: hours })}
              />
              {words}
            </label>
          ))}
          <label>
            <input
              type="radio"
              name="window"
              checked={draft.window === 'own'}
              onChange={() => onChange({ window: 'own' })}
            />
            Custom range
          </label>
        </div>
      </fieldset>
      {draft.window === 'own' ? (
        <div className="replay__own">
          <Moment label="Since" value={draft.since} onChange={(since) => onChange({ since })} />
          <Moment
            label="Until"
            optional
            value={draft.until}
            onChange={(until) => onChange({ until })}
          />
        </div>
      ) : null}
    </>
  );
}

function Moment(props: {
  label: string;
  optional?: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={props.label} optional={props.optional ?? false}>
      {(wiring) => (
        <input
          {...wiring}
          type="datetime-local"
          className="svc-field__input"
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Shows how many messages match, updated with every change, and the button that starts the replay. */
export function ReplayPreview(props: {
  input: ReplayInput | string;
  starting: UseMutationResult<Replay, Error, ReplayInput>;
  cancel: ReactNode;
}) {
  const { input, starting } = props;
  const ready = typeof input !== 'string';
  const preview = useQuery({
    ...replayPreviewQuery(ready ? input : { endpoint_id: '', since: '' }),
    enabled: ready,
    placeholderData: keepPreviousData,
  });
  const total = preview.data?.total;
  const failed = starting.error ?? (ready ? preview.error : null);
  return (
    <>
      <div className="svc-notice svc-tone-info replay__preview" role="status">
        <p className="svc-notice__title">{ready ? headline(total) : 'Not ready yet'}</p>
        <p>{ready ? explain(input, total) : input}</p>
      </div>
      <p className="svc-field__error" role="alert">
        {failed?.message}
      </p>
      <div className="form__actions">
        <button
          type="submit"
          className="svc-button"
          aria-busy={starting.isPending || preview.isFetching}
          disabled={!ready || !total}
        >
          {total ? `Send ${countMessages(total)} again` : 'Send again'}
        </button>
        {props.cancel}
      </div>
    </>
  );
}

function headline(total: number | undefined): string {
  if (total === undefined) return 'Counting …';
  return total === 0 ? 'No messages match' : countMessages(total);
}

function explain({ filter }: ReplayInput, total: number | undefined): string {
  if (total === undefined) return 'One moment.';
  if (total === 0) return 'Choose a longer time range or more kinds of messages.';
  const again = filter?.states?.includes('delivered')
    ? ' Some were already delivered. Your server can recognize them by their webhook-id.'
    : '';
  return `Each message is sent with its original id and body, and a new signature.${again}`;
}
