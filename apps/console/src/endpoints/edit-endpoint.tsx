import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Endpoint, endpointQuery, updateEndpoint } from '../api/endpoints.ts';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { type Draft, draftFrom, toUpdateInput } from './endpoint-draft.ts';
import { EndpointForm } from './endpoint-form.tsx';

const route = getRouteApi('/endpoints/$endpointId/edit');

export function EditEndpoint() {
  const { endpointId } = route.useParams();
  const { read_only } = useSession();
  const endpoint = useQuery({ ...endpointQuery(endpointId), refetchOnWindowFocus: false });
  return (
    <div className="page page--narrow">
      <PageHeader title="Edit endpoint" />
      {read_only ? <ReadOnlyNotice what="edit an endpoint" /> : null}
      <LoadState
        query={endpoint}
        loading="Loading the endpoint"
        rows={6}
        failed="The endpoint could not be loaded"
      />
      {endpoint.data && !read_only ? (
        <Form key={endpoint.data.id} endpoint={endpoint.data} />
      ) : null}
    </div>
  );
}

function Form({ endpoint }: { endpoint: Endpoint }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const params = { endpointId: endpoint.id };
  const back = () => void navigate({ to: '/endpoints/$endpointId', params });
  const saving = useMutation({
    mutationFn: (draft: Draft) => updateEndpoint(endpoint.id, toUpdateInput(draft, endpoint)),
    onSuccess: (changed) => {
      queryClient.setQueryData(endpointQuery(endpoint.id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['endpoints'] });
      showToast('Changes saved.');
      back();
    },
  });
  const save = (draft: Draft) => {
    if (Object.keys(toUpdateInput(draft, endpoint)).length === 0) back();
    else saving.mutate(draft);
  };
  return (
    <EndpointForm
      initial={draftFrom(endpoint)}
      stored={endpoint}
      submit="Save changes"
      pending={saving.isPending}
      error={saving.error}
      onSubmit={save}
      cancel={
        <Link to="/endpoints/$endpointId" params={params} className="svc-button svc-button--quiet">
          Cancel
        </Link>
      }
    />
  );
}
