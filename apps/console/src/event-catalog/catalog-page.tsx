import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { Described } from '@svc/ui/console/parts/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router';
import { type CatalogEntry, eventTypesQuery, groupByCategory } from '../api/event-types.ts';
import './catalog.css';

const route = getRouteApi('/event-catalog');

/** All event types by group, with the open one next to the list. */
export function CatalogPage() {
  const open = useMatch({ from: '/event-catalog/$eventType', shouldThrow: false });
  const { q = '' } = route.useSearch();
  const navigate = useNavigate();
  const types = useQuery(eventTypesQuery);
  const search = (words: string) =>
    void navigate({
      to: '.',
      search: withoutEmpty({ q: words }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="split" data-open={open !== undefined}>
      <div className="split__list">
        <PageHeader title="Event catalog" />
        <div className="filters">
          <div className="search">
            <Icon name="search" />
            <input
              className="svc-field__input svc-field__input--small"
              type="search"
              data-search
              aria-label="Search event types"
              placeholder="Search event types"
              value={q}
              onChange={(event) => search(event.target.value)}
            />
            <span className="key" aria-hidden="true">
              /
            </span>
          </div>
        </div>
        <LoadState
          query={types}
          loading="Loading event types"
          rows={8}
          failed="The catalog could not be loaded"
        />
        {types.data ? <Groups types={matchingTypes(types.data, q)} q={q} /> : null}
      </div>
      {open ? (
        <div className="split__detail" key={open.params.eventType}>
          <Outlet />
        </div>
      ) : null}
    </div>
  );
}

function Groups({ types, q }: { types: CatalogEntry[]; q: string }) {
  if (types.length === 0) return <Empty icon="search" title={`No event type matches “${q}”`} />;
  return [...groupByCategory(types)].map(([group, members]) => (
    <section key={group} aria-label={group}>
      <h2 className="catalog__group">{group}</h2>
      <ul className="rows">
        {members.map(({ name, description }) => (
          <li key={name}>
            <Link
              to="/event-catalog/$eventType"
              params={{ eventType: name }}
              search={withoutEmpty({ q })}
              className="row catalog-row"
              data-row
            >
              <code>{name}</code>
              <span className="catalog-row__words">
                <Described text={description} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ));
}

function matchingTypes(types: CatalogEntry[], q: string): CatalogEntry[] {
  const words = q.trim().toLowerCase();
  return types.filter(({ name, description, group }) =>
    `${name} ${description} ${group}`.toLowerCase().includes(words),
  );
}
