import { largestBankFile } from '@svc/contract/operator';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { handInFile } from '../api/bank-files.ts';
import { ActDialog, ActForm, FileField } from '../commands/act-form.tsx';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import { usePermission } from '../session/use-session.ts';

/** Opens the dialog that hands in a file of the bank. People who may not move money do not see it. */
export function HandInButton() {
  const [open, setOpen] = useState(false);
  if (!usePermission('money')) return null;
  return (
    <>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => setOpen(true)}
      >
        Hand in a file…
      </button>
      <ActDialog open={open} onClose={() => setOpen(false)}>
        <HandInForm onDone={() => setOpen(false)} />
      </ActDialog>
    </>
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
  return (
    <ActForm
      title="Hand in a file of the bank"
      about="Returns and corrections in Nacha format, or the acknowledgement of a file of ours, whose name ends with .ack. A file that was read before changes nothing."
      act="Hand it in"
      isReady={file !== null && !isTooLarge}
      isPending={sending.isPending}
      onAct={() => file && sending.mutate(file)}
      error={sending.error?.message ?? null}
      proofDialog={proofDialog}
    >
      <FileField
        hint="Up to 4 MiB, named as the bank named it."
        error={isTooLarge ? 'This file is larger than 4 MiB. Put it into the folder.' : null}
        onChange={(chosen) => {
          sending.reset();
          setFile(chosen);
        }}
      />
    </ActForm>
  );
}
