import type { TypedMoney } from '@svc/contract/money';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useFlow } from '../flow/flow.ts';
import { caretAfter } from '../format/digits.ts';
import { formatMoney } from '../format/money.ts';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/use-words.ts';

interface FieldProps {
  /** The field's name in the API, by which its errors are found. */
  name: string;
  label: string;
  hint?: string;
  prefix?: string;
  input: InputHTMLAttributes<HTMLInputElement> & { value: string };
  /** Reformats the value while it is typed. The caret stays after the same digit. */
  group?: (text: string) => string;
  onValue: (value: string) => void;
}

export function Field({ name, label, hint, prefix, input, group, onValue }: FieldProps) {
  const error = useFieldError(name);
  return (
    <div class="svc-field">
      <label class="svc-field__label" for={name}>
        {label}
      </label>
      {hint !== undefined && (
        <span class="svc-field__hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      <span class="field-box">
        {prefix !== undefined && (
          <span class="field-box__prefix" aria-hidden="true">
            {prefix}
          </span>
        )}
        <input
          {...input}
          id={name}
          name={name}
          class="svc-field__input"
          required
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(name, hint, error)}
          onInput={({ currentTarget }) => {
            if (group !== undefined) regroup(currentTarget, group(currentTarget.value));
            onValue(currentTarget.value);
          }}
        />
      </span>
      <FieldError name={name} />
    </div>
  );
}

/** Returns the error for an amount with two readings, such as `1.500`. It asks which one is meant. */
export function unclearAmount(
  { readings: [more, less] }: Extract<TypedMoney, { kind: 'unclear' }>,
  locale: string,
): (words: Words) => string {
  return (words) => words.unclearAmount(formatMoney(more, locale), formatMoney(less, locale));
}

/** Precedes the fields of a form, which must all be filled in, except those that say that they are optional. */
export function RequiredNote({ hasOptional = false }: { hasOptional?: boolean }) {
  const { allRequired, othersRequired } = useWords().words;
  return <p class="quiet">{hasOptional ? othersRequired : allRequired}</p>;
}

function regroup(input: HTMLInputElement, grouped: string): void {
  const { value, selectionStart } = input;
  if (value === grouped) return;
  const caret = caretAfter(value, selectionStart ?? value.length, grouped);
  input.value = grouped;
  input.setSelectionRange(caret, caret);
}

export function FieldError({ name }: { name: string }) {
  const error = useFieldError(name);
  return (
    <span class="svc-field__error" id={`${name}-error`}>
      {error}
    </span>
  );
}

interface CheckboxProps {
  name: string;
  checked: boolean;
  onValue: (checked: boolean) => void;
  note?: string;
  /** True if the form can't be sent without it. */
  required?: boolean;
  children: ComponentChildren;
}

/** A checkbox in a card. The whole card can be clicked. */
export function Checkbox(props: CheckboxProps) {
  const { name, checked, onValue, note, required = false, children } = props;
  const error = useFieldError(name);
  return (
    <div class="svc-field">
      <label class="checkbox">
        <input
          type="checkbox"
          class="checkbox__box"
          name={name}
          checked={checked}
          required={required}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(name, undefined, error)}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
        <span>
          {children}
          {note !== undefined && <span class="checkbox__note">{note}</span>}
        </span>
      </label>
      <FieldError name={name} />
    </div>
  );
}

function useFieldError(name: string): string | undefined {
  const { words } = useWords();
  return useFlow().store.fieldErrors.value[name]?.(words);
}

function describedBy(name: string, hint?: string, error?: string): string | undefined {
  const ids = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(' ');
}
