import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';

/** Asks for a line of text, such as a reason, before it acts. */
export function TextDialog(props: {
  title: string;
  /** The label of the confirming button. */
  act: string;
  label: string;
  hint: string;
  /** The text's name in the API. The API's errors for it are shown at the field. */
  param: string;
  least: number;
  most: number;
  acting: UseMutationResult<unknown, Error, string>;
  onClose: () => void;
  /** A sentence about the effect of the action. */
  about: string;
  /** Other fields, above the text. */
  children?: ReactNode;
}) {
  const { acting, param, label, hint, least, most } = props;
  const form = useId();
  const [text, setText] = useState('');
  const error = fieldError(acting.error, param);
  return (
    <ConfirmDialog
      open
      onClose={props.onClose}
      title={props.title}
      act={props.act}
      pending={acting.isPending}
      disabled={text.trim().length < least}
      error={error === null ? acting.error : null}
      onAct={form}
    >
      <p>{props.about}</p>
      <form
        id={form}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!acting.isPending) acting.mutate(text.trim());
        }}
      >
        {props.children}
        <Field label={label} hint={hint} error={error}>
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input"
              maxLength={most}
              autoComplete="off"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
      </form>
    </ConfirmDialog>
  );
}
