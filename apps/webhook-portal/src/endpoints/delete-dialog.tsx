import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { deleteEndpoint, type Endpoint } from '../api/endpoints.ts';
import { AskDialog } from '../components/dialog.tsx';
import { CodeField } from '../components/field.tsx';
import { say } from '../components/toast.tsx';
import { visibleText } from '../components/visible-text.ts';

/** Can't be undone, so the URL is typed. */
export function DeleteDialog(props: { endpoint: Endpoint; open: boolean; onClose: () => void }) {
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
      say('The endpoint is deleted.');
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
    <AskDialog
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
        Its secret is gone for good and what still waits for it is skipped. Messages and attempts
        stay readable.
      </p>
      <form id="delete-endpoint" onSubmit={submit}>
        <CodeField
          label="Type its URL to go on"
          hint={<code className="typed-url">{visibleText(endpoint.url)}</code>}
          error={null}
          value={typed}
          onChange={setTyped}
        />
      </form>
    </AskDialog>
  );
}
