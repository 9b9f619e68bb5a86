import { generalError } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { applyTerms, type TermsDraft } from '../api/terms.ts';
import {
  ActDialog,
  ActForm,
  isReason,
  ReasonField,
  WaitsForApproval,
} from '../commands/act-form.tsx';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import { describeScope } from './describe-terms.ts';

interface Props {
  readonly open: boolean;
  readonly draft: TermsDraft;
  /** The number of fields that differ from the terms in force. */
  readonly changes: number;
  readonly onClose: () => void;
}

/** Asks for the reason and stores the terms, or requests it if two people are needed. */
export function ApplyDialog({ open, onClose, ...rest }: Props) {
  return (
    <ActDialog open={open} onClose={onClose}>
      <ApplyForm {...rest} />
    </ActDialog>
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
  const where = describeScope({ pms: draft.pms ?? null, state: draft.state ?? null });
  const count = changes === 1 ? '1 rule changes.' : `${changes} rules change.`;
  return (
    <ActForm
      title="Apply these terms"
      about={`${visibleText(where)}, from ${formatDate(draft.effective)} at each home. ${count} Plans that exist keep their terms, and a stored version never changes.`}
      act="Apply"
      isReady={isReason(reason)}
      isPending={applying.isPending}
      onAct={() => applying.mutate()}
      error={generalError(error, ['reason'])}
      proofDialog={proofDialog}
    >
      <ReasonField reason={reason} error={error} onChange={setReason} />
    </ActForm>
  );
}
