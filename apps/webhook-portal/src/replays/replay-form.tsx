import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useMemo, useState } from 'react';
import type { Endpoint } from '../api/endpoints.ts';
import type { Replay, ReplayInput } from '../api/replays.ts';
import { Field } from '../components/field.tsx';
import { useNow } from '../components/time/clock.ts';
import { EndpointSelect } from '../subscriptions/endpoint-select.tsx';
import { EventTypePicker } from '../subscriptions/event-type-picker.tsx';
import { replayedStates } from './describe-replay.ts';
import { emptyReplay, type ReplayDraft, replayInput } from './replay-draft.ts';
import { ReplayPreview } from './replay-preview.tsx';
import { WindowFields } from './window-fields.tsx';
import '../endpoints/endpoint-form.css';

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
    <form className="endpoint-form" onSubmit={submit} noValidate>
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
        label="At most this many a second"
        optional
        hint="Empty: as fast as the endpoint’s own rate allows."
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
