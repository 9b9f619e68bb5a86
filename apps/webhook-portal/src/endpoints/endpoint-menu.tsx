import { Menu } from '@base-ui/react/menu';
import { useState } from 'react';
import type { Endpoint } from '../api/endpoints.ts';
import { AskDialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { useEndpointChange } from './use-endpoint-change.ts';

export function EndpointMenu({ endpoint }: { endpoint: Endpoint }) {
  const [asking, setAsking] = useState<'disable' | 'delete' | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger
          className="icon-button icon-button--boxed"
          aria-label="More actions"
          title="More"
        >
          <Icon name="more" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="floating" sideOffset={6} align="end">
            <Menu.Popup className="menu">
              {endpoint.state === 'enabled' ? (
                <Menu.Item className="menu__item" onClick={() => setAsking('disable')}>
                  Disable
                </Menu.Item>
              ) : null}
              <Menu.Item
                className="menu__item menu__item--danger"
                onClick={() => setAsking('delete')}
              >
                Delete
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
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
      actions={
        <button
          type="button"
          className="svc-button svc-button--small"
          aria-busy={change.isPending}
          disabled={change.isPending}
          onClick={() => change.mutate({ state: 'disabled' })}
        >
          Disable endpoint
        </button>
      }
    >
      <p>
        No attempt starts from now on. Its messages are held, and when you enable it you choose
        whether to send or skip them.
      </p>
    </AskDialog>
  );
}
