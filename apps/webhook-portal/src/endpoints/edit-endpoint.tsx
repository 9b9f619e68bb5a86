import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Endpoint, endpointQuery, updateEndpoint } from '../api/endpoints.ts';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { ReadOnlyNotice } from '../components/read-only-notice.tsx';
import { RowsSkeleton } from '../components/rows-skeleton.tsx';
import { say } from '../components/toast.tsx';
import { useSession } from '../session/session-gate.tsx';
import { type Draft, draftOf, updateInput } from './endpoint-draft.ts';
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
      {endpoint.isPending ? <RowsSkeleton rows={6} label="Loading the endpoint" /> : null}
      {endpoint.isError ? (
        <Problem
          what="The endpoint could not be loaded"
          error={endpoint.error}
          retry={() => endpoint.refetch()}
        />
      ) : null}
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
    mutationFn: (draft: Draft) => updateEndpoint(endpoint.id, updateInput(draft, endpoint)),
    onSuccess: (changed) => {
      queryClient.setQueryData(endpointQuery(endpoint.id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['endpoints'] });
      say('Changes saved.');
      back();
    },
  });
  const save = (draft: Draft) => {
    if (Object.keys(updateInput(draft, endpoint)).length === 0) back();
    else saving.mutate(draft);
  };
  return (
    <EndpointForm
      initial={draftOf(endpoint)}
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
