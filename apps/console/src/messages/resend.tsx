import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { Menu, MenuItem } from '@svc/ui/console/parts/menu.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { endpointsQuery } from '../api/endpoints.ts';
import { type Delivery, type MessageDetail, replayMessage } from '../api/messages.ts';
import { useSession } from '../session/use-session.ts';

/** Sends one attempt immediately. It does not count as one of the eight scheduled attempts. */
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

/** Sends a message to one endpoint immediately and reports the result in a toast. */
function useReplayMessage(messageId: string, onSent: () => void) {
  return useMutation({
    mutationFn: (endpointId: string) => replayMessage(messageId, endpointId),
    onSuccess: () => {
      onSent();
      showToast('Sending. The result will appear here.');
    },
    onError: (error) => showToast(`Not sent. ${error.message}`),
  });
}

/** Sends a message to an endpoint that did not receive it, such as one created later. */
export function SendElsewhere({ message, onSent }: { message: MessageDetail; onSent: () => void }) {
  const { read_only } = useSession();
  const endpoints = useQuery(endpointsQuery);
  const sending = useReplayMessage(message.id, onSent);
  const known = new Set(message.deliveries.map(({ endpoint_id }) => endpoint_id));
  const others =
    endpoints.data?.filter(({ id, state }) => state === 'enabled' && !known.has(id)) ?? [];
  if (read_only || others.length === 0) return null;
  return (
    <div>
      <Menu
        className="svc-button svc-button--secondary svc-button--small"
        name="Send to another endpoint"
        face={
          <>
            Send to another endpoint <Icon name="down" />
          </>
        }
      >
        {others.map((endpoint) => (
          <MenuItem key={endpoint.id} onChoose={() => sending.mutate(endpoint.id)}>
            <span className="menu__words">{visibleText(endpoint.url)}</span>
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
