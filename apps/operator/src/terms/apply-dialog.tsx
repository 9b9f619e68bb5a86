import { Dialog } from '@base-ui/react/dialog';
import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { applyTerms, type TermsDraft } from '../api/terms.ts';
import { WaitsForApproval } from '../commands/command-result.tsx';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import { describeScope } from './describe-terms.ts';

interface Props {
  readonly open: boolean;
  readonly draft: TermsDraft;
  /** How many fields differ from what is in force. */
  readonly changes: number;
  readonly onClose: () => void;
}

/** Asks for the reason and stores the terms, or requests it where two people are needed. */
export function ApplyDialog({ open, onClose, ...rest }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog">
          <ApplyForm {...rest} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ApplyForm({ draft, changes }: Pick<Props, 'draft' | 'changes'>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { prove, dialog: proofDialog } = useFreshProof();
  const [reason, setReason] = useState('');
  const applying = useMutation({
    mutationFn: () => prove(() => applyTerms(draft, reason.trim())),
    onSuccess: ({ approval_id, result, text }) => {
      if (approval_id !== null) return;
      void client.invalidateQueries({ queryKey: ['terms'] });
      showToast(visibleText(text.trim()));
      void navigate({
        to: '/terms/$version',
        params: { version: String((result as { version?: unknown } | null)?.version) },
      });
    },
  });
  const { data, error } = applying;
  if (data && data.approval_id !== null) return <WaitsForApproval message={data.text} />;
  const isReady = reason.trim().length >= 4;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady && !applying.isPending) applying.mutate();
  };
  const problem = generalError(error, ['reason']);
  const where = describeScope({ pms: draft.pms ?? null, state: draft.state ?? null });
  return (
    <form className="command__form" onSubmit={submit}>
      <Dialog.Title className="svc-dialog__title">Apply these terms</Dialog.Title>
      <p className="command__about">
        {visibleText(where)}, from {formatDate(draft.effective)} at each home.{' '}
        {changes === 1 ? '1 rule changes.' : `${changes} rules change.`} Plans that exist keep their
        terms, and a stored version never changes.
      </p>
      <Field
        label="Reason"
        hint="The audit log keeps it with your name."
        error={fieldError(error, 'reason')}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            maxLength={200}
            autoComplete="off"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      {problem === null ? null : (
        <p className="svc-field__error" role="alert">
          {problem}
        </p>
      )}
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
          Cancel
        </Dialog.Close>
        <button
          type="submit"
          className="svc-button svc-button--small"
          aria-busy={applying.isPending}
          disabled={!isReady}
        >
          Apply
        </button>
      </div>
      {proofDialog}
    </form>
  );
}
