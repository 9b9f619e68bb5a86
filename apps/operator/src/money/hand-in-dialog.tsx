import { Dialog } from '@base-ui/react/dialog';
import { largestBankFile } from '@svc/contract/operator';
import { Field } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { handInFile } from '../api/bank-files.ts';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import { usePermission } from '../session/use-session.ts';

/** Opens the dialog that hands in a file of the bank. People who may not move money do not see it. */
export function HandInButton() {
  const [open, setOpen] = useState(false);
  if (!usePermission('money')) return null;
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="svc-button svc-button--secondary svc-button--small">
        Hand in a file…
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog command">
          <HandInForm onDone={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function HandInForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const { prove, dialog: proofDialog } = useFreshProof();
  const [file, setFile] = useState<File | null>(null);
  const isTooLarge = file !== null && file.size > largestBankFile;
  const sending = useMutation({
    mutationFn: (chosen: File) => prove(() => handInFile(chosen)),
    onSuccess: ({ name }) => {
      void client.invalidateQueries();
      showToast(`${visibleText(name)} will be read within a minute.`);
      onDone();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (file !== null && !isTooLarge && !sending.isPending) sending.mutate(file);
  };
  return (
    <form className="command__form" onSubmit={submit}>
      <div>
        <Dialog.Title className="svc-dialog__title">Hand in a file of the bank</Dialog.Title>
        <Dialog.Description className="command__about">
          Returns and corrections in Nacha format, or the acknowledgement of a file of ours, whose
          name ends with .ack. A file that was read before changes nothing.
        </Dialog.Description>
      </div>
      <Field
        label="File"
        hint="Up to 4 MiB, named as the bank named it."
        error={isTooLarge ? 'This file is larger than 4 MiB. Put it into the folder.' : null}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            type="file"
            onChange={({ target }) => {
              sending.reset();
              setFile(target.files?.[0] ?? null);
            }}
          />
        )}
      </Field>
      {sending.error ? (
        <p className="svc-field__error" role="alert">
          {sending.error.message}
        </p>
      ) : null}
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
          Cancel
        </Dialog.Close>
        <button
          type="submit"
          className="svc-button svc-button--small"
          aria-busy={sending.isPending}
          disabled={file === null || isTooLarge}
        >
          Hand it in
        </button>
      </div>
      {proofDialog}
    </form>
  );
}
