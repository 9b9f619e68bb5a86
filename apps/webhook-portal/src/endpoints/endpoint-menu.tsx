import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Endpoint } from '../api/endpoints.ts';
import { AskDialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { useEndpointChange } from './use-endpoint-change.ts';

export function EndpointMenu({ endpoint }: { endpoint: Endpoint }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'disable' | 'delete' | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <Menu
        className="icon-button icon-button--boxed"
        name="More actions"
        label="More actions"
        face={<Icon name="more" />}
        align="end"
      >
        <MenuItem
          onChoose={() =>
            void navigate({ to: '/replays/new', search: { endpoint_id: endpoint.id } })
          }
        >
          Replay messages
        </MenuItem>
        {endpoint.state === 'enabled' ? (
          <MenuItem onChoose={() => setAsking('disable')}>Disable</MenuItem>
        ) : null}
        <MenuItem danger onChoose={() => setAsking('delete')}>
          Delete
        </MenuItem>
      </Menu>
      <DisableDialog endpoint={endpoint} open={asking === 'disable'} onClose={close} />
      <DeleteDialog endpoint={endpoint} open={asking === 'delete'} onClose={close} />
    </>
  );
}

function DisableDialog(props: { endpoint: Endpoint; open: boolean; onClose: () => void }) {
  const change = useEndpointChange(props.endpoint, props.onClose);
  return (
    <AskDialog
      open={props.open}
      onClose={props.onClose}
      title="Disable this endpoint?"
      error={change.error}
      act="Disable endpoint"
      pending={change.isPending}
      onAct={() => change.mutate({ state: 'disabled' })}
    >
      <p>
        No attempt starts from now on. Its messages are held, and when you enable it you choose
        whether to send or skip them.
      </p>
    </AskDialog>
  );
}
