import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type TermsPage, termsVersionQuery } from '../api/terms.ts';
import { describeScope, rowsOf, statusMarks } from './describe-terms.ts';
import { Differences } from './differences.tsx';
import './terms.css';

const route = getRouteApi('/terms/$version');

/** One version of the terms: where it applies, what it changed, and every rule. */
export function TermsVersionPage() {
  const { version } = route.useParams();
  const terms = useQuery(termsVersionQuery(version));
  const { data } = terms;
  return (
    <div className="page" key={version}>
      <Link to="/terms" className="page__back svc-link">
        <Icon name="back" /> Terms
      </Link>
      <PageHeader
        title={data ? visibleText(describeScope(data)) : 'Terms'}
        actions={
          <Link
            to="/terms/new"
            search={{ from: version }}
            className="svc-button svc-button--secondary svc-button--small"
          >
            Start a new version from it
          </Link>
        }
      >
        {data ? <Lead terms={data} /> : null}
      </PageHeader>
      <LoadState
        query={terms}
        loading="Loading the terms"
        rows={8}
        failed="The terms could not be loaded"
      />
      {data ? (
        <>
          {data.before === null ? null : <Changes terms={data} before={data.before} />}
          <Rules terms={data.terms} />
        </>
      ) : null}
    </div>
  );
}

function Lead({ terms: it }: { terms: TermsPage }) {
  const { tone, word } = statusMarks[it.status];
  return (
    <div className="page-header__lead terms-lead">
      <StateMark tone={tone}>{word}</StateMark>
      <span>
        {it.effective_from === null
          ? 'Part of the release'
          : `From ${formatDate(it.effective_from)}`}
      </span>
      <code>{it.version}</code>
      {it.created_at === null ? null : (
        <span>
          Stored <Ago at={it.created_at} inline /> by {visibleText(it.created_by ?? '')}:{' '}
          {visibleText(it.reason ?? '')}
        </span>
      )}
    </div>
  );
}

function Changes({ terms, before }: { terms: TermsPage; before: string }) {
  return (
    <section className="terms-part" aria-labelledby="terms-changes">
      <h2 id="terms-changes" className="section-title">
        What it changes
      </h2>
      <p className="terms-part__about">
        Compared with{' '}
        <Link to="/terms/$version" params={{ version: before }} className="svc-link">
          {before}
        </Link>
        , which would apply on its first day without it.
      </p>
      <Differences changes={terms.changes} />
    </section>
  );
}

function Rules({ terms }: { terms: TermsPage['terms'] }) {
  const rows = rowsOf(terms);
  return (
    <section className="terms-part" aria-labelledby="terms-rules">
      <h2 id="terms-rules" className="section-title">
        The rules
      </h2>
      <dl className="facts terms-rules">
        {rows
          .filter(({ isText }) => !isText)
          .map(({ field, label, value }) => (
            <Fact key={field} name={label}>
              {visibleText(value)}
            </Fact>
          ))}
      </dl>
      {rows
        .filter(({ isText }) => isText)
        .map(({ field, label, value }) => (
          <details key={field} className="terms-text">
            <summary>{visibleText(label)}</summary>
            <p>{visibleText(value)}</p>
          </details>
        ))}
    </section>
  );
}
