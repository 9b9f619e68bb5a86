import { MenuFilter } from '@svc/ui/console/filters/menu-filter.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, RowList } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type TermsVersion, termsQuery } from '../api/terms.ts';
import { describeScope, statusMarks } from './describe-terms.ts';
import './terms.css';

const route = getRouteApi('/terms');

/** The versions of the terms: where each applies, and from when. */
export function TermsPage() {
  const terms = useQuery(termsQuery);
  const { status, pms, state } = route.useSearch();
  const items = (terms.data ?? []).filter(
    (it) =>
      (status === undefined || it.status === status) &&
      (pms === undefined || it.pms === pms) &&
      (state === undefined || it.state === state),
  );
  return (
    <div className="page">
      <PageHeader
        title="Terms"
        actions={
          <Link to="/terms/new" className="svc-button svc-button--small">
            New version
          </Link>
        }
      >
        <p className="page-header__lead">
          Fees, limits and rules by partner, state and day. The most specific version in force
          applies; agreed plans keep theirs.
        </p>
      </PageHeader>
      <Filters terms={terms.data ?? []} />
      <RowList
        query={terms}
        items={items}
        loading="Loading the terms"
        rows={4}
        failed="The terms could not be loaded"
        empty={
          <Empty icon="catalog" title="No version matches">
            <p>Terms for all partners and states apply where nothing more specific does.</p>
          </Empty>
        }
      >
        {(version) => <VersionRow key={version.version} version={version} />}
      </RowList>
    </div>
  );
}

function Filters({ terms }: { terms: readonly TermsVersion[] }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (part: { readonly [name in keyof typeof search]: string | undefined }) =>
    void navigate({ to: '/terms', search: withoutEmpty({ ...search, ...part }) });
  const choices = (of: 'pms' | 'state') =>
    [...new Set(terms.flatMap((it) => it[of] ?? []))]
      .toSorted()
      .map((value) => ({ value, label: visibleText(value) }));
  const [partners, states] = [choices('pms'), choices('state')];
  return (
    <div className="filters">
      <div className="filters__chips">
        <MenuFilter
          label="Status"
          value={search.status}
          options={Object.entries(statusMarks).map(([value, { word }]) => ({ value, label: word }))}
          onChange={(status) => change({ status })}
        />
        {partners.length > 0 ? (
          <MenuFilter
            label="Partner"
            value={search.pms}
            options={partners}
            onChange={(pms) => change({ pms })}
          />
        ) : null}
        {states.length > 0 ? (
          <MenuFilter
            label="State"
            value={search.state}
            options={states}
            onChange={(state) => change({ state })}
          />
        ) : null}
      </div>
    </div>
  );
}

function VersionRow({ version: it }: { version: TermsVersion }) {
  const { tone, word } = statusMarks[it.status];
  return (
    <li>
      <Link
        to="/terms/$version"
        params={{ version: it.version }}
        className="row terms-row"
        data-row
        data-status={it.status}
      >
        <StateMark tone={tone}>{word}</StateMark>
        <span className="terms-row__scope">{visibleText(describeScope(it))}</span>
        <span className="terms-row__reason">
          {it.created_by === null
            ? 'Part of the release'
            : `${visibleText(it.created_by)}: ${visibleText(it.reason ?? '')}`}
        </span>
        <span className="terms-row__from">
          {it.effective_from === null ? 'Always' : `From ${formatDate(it.effective_from)}`}
        </span>
      </Link>
    </li>
  );
}
