import { Dialog } from '@base-ui/react/dialog';
import { largestStatementFile } from '@svc/contract/operator';
import { Field } from '@svc/ui/console/parts/field.tsx';
import { visibleLines } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { booksDaysQuery, uploadStatement } from '../api/money.ts';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import { usePermission } from '../session/use-session.ts';

interface Given {
  /** The account, if it is known. */
  readonly bank?: string;
  /** Whether the bank sent days again that are stored. */
  readonly isReplacing?: boolean;
}

/** Opens the dialog that sends a file of statements. People who may not move money do not see it. */
export function ImportButton({ children, ...given }: Given & { children: string }) {
  const [open, setOpen] = useState(false);
  if (!usePermission('money')) return null;
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="svc-button svc-button--secondary svc-button--small">
        {children}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog command">
          <ImportForm given={given} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
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
  const isTooLarge = file !== null && file.size > largestStatementFile;
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
  if (sending.data && sending.variables === false) return <Imported text={sending.data.text} />;
  const needsPreview = isReplacing && preview === null;
  const isReady =
    chosenBank !== '' &&
    file !== null &&
    !isTooLarge &&
    (!isReplacing || reason.trim().length >= 4);
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setPreview(null);
      sending.reset();
      set(value);
    };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady && !sending.isPending) sending.mutate(needsPreview);
  };
  return (
    <form className="command__form" onSubmit={submit}>
      <div>
        <Dialog.Title className="svc-dialog__title">
          {isReplacing ? 'Replace a statement' : 'Import a statement'}
        </Dialog.Title>
        <Dialog.Description className="command__about">
          CSV, BAI2 or camt.053, as your bank sent it. A file with a mistake changes nothing.
        </Dialog.Description>
      </div>
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
      <Field
        label="File"
        hint="Up to 32 MiB. Statements of other accounts in it are left out."
        error={isTooLarge ? 'This file is larger than 32 MiB. Split it by day.' : null}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            type="file"
            onChange={({ target }) => changed(setFile)(target.files?.[0] ?? null)}
          />
        )}
      </Field>
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
        <Field label="Reason" hint="The audit log keeps it with your name.">
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input"
              maxLength={200}
              autoComplete="off"
              value={reason}
              onChange={({ target }) => changed(setReason)(target.value)}
            />
          )}
        </Field>
      ) : null}
      <div className="command__preview" role="status">
        {preview === null ? null : (
          <div className="svc-notice svc-tone-info">
            <p className="svc-notice__title">If you go ahead</p>
            <p className="money__lines">{visibleLines(preview.trim())}</p>
          </div>
        )}
      </div>
      {sending.error ? (
        <div className="svc-notice svc-tone-bad" role="alert">
          <p className="svc-notice__title">Nothing was changed</p>
          <p>{sending.error.message}</p>
        </div>
      ) : null}
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
          Cancel
        </Dialog.Close>
        <button
          type="submit"
          className={`svc-button svc-button--small ${
            isReplacing && !needsPreview ? 'svc-button--danger' : ''
          }`}
          aria-busy={sending.isPending}
          disabled={!isReady}
        >
          {needsPreview ? 'Preview' : isReplacing ? 'Replace' : 'Import'}
        </button>
      </div>
      {proofDialog}
    </form>
  );
}

function Imported({ text }: { text: string }) {
  return (
    <div className="command__form">
      <Dialog.Title className="svc-dialog__title">Done</Dialog.Title>
      <p className="command__about money__lines" role="status">
        {visibleLines(text.trim())}
      </p>
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--small">Done</Dialog.Close>
      </div>
    </div>
  );
}
