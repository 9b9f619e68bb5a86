import type { Option } from '@svc/ui/console/filters/menu-filter.tsx';
import { Field } from '@svc/ui/console/parts/field.tsx';
import { useNow } from '@svc/ui/console/time/clock.ts';
import { keepPreviousData, type UseMutationResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useId, useMemo, useState } from 'react';
import type { Endpoint } from '../api/endpoints.ts';
import { type Replay, type ReplayInput, replayPreviewQuery } from '../api/replays.ts';
import { errorClassOptions, statusClassOptions } from '../deliveries/result-options.ts';
import { EndpointSelect } from '../subscriptions/endpoint-select.tsx';
import { EventTypePicker } from '../subscriptions/event-type-picker.tsx';
import { countMessages, replayedStates } from './describe-replay.ts';
import {
  type ReplayDraft,
  type ReplaySearch,
  replayInput,
  replayOf,
  windows,
} from './replay-draft.ts';

export function ReplayForm(props: {
  endpoints: readonly Endpoint[];
  /** Filters of the list of deliveries that the form begins with. */
  search: ReplaySearch;
  starting: UseMutationResult<Replay, Error, ReplayInput>;
  cancel: ReactNode;
}) {
  const { endpoints, starting } = props;
  const first = endpoints.find(({ id }) => id === props.search.endpoint_id) ?? endpoints[0];
  const [draft, setDraft] = useState(() => replayOf(first?.id ?? '', props.search));
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
      <Limits
        draft={draft}
        onChange={change}
        channels={[...new Set(endpoints.flatMap(({ channels }) => channels ?? []))]}
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

/** Limits the replay to results, a tenant, or a channel. Open if one of them is set. */
function Limits(props: {
  draft: ReplayDraft;
  onChange: (part: Partial<ReplayDraft>) => void;
  channels: readonly string[];
}) {
  const { draft, onChange } = props;
  const listId = useId();
  const [open] = useState(() =>
    [draft.statusClass, draft.errorClass, draft.tenant, draft.channel].some(Boolean),
  );
  return (
    <details className="replay__limits" open={open}>
      <summary>Only some of these messages</summary>
      <div className="replay__limits-fields">
        <ResultSelect
          label="Status of the last attempt"
          value={draft.statusClass}
          options={statusClassOptions}
          onChange={(statusClass) => onChange({ statusClass })}
        />
        <ResultSelect
          label="Error of the last attempt"
          value={draft.errorClass}
          options={errorClassOptions}
          onChange={(errorClass) => onChange({ errorClass })}
        />
        <Field label="Tenant id" optional>
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input"
              autoComplete="off"
              spellCheck={false}
              maxLength={255}
              value={draft.tenant}
              onChange={(event) => onChange({ tenant: event.target.value })}
            />
          )}
        </Field>
        <Field label="Channel" optional>
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              list={listId}
              value={draft.channel}
              onChange={(event) => onChange({ channel: event.target.value.trim() })}
            />
          )}
        </Field>
        <datalist id={listId}>
          {props.channels.map((channel) => (
            <option key={channel} value={channel} />
          ))}
        </datalist>
      </div>
    </details>
  );
}

function ResultSelect(props: {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}) {
  return (
    <Field label={props.label}>
      {(wiring) => (
        <select
          {...wiring}
          className="svc-field__input"
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        >
          <option value="">Any</option>
          {props.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Selects the time range: a preset, or start and end times in the viewer's zone. */
function WindowFields(props: {
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
function ReplayPreview(props: {
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
        <p>{ready ? explainPreview(input, total) : input}</p>
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

function explainPreview({ filter }: ReplayInput, total: number | undefined): string {
  if (total === undefined) return 'One moment.';
  if (total === 0) return 'Choose a longer time range or more kinds of messages.';
  const again = filter?.states?.includes('delivered')
    ? ' Some were already delivered. Your server can recognize them by their webhook-id.'
    : '';
  return `Each message is sent with its original id and body, and a new signature.${again}`;
}
