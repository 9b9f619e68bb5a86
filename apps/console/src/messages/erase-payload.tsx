import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  type Delivery,
  expungeMessage,
  type MessageDetail,
  messageQuery,
} from '../api/messages.ts';
import { useSession } from '../session/use-session.ts';

/** Replaces the payload of a message after it was erased. */
export function ExpungedNotice({ at }: { at: string | null }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The focused button is unmounted after erasing; move focus to this notice.
    if (document.activeElement === document.body) notice.current?.focus();
  }, []);
  return (
    <div ref={notice} tabIndex={-1} className="svc-notice svc-tone-info">
      <p className="svc-notice__title">The payload was erased</p>
      <p>
        {at === null ? null : `On ${exactTime(at)}. `}It can no longer be read or resent. The
        delivery history is kept.
      </p>
    </div>
  );
}

/** The button to erase a message's payload permanently, with a confirmation. The audit log records who did it. */
export function ExpungeMessage({ message }: { message: MessageDetail }) {
  const { read_only } = useSession();
  const [asking, setAsking] = useState(false);
  if (read_only || message.body === null) return null;
  return (
    <div>
      <button
        type="button"
        className="svc-button svc-button--quiet svc-button--small message__erase"
        onClick={() => setAsking(true)}
      >
        Erase the payload
      </button>
      <EraseDialog message={message} open={asking} onClose={() => setAsking(false)} />
    </div>
  );
}

function EraseDialog(props: { message: MessageDetail; open: boolean; onClose: () => void }) {
  const { message, open, onClose } = props;
  const queryClient = useQueryClient();
  const [cancel, setCancel] = useState(false);
  const erasing = useMutation({
    mutationFn: () => expungeMessage(message.id, { cancel }),
    onSuccess: (erased) => {
      queryClient.setQueryData(messageQuery(message.id).queryKey, erased);
      void queryClient.invalidateQueries({ queryKey: ['message', message.id] });
      void queryClient.invalidateQueries({ queryKey: ['messages'] });
      onClose();
      showToast('Payload erased.');
    },
  });
  const close = () => {
    setCancel(false);
    erasing.reset();
    onClose();
  };
  // After a failure, offer the option too: a replay may be about to send the message.
  const inUse =
    erasing.isError || message.deliveries.some(({ state }) => unfinishedStates.has(state));
  return (
    <ConfirmDialog
      open={open}
      onClose={close}
      title="Erase the payload of this message?"
      error={erasing.error}
      act="Erase the payload"
      danger
      pending={erasing.isPending}
      onAct={() => erasing.mutate()}
    >
      <p>
        This permanently deletes its body and your receivers’ responses. It can’t be sent again. The
        delivery history stays readable.
      </p>
      {inUse ? (
        <label className="message__give-up">
          <input
            type="checkbox"
            checked={cancel}
            onChange={(event) => setCancel(event.target.checked)}
          />
          Cancel deliveries that are still pending
        </label>
      ) : null}
    </ConfirmDialog>
  );
}

const unfinishedStates: ReadonlySet<Delivery['state']> = new Set([
  'pending',
  'delivering',
  'retrying',
  'held',
]);
