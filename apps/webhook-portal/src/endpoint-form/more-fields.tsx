import { Field } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { visibleText } from '../text/visible-text.ts';
import type { HeaderDraft } from './draft.ts';
import type { PartProps } from './endpoint-form.tsx';
import { fieldError } from './field-error.ts';

/** What most never need: custom headers, a rate, 410 Gone, a secret of one's own. */
export function MoreFields({ draft, stored, error, onChange }: PartProps) {
  const faulty = ['headers', 'throttle_per_second', 'secret'].some((name) =>
    fieldError(error, name),
  );
  return (
    <details className="more" open={faulty || undefined}>
      <summary>Headers, rate and more</summary>
      <div className="more__fields">
        <Headers draft={draft} stored={stored} error={error} onChange={onChange} />
        <Field
          label="At most this many a second"
          optional
          hint="Deliveries wait for their turn; none is lost."
          error={fieldError(error, 'throttle_per_second')}
        >
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input more__rate"
              type="number"
              min={1}
              max={10_000}
              step={1}
              inputMode="numeric"
              value={draft.throttle}
              onChange={(event) => onChange({ throttle: event.target.value })}
            />
          )}
        </Field>
        <label className="choices">
          <span>
            <input
              type="checkbox"
              checked={draft.disableOnGone}
              onChange={(event) => onChange({ disableOnGone: event.target.checked })}
            />
            Disable the endpoint when it answers 410 Gone
          </span>
        </label>
        {stored ? null : (
          <Field
            label="Signing secret of your own"
            optional
            hint="whsec_ and base64. Left empty, a new one is made, which is safer."
            error={fieldError(error, 'secret')}
          >
            {(wiring) => (
              <input
                {...wiring}
                className="svc-field__input svc-field__input--code"
                autoComplete="off"
                spellCheck={false}
                value={draft.secret}
                onChange={(event) => onChange({ secret: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
    </details>
  );
}

function Headers({ draft, stored, error, onChange }: PartProps) {
  const { headers } = draft;
  if (headers === null) {
    return (
      <div className="svc-field">
        <span className="svc-field__label">Custom headers</span>
        <p className="endpoint-form__kept">
          <span>{visibleText(stored?.header_names.join(', ') ?? '')}; the values are hidden</span>
          <button
            type="button"
            className="svc-button svc-button--secondary svc-button--small"
            onClick={() => onChange({ headers: [newHeader([])] })}
          >
            Replace all
          </button>
        </p>
      </div>
    );
  }
  const change = (key: number, part: Partial<HeaderDraft>) =>
    onChange({
      headers: headers.map((header) => (header.key === key ? { ...header, ...part } : header)),
    });
  return (
    <fieldset className="svc-field">
      <legend className="svc-field__label">Custom headers</legend>
      {headers.map(({ key, name, value }, index) => (
        <div className="header-pair" key={key}>
          <input
            className="svc-field__input svc-field__input--code"
            aria-label={`Header ${index + 1}, name`}
            placeholder="x-team"
            autoComplete="off"
            value={name}
            onChange={(event) => change(key, { name: event.target.value })}
          />
          <input
            className="svc-field__input svc-field__input--code"
            aria-label={`Header ${index + 1}, value`}
            placeholder="value"
            autoComplete="off"
            value={value}
            onChange={(event) => change(key, { value: event.target.value })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove header ${index + 1}`}
            onClick={() => onChange({ headers: headers.filter((header) => header.key !== key) })}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small header-pair__add"
        onClick={() => onChange({ headers: [...headers, newHeader(headers)] })}
      >
        <Icon name="plus" /> Add a header
      </button>
      <span className="svc-field__error">{fieldError(error, 'headers')}</span>
    </fieldset>
  );
}

function newHeader(headers: readonly HeaderDraft[]): HeaderDraft {
  return { key: Math.max(0, ...headers.map(({ key }) => key)) + 1, name: '', value: '' };
}
