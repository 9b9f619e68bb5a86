import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createEndpoint } from '../api/endpoints.ts';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { type Draft, emptyDraft, toCreateInput } from './endpoint-draft.ts';
import { EndpointForm } from './endpoint-form.tsx';

export function NewEndpoint() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { read_only } = useSession();
  const [initial] = useState(emptyDraft);
  const creating = useMutation({
    mutationFn: (draft: Draft) => createEndpoint(toCreateInput(draft)),
    onSuccess: (endpoint) => {
      void queryClient.invalidateQueries({ queryKey: ['endpoints'] });
      showToast('Endpoint created. Its signing secret is on this page.');
      void navigate({ to: '/endpoints/$endpointId', params: { endpointId: endpoint.id } });
    },
  });
  return (
    <div className="page page--narrow">
      <PageHeader title="New endpoint">
        <p className="page-header__lead">
          Choose the URL that receives webhooks and which events it gets.
        </p>
      </PageHeader>
      {read_only ? (
        <ReadOnlyNotice what="add an endpoint" />
      ) : (
        <EndpointForm
          initial={initial}
          stored={null}
          submit="Create endpoint"
          pending={creating.isPending}
          error={creating.error}
          onSubmit={(draft) => creating.mutate(draft)}
          cancel={
            <Link to="/endpoints" className="svc-button svc-button--quiet">
              Cancel
            </Link>
          }
        />
      )}
    </div>
  );
}
