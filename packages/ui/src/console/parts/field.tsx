import { type ReactNode, useId } from 'react';
import { ApiError } from '../api/client.ts';

/** A form control with its label, hint, and error. The error replaces the hint so the layout does not shift. */
export function Field(props: {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  optional?: boolean;
  children: (wiring: FieldWiring) => ReactNode;
}) {
  const id = useId();
  const { label, hint, error, optional = false, children } = props;
  const described = hint && !error ? `${id}-hint` : `${id}-error`;
  return (
    <div className="svc-field">
      <label className="svc-field__label" htmlFor={id}>
        {label}
        {optional ? <span className="field__optional"> (optional)</span> : null}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': Boolean(error) })}
      {hint && !error ? (
        <span className="svc-field__hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
      <span className="svc-field__error" id={`${id}-error`}>
        {error}
      </span>
    </div>
  );
}

/** The attributes that tie a form control to its label, hint and error. */
export interface FieldWiring {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

/** A single-line field for machine-readable text, such as an ID or a secret. */
export function CodeField(props: {
  label: string;
  optional?: boolean;
  hint: ReactNode;
  error: string | null;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { label, optional = false, hint, error, placeholder, value, onChange } = props;
  return (
    <Field label={label} optional={optional} hint={hint} error={error}>
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input svc-field__input--code"
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** The service's error for one field or anything nested in it (`auth` includes `auth.name`), or null. */
export function fieldError(error: Error | null, name: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const inside = (param: string) =>
    param === name || param.startsWith(`${name}.`) || param.startsWith(`${name}[`);
  return error.fields.find(({ param }) => inside(param))?.message ?? null;
}

/** The error to show for the whole form: null if one of the fields `names` shows it already. */
export function generalError(error: Error | null, names: readonly string[]): string | null {
  if (error === null || names.some((name) => fieldError(error, name) !== null)) return null;
  return error.message;
}
