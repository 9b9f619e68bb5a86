import { largestStatementFile } from '@svc/contract/operator';
import { Field, generalError } from '@svc/ui/console/parts/field.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { booksDaysQuery, uploadStatement } from '../api/money.ts';
import {
  ActForm,
  FileField,
  isReason,
  MoneyDialogButton,
  Outcome,
  Preview,
  ReasonField,
} from '../commands/act-form.tsx';
import { useFreshProof } from '../session/use-fresh-proof.tsx';

interface Given {
  /** The account, if it is known. */
  readonly bank?: string;
  /** True if the bank sent days again that are already stored. */
  readonly isReplacing?: boolean;
}

/** Opens the dialog that sends a file of statements. */
export function ImportButton({ children, ...given }: Given & { children: string }) {
  return (
    <MoneyDialogButton label={children}>{() => <ImportForm given={given} />}</MoneyDialogButton>
  );
}

function ImportForm({ given }: { given: Given }) {
  const client = useQueryClient();
  const { prove, dialog: proofDialog } = useFreshProof();
  const accounts = useQuery(booksDaysQuery).data?.accounts ?? [];
  const [bank, setBank] = useState(given.bank ?? '');
  const [file, setFile] = useState<File | null>(null);
  const [isReplacing, setReplacing] = useState(given.isReplacing ?? false);
  const [reason, setReason] = useState('');
  const [preview, setPreview] = useState<string | null>(null);
  const chosenBank = bank === '' && accounts.length === 1 ? (accounts[0]?.name ?? '') : bank;
  const sending = useMutation({
    mutationFn: (isPreview: boolean) =>
      prove(() =>
        uploadStatement({
          bank: chosenBank,
          file: file as File,
          ...(isReplacing && { replace: { reason: reason.trim(), isPreview } }),
        }),
      ),
    onSuccess: ({ text }, isPreview) => {
      if (isPreview) setPreview(text);
      else void client.invalidateQueries();
    },
  });
  if (sending.data && sending.variables === false) {
    return <Outcome title="Done" text={sending.data.text} />;
  }
  const needsPreview = isReplacing && preview === null;
  const isReady = chosenBank !== '' && file !== null && (!isReplacing || isReason(reason));
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setPreview(null);
      sending.reset();
      set(value);
    };
  return (
    <ActForm
      title={isReplacing ? 'Replace a statement' : 'Import a statement'}
      about="CSV, BAI2 or camt.053, as your bank sent it. A file with a mistake changes nothing."
      act={needsPreview ? 'Preview' : isReplacing ? 'Replace' : 'Import'}
      isDangerous={isReplacing && !needsPreview}
      isReady={isReady}
      isPending={sending.isPending}
      onAct={() => sending.mutate(needsPreview)}
      error={generalError(sending.error, ['reason'])}
      proofDialog={proofDialog}
    >
      <Field label="Account">
        {(wiring) => (
          <select
            {...wiring}
            className="svc-field__input"
            value={chosenBank}
            onChange={({ target }) => changed(setBank)(target.value)}
          >
            <option value="">Choose</option>
            {accounts.map(({ name, account_last4 }) => (
              <option key={name} value={name}>
                {name} •••• {account_last4}
              </option>
            ))}
          </select>
        )}
      </Field>
      <FileField
        hint="Up to 32 MiB. Statements of other accounts in it are left out."
        most={largestStatementFile}
        tooLarge="This file is larger than 32 MiB. Split it by day."
        onChange={changed(setFile)}
      />
      <label className="command__flag">
        <input
          type="checkbox"
          checked={isReplacing}
          onChange={({ target }) => changed(setReplacing)(target.checked)}
        />
        <span>
          The bank sent these days again
          <span className="command__flag-hint">
            Replaces the stored statements of exactly these days, and undoes their matches.
          </span>
        </span>
      </label>
      {isReplacing ? (
        <ReasonField reason={reason} error={sending.error} onChange={changed(setReason)} />
      ) : null}
      <Preview text={preview} />
    </ActForm>
  );
}
