import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';

interface Act {
  /** The label of the confirming button. */
  act: string;
  danger?: boolean;
  pending: boolean;
  disabled?: boolean;
  /** Called on confirmation, or the id of the form that the button submits. */
  onAct: (() => void) | string;
}

/** Asks for confirmation before an action. Escape and Cancel close it without acting. */
export function ConfirmDialog(
  props: Act & {
    open: boolean;
    onClose: () => void;
    title: string;
    children: ReactNode;
    error: Error | null;
    /** The label of the dismissing button. Default: "Cancel". */
    cancel?: string;
  },
) {
  return (
    <AlertDialog.Root open={props.open} onOpenChange={(open) => open || props.onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="svc-dialog dialog">
          <AlertDialog.Title className="svc-dialog__title">{props.title}</AlertDialog.Title>
          <AlertDialog.Description render={<div className="dialog__text" />}>
            {props.children}
          </AlertDialog.Description>
          {props.error ? (
            <p className="svc-field__error" role="alert">
              {props.error.message}
            </p>
          ) : null}
          <div className="svc-dialog__actions">
            <AlertDialog.Close className="svc-button svc-button--secondary svc-button--small">
              {props.cancel ?? 'Cancel'}
            </AlertDialog.Close>
            <ActButton {...props} />
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function ActButton({ act, danger = false, pending, disabled = false, onAct }: Act) {
  const sendsForm = typeof onAct === 'string';
  return (
    <button
      type={sendsForm ? 'submit' : 'button'}
      form={sendsForm ? onAct : undefined}
      className={`svc-button svc-button--small ${danger ? 'svc-button--danger' : ''}`}
      aria-busy={pending}
      disabled={disabled}
      onClick={() => pending || sendsForm || onAct()}
    >
      {act}
    </button>
  );
}
