import { useQuery } from '@tanstack/react-query';
import { endpointsQuery } from '../api/endpoints.ts';
import type { MessageDetail } from '../api/messages.ts';
import { Icon } from '../components/icon.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { visibleText } from '../components/visible-text.ts';
import { useSession } from '../session/session-gate.tsx';
import { useReplayMessage } from './resend.tsx';

/** Sends the message to an endpoint that it was not meant for, such as one made later. */
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
