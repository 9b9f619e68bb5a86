import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { searchQuery } from '../api/search.ts';

const route = getRouteApi('/find/$id');

/** Redirects to the tenant or partner that an id belongs to, for example that of a payment. */
export function FoundPage() {
  const { id } = route.useParams();
  // Personal data such as names and last digits must not appear in an address, so only the dialog searches for them.
  return /^[a-z]{3}_\w{1,40}$/.test(id) ? <Found id={id} /> : <NotFound id={id} />;
}

function Found({ id }: { id: string }) {
  const search = useQuery(searchQuery(id));
  const found = search.data?.items.find((item) => item.id === id && item.partner !== null);
  if (!search.isSuccess) {
    return <LoadState query={search} loading="Finding it" rows={6} failed="The search failed" />;
  }
  if (!found) return <NotFound id={id} />;
  const { partner, external_id: externalId, kind } = found;
  return externalId === null ? (
    <Navigate to="/partners/$pms" params={{ pms: partner ?? '' }} replace />
  ) : (
    <Navigate
      to="/tenants/$partner/$externalId"
      params={{ partner: partner ?? '', externalId }}
      search={kind === 'tenant' ? {} : { about: id }}
      replace
    />
  );
}

function NotFound({ id }: { id: string }) {
  return (
    <Empty wholePage icon="search" title="No page shows this id">
      <p>
        <code>{visibleText(id)}</code> may have been erased, or belong to no partner that you may
        see.
      </p>
    </Empty>
  );
}
