import { fieldError } from '@svc/ui/console/parts/field.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { HeaderDraft, PartProps } from './endpoint-draft.ts';

/** Custom request headers. Stored values are never shown again. */
export function HeaderFields({ draft, stored, error, onChange }: PartProps) {
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
