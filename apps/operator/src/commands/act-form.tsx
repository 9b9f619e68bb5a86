import { Dialog } from '@base-ui/react/dialog';
import { Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import { visibleLines } from '@svc/ui/console/text/visible-text.ts';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { usePermission } from '../session/use-session.ts';
import './command-dialog.css';

export function ActDialog(props: { open: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <Dialog.Root open={props.open} onOpenChange={(open) => open || props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog command">{props.children}</Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Opens a dialog. People who may not move money do not see it. */
export function MoneyDialogButton(props: {
  label: string;
  children: (close: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!usePermission('money')) return null;
  return (
    <>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => setOpen(true)}
      >
        {props.label}
      </button>
      <ActDialog open={open} onClose={close}>
        {props.children(close)}
      </ActDialog>
    </>
  );
}

/** The form of an action inside of an ActDialog. */
export function ActForm(props: {
  title: string;
  about: ReactNode;
  /** The label of the submit button. */
  act: string;
  isDangerous?: boolean;
  isReady: boolean;
  isPending: boolean;
  onAct: () => void;
  /** An error that no field shows. */
  error: string | null;
  /** The dialog of `useFreshProof`. */
  proofDialog: ReactNode;
  children: ReactNode;
}) {
  const { isReady, isPending, isDangerous = false } = props;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady && !isPending) props.onAct();
  };
  return (
    <form className="command__form" onSubmit={submit}>
      <div>
        <Dialog.Title className="svc-dialog__title">{props.title}</Dialog.Title>
        <Dialog.Description className="command__about">{props.about}</Dialog.Description>
      </div>
      {props.children}
      {props.error === null ? null : (
        <p className="svc-field__error" role="alert">
          {props.error}
        </p>
      )}
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
          Cancel
        </Dialog.Close>
        <button
          type="submit"
          className={`svc-button svc-button--small ${isDangerous ? 'svc-button--danger' : ''}`}
          aria-busy={isPending}
          disabled={!isReady}
        >
          {props.act}
        </button>
      </div>
      {props.proofDialog}
    </form>
  );
}

export function ReasonField(props: {
  reason: string;
  optional?: boolean;
  error: Error | null;
  onChange: (reason: string) => void;
}) {
  return (
    <Field
      label="Reason"
      optional={props.optional ?? false}
      hint={`${props.optional ? '' : `At least ${shortestReason} characters. `}The audit log keeps it with your name.`}
      error={fieldError(props.error, 'reason')}
    >
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input"
          maxLength={200}
          autoComplete="off"
          value={props.reason}
          onChange={({ target }) => props.onChange(target.value)}
        />
      )}
    </Field>
  );
}

const shortestReason = 4;

/** Returns whether a required reason is long enough for the service. */
export function isReason(reason: string): boolean {
  return reason.trim().length >= shortestReason;
}

export function FileField(props: {
  hint: string;
  /** The largest file that is accepted, in bytes. */
  most: number;
  /** The message for a larger file. `onChange` is then called with null. */
  tooLarge: string;
  onChange: (file: File | null) => void;
}) {
  const [isTooLarge, setTooLarge] = useState(false);
  const choose = (file: File | null) => {
    const isTaken = file === null || file.size <= props.most;
    setTooLarge(!isTaken);
    props.onChange(isTaken ? file : null);
  };
  return (
    <Field label="File" hint={props.hint} error={isTooLarge ? props.tooLarge : null}>
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input"
          type="file"
          // The browser fires no change event when the same file is chosen again, so a corrected file would be missed.
          onClick={({ currentTarget }) => {
            currentTarget.value = '';
            choose(null);
          }}
          onChange={({ target }) => choose(target.files?.[0] ?? null)}
        />
      )}
    </Field>
  );
}

/** The action's expected effect, once the service has returned it. */
export function Preview({ text }: { text: string | null }) {
  return (
    <div className="command__preview" role="status">
      {text === null ? null : (
        <div className="svc-notice svc-tone-info">
          <p className="svc-notice__title">If you go ahead</p>
          <p className="command__lines">{visibleLines(text.trim())}</p>
        </div>
      )}
    </div>
  );
}

/** The result of the action. */
export function Outcome(props: { title: string; text: string }) {
  return (
    <div className="command__form">
      <Dialog.Title className="svc-dialog__title">{props.title}</Dialog.Title>
      <p className="command__about command__lines" role="status">
        {visibleLines(props.text.trim())}
      </p>
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--small">Done</Dialog.Close>
      </div>
    </div>
  );
}

export function WaitsForApproval({ message }: { message: string }) {
  return <Outcome title="Waits for a second person" text={message} />;
}
