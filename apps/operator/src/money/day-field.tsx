import { useId } from 'react';
import { isDay } from './describe-books.ts';

/** A field for a day in the page's address. `onChange` gets undefined if it is cleared. */
export function DayField(props: {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}) {
  const { label, value, onChange } = props;
  const id = useId();
  return (
    <span className="day-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className="svc-field__input svc-field__input--small"
        value={value ?? ''}
        onChange={({ target }) => onChange(isDay(target.value) ? target.value : undefined)}
      />
    </span>
  );
}
