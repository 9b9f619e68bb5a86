import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { CodeField } from '@svc/ui/console/parts/field.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { Menu, MenuItem } from '@svc/ui/console/parts/menu.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { deleteEndpoint, type Endpoint } from '../api/endpoints.ts';
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
    <ConfirmDialog
      open={props.open}
      onClose={props.onClose}
      title="Disable this endpoint?"
      error={change.error}
      act="Disable endpoint"
      pending={change.isPending}
      onAct={() => change.mutate({ state: 'disabled' })}
    >
      <p>
        No new attempts will start. Its messages are held; when you enable it again, you choose
        whether to send or skip them.
      </p>
    </ConfirmDialog>
  );
}

/** Confirms a deletion. It cannot be undone, so the user types the URL. */
function DeleteDialog(props: { endpoint: Endpoint; open: boolean; onClose: () => void }) {
  const { endpoint, open, onClose } = props;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const deleting = useMutation({
    mutationFn: () => deleteEndpoint(endpoint.id),
    onSuccess: async () => {
      await navigate({ to: '/endpoints' });
      queryClient.removeQueries({ queryKey: ['endpoints', endpoint.id] });
      void queryClient.invalidateQueries({ queryKey: ['endpoints'] });
      showToast('Endpoint deleted.');
    },
  });
  const close = () => {
    setTyped('');
    deleting.reset();
    onClose();
  };
  const matches = typed.trim() === endpoint.url;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (matches && !deleting.isPending) deleting.mutate();
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={close}
      title="Delete this endpoint?"
      error={deleting.error}
      act="Delete endpoint"
      danger
      pending={deleting.isPending}
      disabled={!matches}
      onAct="delete-endpoint"
    >
      <p>
        Its secret is deleted permanently, and pending messages to it are skipped. Existing messages
        and attempts stay readable.
      </p>
      <form id="delete-endpoint" onSubmit={submit}>
        <CodeField
          label="Type the URL to confirm"
          hint={<code className="typed-url">{visibleText(endpoint.url)}</code>}
          error={null}
          value={typed}
          onChange={setTyped}
        />
      </form>
    </ConfirmDialog>
  );
}
