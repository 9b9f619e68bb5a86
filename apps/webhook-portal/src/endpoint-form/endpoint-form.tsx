import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import type { Endpoint } from '../api/endpoints.ts';
import { Field } from '../parts/field.tsx';
import { useSession } from '../session/session-gate.tsx';
import { AuthFields } from './auth-fields.tsx';
import { checkUrl, noteOnUrl } from './check-url.ts';
import type { Draft } from './draft.ts';
import { EventTypePicker } from './event-type-picker.tsx';
import { fieldError, generalError } from './field-error.ts';
import { MoreFields } from './more-fields.tsx';
import './endpoint-form.css';

/** Everything of an endpoint on one screen, for making and for editing. */
export function EndpointForm(props: {
  initial: Draft;
  stored: Endpoint | null;
  submit: string;
  pending: boolean;
  error: Error | null;
  onSubmit: (draft: Draft) => void;
  cancel: ReactNode;
}) {
  const [draft, setDraft] = useState(props.initial);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { environment } = useSession();
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const noTypes = draft.eventTypes?.length === 0;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (checkUrl(draft.url, environment) === null && !noTypes) return props.onSubmit(draft);
    form.current?.querySelector<HTMLElement>(noTypes ? '.types input' : 'input')?.focus();
  };
  return (
    <form className="endpoint-form" ref={form} onSubmit={submit} noValidate>
      <UrlField draft={draft} tried={tried} error={props.error} onChange={change} />
      <Field
        label="Description"
        optional
        hint="For people: what receives here, and who looks after it."
        error={fieldError(props.error, 'description')}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            maxLength={500}
            value={draft.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
      <EventTypePicker
        chosen={draft.eventTypes}
        onChange={(eventTypes) => change({ eventTypes })}
        error={
          tried && noTypes
            ? 'Choose at least one type, or all.'
            : fieldError(props.error, 'event_types')
        }
      />
      <AuthFields draft={draft} stored={props.stored} error={props.error} onChange={change} />
      <MoreFields draft={draft} stored={props.stored} error={props.error} onChange={change} />
      <p className="svc-field__error" role="alert">
        {generalError(props.error, fieldNames)}
      </p>
      <div className="endpoint-form__actions">
        <button
          type="submit"
          className="svc-button"
          aria-busy={props.pending}
          disabled={props.pending}
        >
          {props.submit}
        </button>
        {props.cancel}
      </div>
    </form>
  );
}

export interface PartProps {
  draft: Draft;
  stored: Endpoint | null;
  error: Error | null;
  onChange: (part: Partial<Draft>) => void;
}

function UrlField(props: Omit<PartProps, 'stored'> & { tried: boolean }) {
  const { draft, tried, error, onChange } = props;
  const { environment } = useSession();
  const [left, setLeft] = useState(false);
  const wrong = draft.url === '' && !tried ? null : checkUrl(draft.url, environment);
  const refused = fieldError(error, 'url');
  return (
    <Field
      label="URL"
      error={left || tried || wrong === null ? (wrong ?? refused) : null}
      hint={
        noteOnUrl(draft.url) ??
        wrong ??
        'It answers a POST with any status from 200 to 299 within 15 seconds.'
      }
    >
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input svc-field__input--code"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/webhooks"
          value={draft.url}
          onBlur={() => setLeft(draft.url !== '')}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      )}
    </Field>
  );
}

const fieldNames = [
  'url',
  'description',
  'event_types',
  'auth',
  'headers',
  'throttle_per_second',
  'secret',
];
