import { ApiError } from '@svc/ui/console/api/client.ts';
import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useEscape } from '@svc/ui/console/parts/keyboard.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, Problem, RowsSkeleton } from '@svc/ui/console/parts/page-states.tsx';
import { UrlText } from '@svc/ui/console/parts/text.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type Endpoint, endpointQuery } from '../api/endpoints.ts';
import { OutsideOfFrames } from '../session/outside-of-frames.tsx';
import { useSession } from '../session/use-session.ts';
import { EndpointMenu } from './endpoint-menu.tsx';
import { FailingNotice, HeldNotice } from './endpoint-notices.tsx';
import { EndpointDetails, SenderAddresses } from './endpoint-settings.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { KeyPairCard } from './key-pair-card.tsx';
import { RecentMessages } from './recent-messages.tsx';
import { SecretCard } from './secret-card.tsx';
import './endpoints.css';

const route = getRouteApi('/endpoints/$endpointId');

export function EndpointPage() {
  const { endpointId } = route.useParams();
  const navigate = useNavigate();
  useEscape(useCallback(() => void navigate({ to: '/endpoints' }), [navigate]));
  const endpoint = useQuery({
    ...endpointQuery(endpointId),
    refetchInterval: pollIntervals.background,
  });
  return (
    <div className="page">
      <Link to="/endpoints" className="page__back svc-link">
        <Icon name="back" /> Endpoints
      </Link>
      {endpoint.isPending ? <RowsSkeleton rows={6} label="Loading the endpoint" /> : null}
      {endpoint.isError && !endpoint.data ? (
        <Missing error={endpoint.error} retry={() => endpoint.refetch()} />
      ) : null}
      {endpoint.data ? <EndpointBody endpoint={endpoint.data} /> : null}
    </div>
  );
}

function EndpointBody({ endpoint }: { endpoint: Endpoint }) {
  return (
    <>
      <PageHeader
        title={visibleText(endpoint.url)}
        heading={<UrlText url={endpoint.url} />}
        actions={<Actions endpoint={endpoint} />}
      >
        <p className="page-header__lead">
          <EndpointState endpoint={endpoint} />
          {endpoint.description ? <span>{visibleText(endpoint.description)}</span> : null}
        </p>
      </PageHeader>
      <FailingNotice endpoint={endpoint} />
      {endpoint.state === 'disabled' ? <HeldNotice endpoint={endpoint} /> : null}
      <div className="columns">
        <RecentMessages endpointId={endpoint.id} />
        <div className="columns__side">
          <OutsideOfFrames>
            <SecretCard endpoint={endpoint} />
            <KeyPairCard endpoint={endpoint} />
          </OutsideOfFrames>
          <EndpointDetails endpoint={endpoint} />
          <SenderAddresses />
        </div>
      </div>
    </>
  );
}

function Actions({ endpoint }: { endpoint: Endpoint }) {
  const { read_only } = useSession();
  if (read_only) return null;
  return (
    <>
      <Link
        to="/testing"
        search={{ endpoint_id: endpoint.id }}
        className="svc-button svc-button--secondary svc-button--small"
      >
        <Icon name="send" /> Send a test
      </Link>
      <Link
        to="/endpoints/$endpointId/edit"
        params={{ endpointId: endpoint.id }}
        className="svc-button svc-button--secondary svc-button--small"
      >
        Edit
      </Link>
      <EndpointMenu endpoint={endpoint} />
    </>
  );
}

function Missing({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof ApiError) || error.status !== 404) {
    return <Problem what="The endpoint could not be loaded" error={error} retry={retry} />;
  }
  return (
    <Empty wholePage icon="endpoints" title="This endpoint does not exist">
      <p>
        It was deleted, or the address is incomplete. Its messages are still listed under Messages.
      </p>
      <Link to="/endpoints" className="svc-button svc-button--secondary svc-button--small">
        See all endpoints
      </Link>
    </Empty>
  );
}
