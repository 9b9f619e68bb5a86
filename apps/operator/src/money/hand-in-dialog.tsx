import { largestBankFile } from '@svc/contract/operator';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { handInFile } from '../api/bank-files.ts';
import { ActForm, FileField, MoneyDialogButton } from '../commands/act-form.tsx';
import { useFreshProof } from '../session/use-fresh-proof.tsx';

/** Opens the dialog that hands in a file of the bank. */
export function HandInButton() {
  return (
    <MoneyDialogButton label="Hand in a file…">
      {(close) => <HandInForm onDone={close} />}
    </MoneyDialogButton>
  );
}

function HandInForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const { prove, dialog: proofDialog } = useFreshProof();
  const [file, setFile] = useState<File | null>(null);
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
      isReady={file !== null}
      isPending={sending.isPending}
      onAct={() => file && sending.mutate(file)}
      error={sending.error?.message ?? null}
      proofDialog={proofDialog}
    >
      <FileField
        hint="Up to 4 MiB, named as the bank named it."
        most={largestBankFile}
        tooLarge="This file is larger than 4 MiB. Put it into the folder."
        onChange={(chosen) => {
          sending.reset();
          setFile(chosen);
        }}
      />
    </ActForm>
  );
}
