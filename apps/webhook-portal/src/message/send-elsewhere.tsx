import { Menu } from '@base-ui/react/menu';
import { useMutation, useQuery } from '@tanstack/react-query';
import { endpointsQuery } from '../api/endpoints.ts';
import { type MessageDetail, replayMessage } from '../api/messages.ts';
import { Icon } from '../parts/icon.tsx';
import { say } from '../parts/toast.tsx';
import { useSession } from '../session/session-gate.tsx';
import { visibleText } from '../text/visible-text.ts';

/** Sends the message to an endpoint that it was not meant for, such as one made later. */
export function SendElsewhere({ message, onSent }: { message: MessageDetail; onSent: () => void }) {
  const { read_only } = useSession();
  const endpoints = useQuery(endpointsQuery);
  const sending = useMutation({
    mutationFn: (endpointId: string) => replayMessage(message.id, endpointId),
    onSuccess: () => {
      onSent();
      say('On its way: the result appears here.');
    },
    onError: (error) => say(`Not sent. ${error.message}`),
  });
  const known = new Set(message.deliveries.map(({ endpoint_id }) => endpoint_id));
  const others =
    endpoints.data?.filter(({ id, state }) => state === 'enabled' && !known.has(id)) ?? [];
  if (read_only || others.length === 0) return null;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="svc-button svc-button--secondary svc-button--small message__elsewhere">
        Send to another endpoint <Icon name="down" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={6} align="start">
          <Menu.Popup className="menu">
            {others.map((endpoint) => (
              <Menu.Item
                key={endpoint.id}
                className="menu__item"
                onClick={() => sending.mutate(endpoint.id)}
              >
                <span className="menu__words">{visibleText(endpoint.url)}</span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
