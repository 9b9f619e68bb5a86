import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, Problem, RowsSkeleton } from '@svc/ui/console/parts/page-states.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { endpointsQuery } from '../api/endpoints.ts';
import { startReplay } from '../api/replays.ts';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { ReplayForm } from './replay-form.tsx';
import './replays.css';

const route = getRouteApi('/replays/new');

/** Selects messages to resend, shows how many match, and starts the replay. */
export function NewReplay() {
  const search = route.useSearch();
  const { read_only } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const endpoints = useQuery(endpointsQuery);
  const starting = useMutation({
    mutationFn: startReplay,
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['replays'] });
      await navigate({ to: '/replays/$replayId', params: { replayId: id ?? '' } });
    },
  });
  return (
    <div className="page page--narrow">
      <Link to="/replays" className="page__back svc-link">
        <Icon name="back" /> Replays
      </Link>
      <PageHeader title="Replay messages" />
      {read_only ? <ReadOnlyNotice what="send anything" /> : null}
      {!read_only && endpoints.isPending ? <RowsSkeleton rows={6} label="Loading" /> : null}
      {endpoints.isError && !endpoints.data ? (
        <Problem
          what="The endpoints could not be loaded"
          error={endpoints.error}
          retry={() => endpoints.refetch()}
        />
      ) : null}
      {endpoints.data?.length === 0 ? (
        <Empty icon="endpoints" title="No endpoint to send to yet">
          <Link to="/endpoints/new" className="svc-button svc-button--small">
            Add endpoint
          </Link>
        </Empty>
      ) : null}
      {!read_only && endpoints.data && endpoints.data.length > 0 ? (
        <ReplayForm
          endpoints={endpoints.data}
          search={search}
          starting={starting}
          cancel={
            <Link to="/replays" className="svc-button svc-button--quiet">
              Cancel
            </Link>
          }
        />
      ) : null}
    </div>
  );
}
