import { Field } from './field.tsx';

/** Asks for the six digits that were sent. Its errors are stored under the name `code`. */
export function CodeField(props: {
  label: string;
  value: string;
  onValue: (value: string) => void;
}) {
  return (
    <Field
      name="code"
      label={props.label}
      input={{
        value: props.value,
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
        enterKeyHint: 'go',
        maxLength: 7,
      }}
      onValue={props.onValue}
    />
  );
}
