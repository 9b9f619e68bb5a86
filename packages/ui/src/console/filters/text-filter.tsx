import { type SubmitEvent, useId, useState } from 'react';
import { Field } from '../parts/field.tsx';
import { closeFloating, Floating } from '../parts/floating.tsx';
import { chipLabel, RemoveChipButton } from './menu-filter.tsx';

interface Facet {
  label: string;
  value: string | undefined;
  input: string;
  submit: string;
  maxLength: number;
  /** Suggested values. Others can be typed. */
  known?: readonly string[];
  /** Returns an error message for a typed value, or null if it is valid. */
  check?: (value: string) => string | null;
  onChange: (value: string | undefined) => void;
}

/** A filter by one exact value that the user types, such as a tenant ID. */
export function TextFilter(facet: Facet) {
  const { label, value, onChange } = facet;
  return (
    <span className="chip" data-set={value !== undefined}>
      <Floating
        className="chip__words"
        name={label}
        popup="dialog"
        align="start"
        panelClassName="filter-panel"
        face={chipLabel(label, value)}
        onOpen={(panel) => panel.querySelector('input')?.focus()}
      >
        {() => <TextForm {...facet} />}
      </Floating>
      <RemoveChipButton
        label={label}
        shown={value !== undefined}
        onRemove={() => onChange(undefined)}
      />
    </span>
  );
}

function TextForm({ value = '', input, submit, maxLength, known = [], check, onChange }: Facet) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const wrong = check?.(typed) ?? null;
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (wrong !== null) return;
    closeFloating(event.currentTarget);
    onChange(typed === '' ? undefined : typed);
  };
  return (
    <form className="filter-panel__form" onSubmit={apply}>
      <Field label={input} error={wrong}>
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input svc-field__input--small"
            autoComplete="off"
            spellCheck={false}
            maxLength={maxLength}
            list={known.length > 0 ? `${id}-known` : undefined}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <datalist id={`${id}-known`}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <button type="submit" className="svc-button svc-button--secondary svc-button--small">
        {submit}
      </button>
    </form>
  );
}
