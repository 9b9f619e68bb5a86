import { useMutation } from '@tanstack/react-query';
import { type Delivery, replayMessage } from '../api/messages.ts';
import { say } from '../components/toast.tsx';
import { useSession } from '../session/session-gate.tsx';

/** One attempt at once, beside the schedule: it never uses up one of the eight. */
export function ReplayButton(props: { messageId: string; delivery: Delivery; onSent: () => void }) {
  const { messageId, delivery, onSent } = props;
  const { read_only } = useSession();
  const sending = useReplayMessage(messageId, onSent);
  if (read_only || delivery.reason === 'endpoint_deleted') return null;
  const ahead = delivery.state === 'retrying' || delivery.state === 'pending';
  return (
    <button
      type="button"
      className="svc-button svc-button--secondary svc-button--small"
      aria-busy={sending.isPending}
      disabled={delivery.state === 'held'}
      title={delivery.state === 'held' ? 'Enable the endpoint first' : undefined}
      onClick={() => {
        if (!sending.isPending) sending.mutate(delivery.endpoint_id);
      }}
    >
      {ahead ? 'Send now' : 'Send again'}
    </button>
  );
}

/** Sends the message to one endpoint at once. */
export function useReplayMessage(messageId: string, onSent: () => void) {
  return useMutation({
    mutationFn: (endpointId: string) => replayMessage(messageId, endpointId),
    onSuccess: () => {
      onSent();
      say('On its way: the result appears here.');
    },
    onError: (error) => say(`Not sent. ${error.message}`),
  });
}
