import type { SvcEnvironment } from '@svc/contract';
import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { Endpoint } from '../api/endpoints.ts';
import { useSession } from '../session/use-session.ts';
import { EventTypePicker } from '../subscriptions/event-type-picker.tsx';
import { checkChannels } from '../subscriptions/read-channels.ts';
import { AuthFields } from './auth-fields.tsx';
import { checkUid, checkUrl, describeUrlRisk } from './check-endpoint.ts';
import type { Draft, PartProps } from './endpoint-draft.ts';
import { checkFilterText } from './filter-text.ts';
import { MoreFields, moreFields } from './more-fields.tsx';
import './endpoint-form.css';

/** The form to create or edit an endpoint. */
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
  useEffect(() => {
    if (props.error) focusRefused(form.current);
  }, [props.error]);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const noTypes = draft.eventTypes?.length === 0;
  const part = { draft, stored: props.stored, error: props.error, onChange: change };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    const faulty = faultyField(draft, environment);
    if (faulty === null) return props.onSubmit(draft);
    const field = form.current?.querySelector<HTMLElement>(faulty);
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  };
  return (
    <form className="form" ref={form} onSubmit={submit} noValidate>
      <UrlField {...part} tried={tried} />
      <DescriptionField {...part} />
      <EventTypePicker
        chosen={draft.eventTypes}
        onChange={(eventTypes) => change({ eventTypes })}
        error={
          tried && noTypes
            ? 'Choose at least one type, or all events.'
            : fieldError(props.error, 'event_types')
        }
      />
      <AuthFields {...part} />
      <MoreFields {...part} />
      <p className="svc-field__error" role="alert">
        {generalError(props.error, fieldNames)}
      </p>
      <div className="form__actions">
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

/** Focuses the first field that the service rejected. */
function focusRefused(form: HTMLFormElement | null): void {
  const message = form?.querySelector('.svc-field > .svc-field__error:not(:empty)');
  message?.closest('details')?.setAttribute('open', '');
  message?.closest('.svc-field')?.querySelector<HTMLElement>('input, textarea')?.focus();
}

/** The selector of the first field that fails client-side validation, or null. */
function faultyField(draft: Draft, environment: SvcEnvironment): string | null {
  if (checkUrl(draft.url, environment) !== null) return 'input';
  if (draft.eventTypes?.length === 0) return '.types input';
  const wrong = [checkChannels(draft.channels), checkUid(draft.uid), checkFilterText(draft.filter)];
  return wrong.every((it) => it === null) ? null : '.more [aria-invalid="true"]';
}

function UrlField(props: PartProps & { tried: boolean }) {
  const { draft, tried, error, onChange } = props;
  const { environment } = useSession();
  const [isTouched, setTouched] = useState(false);
  const wrong = draft.url === '' && !tried ? null : checkUrl(draft.url, environment);
  const refused = fieldError(error, 'url');
  return (
    <Field
      label="URL"
      error={isTouched || tried || wrong === null ? (wrong ?? refused) : null}
      hint={
        describeUrlRisk(draft.url) ??
        wrong ??
        'It must respond to a POST with a status from 200 to 299 within 15 seconds.'
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
          onBlur={() => setTouched(draft.url !== '')}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      )}
    </Field>
  );
}

function DescriptionField({ draft, error, onChange }: PartProps) {
  return (
    <Field
      label="Description"
      optional
      hint="For your team: what receives these events and who maintains it."
      error={fieldError(error, 'description')}
    >
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input"
          maxLength={500}
          value={draft.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      )}
    </Field>
  );
}

const fieldNames = ['url', 'description', 'event_types', 'auth', ...moreFields];
