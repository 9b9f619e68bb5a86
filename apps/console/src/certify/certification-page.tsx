import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useEscape } from '@svc/ui/console/parts/keyboard.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState, Problem } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { UrlText } from '@svc/ui/console/parts/text.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { currentTime, useClock } from '@svc/ui/console/time/clock.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import {
  type Certification,
  certificationQuery,
  finishCertification,
} from '../api/certifications.ts';
import { goLiveQuery } from '../api/doctor.ts';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { CaseList } from './case-list.tsx';
import { type CaseRunner, startCases, stopCases, useCaseRunner } from './case-runner.ts';
import { CertifyGate } from './certify-gate.tsx';
import {
  casesOfService,
  casesToRun,
  countCases,
  describeProgress,
  failedCases,
  hasPageLeft,
  markOfState,
  mayBeRunning,
} from './describe-certification.ts';
import { Report } from './report.tsx';
import './certify.css';

const route = getRouteApi('/certify/$certificationId');

/** One run: runs its cases, shows what they found, and finishes it. */
export function CertificationPage() {
  return (
    <CertifyGate title="Certification run">
      <Loaded />
    </CertifyGate>
  );
}

function Loaded() {
  const { certificationId } = route.useParams();
  const navigate = useNavigate();
  useEscape(useCallback(() => void navigate({ to: '/certify' }), [navigate]));
  const runner = useCaseRunner(certificationId);
  const isRunningHere = runner?.current != null;
  const run = useQuery({
    ...certificationQuery(certificationId),
    // Another tab or the CLI may be running it. This tab keeps only the results that it got itself.
    refetchInterval: ({ state: { data } }) => {
      if (data?.state !== 'running' || isRunningHere) return false;
      return mayBeRunning(data, currentTime()) ? pollIntervals.live : pollIntervals.background;
    },
  });
  return (
    <div className="page">
      <Link to="/certify" className="page__back svc-link">
        <Icon name="back" /> Certify
      </Link>
      {run.data ? null : <PageHeader title="Certification run" />}
      <LoadState
        query={run}
        loading="Loading the run"
        rows={8}
        failed="The run could not be loaded"
      />
      {run.data ? <Run run={run.data} runner={runner} /> : null}
    </div>
  );
}

interface RunProps {
  readonly run: Certification;
  readonly runner: CaseRunner | null;
}

function Run({ run, runner }: RunProps) {
  const { read_only } = useSession();
  const client = useQueryClient();
  const { tone, word } =
    runner?.current != null ? ({ tone: 'info', word: 'Running' } as const) : markOfState(run.state);
  const isOpen = run.state === 'running' && !read_only;
  const runAgain = (names: readonly string[]) => void startCases(client, run, names);
  return (
    <>
      <PageHeader
        title="Certification run"
        actions={read_only ? null : <RunActions run={run} runner={runner} onRun={runAgain} />}
      >
        <p className="page-header__lead">
          <StateMark tone={tone}>{word}</StateMark>
          <UrlText url={run.endpoint_url} />
        </p>
      </PageHeader>
      {read_only && run.state === 'running' ? <ReadOnlyNotice what="continue the run" /> : null}
      <Progress run={run} runner={runner} />
      <Advice run={run} runner={runner} isOpen={isOpen} onRun={runAgain} />
      <div className="certify">
        <Report run={run} />
        <CaseList
          run={run}
          current={runner?.current ?? null}
          onRun={isOpen && runner?.current == null ? (name) => runAgain([name]) : null}
        />
        <Facts run={run} />
      </div>
    </>
  );
}

/** One mark for each case, and the results in words. Cases of the page count once the CLI has run one. */
function Progress({ run, runner }: RunProps) {
  const isPageRun = run.cases.some(({ area, status }) => area === 'page' && status !== 'pending');
  const cases = isPageRun && run.state !== 'abandoned' ? run.cases : casesOfService(run);
  const done = cases.filter(({ status }) => status !== 'pending').length;
  const words = describeProgress(cases);
  const current = cases.find(({ name }) => name === runner?.current);
  return (
    <section className="certify-progress" aria-label="Progress">
      <div
        className="certify-progress__bar"
        role="progressbar"
        aria-label="Cases that have run"
        aria-valuemin={0}
        aria-valuemax={cases.length}
        aria-valuenow={done}
        aria-valuetext={words}
      >
        {cases.map(({ name, status }) => (
          <span
            key={name}
            className={`certify-progress__case is-${name === current?.name ? 'running' : status}`}
          />
        ))}
      </div>
      <p className="certify-progress__words">
        <span className="certify-progress__result" role="status">
          {run.verdict ?? words}
        </span>
        {current ? <span className="certify-progress__now">Now: {current.title}</span> : null}
      </p>
      {current ? (
        <p className="certify-progress__hint">
          The cases run from this tab, so keep it open. You can go to other pages of the console.
        </p>
      ) : null}
    </section>
  );
}

interface RunActionsProps extends RunProps {
  readonly onRun: (names: readonly string[]) => void;
}

function RunActions({ run, runner, onRun }: RunActionsProps) {
  if (run.state !== 'running') {
    return (
      <Link to="/certify/new" className="svc-button svc-button--secondary svc-button--small">
        New run
      </Link>
    );
  }
  if (runner?.current != null) {
    return (
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        aria-busy={runner.isStopping}
        onClick={stopCases}
      >
        {runner.isStopping ? 'Stopping after this case' : 'Stop'}
      </button>
    );
  }
  const left = casesToRun(run);
  const failed = failedCases(run);
  return (
    <>
      {left.length > 0 ? (
        <button type="button" className="svc-button svc-button--small" onClick={() => onRun(left)}>
          Continue
        </button>
      ) : failed.length > 0 ? (
        <button
          type="button"
          className="svc-button svc-button--secondary svc-button--small"
          onClick={() => onRun(failed)}
        >
          Run {countFailed(failed.length)} again
        </button>
      ) : null}
      <Finish run={run} isNext={left.length === 0} />
    </>
  );
}

function countFailed(count: number): string {
  return count === 1 ? 'the failed case' : `${count} failed cases`;
}

/** Finishes the run. Asks first, because what has not run then counts as skipped. */
function Finish({ run, isNext }: { run: Certification; isNext: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const finishing = useMutation({
    mutationFn: () => finishCertification(run.id),
    onSuccess(finished) {
      client.setQueryData(certificationQuery(run.id).queryKey, finished);
      void client.invalidateQueries({ queryKey: ['certifications', 'list'] });
      void client.invalidateQueries({ queryKey: goLiveQuery.queryKey });
      setAsking(false);
    },
    onError: () => client.invalidateQueries({ queryKey: ['certifications'] }),
  });
  const notRun = (isPage: boolean) =>
    run.cases.filter(({ area, status }) => (area === 'page') === isPage && status === 'pending');
  const [service, page] = [notRun(false).length, notRun(true).length];
  return (
    <>
      <button
        type="button"
        className={`svc-button svc-button--small ${isNext ? '' : 'svc-button--secondary'}`}
        aria-busy={finishing.isPending}
        onClick={() => {
          if (finishing.isPending) return;
          finishing.reset();
          if (service + page > 0) setAsking(true);
          else finishing.mutate();
        }}
      >
        Finish and sign
      </button>
      {finishing.error && !isAsking ? (
        <p className="svc-field__error" role="alert">
          {finishing.error.message}
        </p>
      ) : null}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Finish this run?"
        error={finishing.error}
        cancel="Not yet"
        act="Finish and sign"
        pending={finishing.isPending}
        onAct={() => finishing.mutate()}
      >
        <p>
          {service > 0 ? `${countCases(service)} of your receiver did not run. ` : ''}
          {page > 0 ? `${countCases(page)} of your page did not run: the CLI runs them. ` : ''}
          In the report they count as skipped, and a finished run no longer changes.
        </p>
      </ConfirmDialog>
    </>
  );
}

/** Explains a problem that is not a case's result, and what to do about it. */
function Advice({ run, runner, isOpen, onRun }: RunActionsProps & { readonly isOpen: boolean }) {
  if (run.state === 'abandoned') {
    return (
      <Notice tone="info" title="Another run took the place of this one">
        It was not finished, so it has no report. What its cases found is below.
      </Notice>
    );
  }
  if (!isOpen || runner?.current != null) return null;
  const { failure, ending } = runner ?? {};
  if (failure) {
    const title = run.cases.find(({ name }) => name === failure.name)?.title ?? failure.name;
    return (
      <Problem
        what={`This case could not be run: ${title}`}
        error={failure.error}
        retry={() => onRun(casesToRun(run))}
      />
    );
  }
  if (ending === 'elsewhere') {
    return (
      <Notice tone="info" title="These cases are running in another tab, or in svc certify">
        This page follows them. If you stop them there, you can continue here.
      </Notice>
    );
  }
  if (ending === 'endpoint') return <EndpointChanged run={run} />;
  const handshake = run.cases.find(({ name }) => name === 'handshake')?.status;
  if (handshake !== 'pass' && handshake !== 'pending') {
    return (
      <Notice tone="bad" title="Nothing else is sent before the handshake has passed">
        Until then, the receiver may not be yours. Fix what it found, and continue: it runs again
        first.
      </Notice>
    );
  }
  if (casesToRun(run).length > 0) return <NotRunning run={run} />;
  return <AllRun run={run} />;
}

function EndpointChanged({ run }: { run: Certification }) {
  return (
    <Notice tone="bad" title="The endpoint was disabled, changed or deleted">
      If it was disabled,{' '}
      <Link
        to="/endpoints/$endpointId"
        params={{ endpointId: run.endpoint_id }}
        className="svc-link"
      >
        enable it
      </Link>{' '}
      and continue. If its address changed, finish this run, and start another one.
    </Notice>
  );
}

/** Shown if the run was stopped, its tab was closed, or something else runs its cases. */
function NotRunning({ run }: { run: Certification }) {
  const isRecent = useClock((now) => mayBeRunning(run, now));
  return (
    <Notice tone="info" title="No case is running in this tab">
      The last step was <Ago at={run.last_step_at} inline />.{' '}
      {isRecent
        ? 'If the cases run in another tab or in svc certify, this page follows them. Otherwise continue where the run stopped.'
        : 'Continue where the run stopped: what has run is kept.'}
    </Notice>
  );
}

function AllRun({ run }: { run: Certification }) {
  const failed = failedCases(run).length;
  if (failed > 0) {
    return (
      <Notice tone="bad" title={failed === 1 ? '1 case failed' : `${failed} cases failed`}>
        Fix what it found, and run it again here, as often as you like. Then finish the run.
      </Notice>
    );
  }
  return (
    <Notice tone="good" title="Your receiver has no mistake that we know of">
      {hasPageLeft(run)
        ? 'Run the cases of your page with the command below, which also finishes the run. Or finish it now, without them.'
        : 'Finish the run, to get its signed report.'}
    </Notice>
  );
}

function Notice(props: { tone: 'good' | 'info' | 'bad'; title: string; children: ReactNode }) {
  return (
    <div className={`svc-notice svc-tone-${props.tone}`} role="status">
      <p className="svc-notice__title">{props.title}</p>
      <p>{props.children}</p>
    </div>
  );
}

function Facts({ run }: { run: Certification }) {
  return (
    <section className="svc-card side-card certify__facts" aria-label="What is certified">
      <h2 className="section-title">What is certified</h2>
      <dl className="facts">
        <Fact name="Endpoint">
          <Link
            to="/endpoints/$endpointId"
            params={{ endpointId: run.endpoint_id }}
            className="svc-link"
          >
            <UrlText url={run.endpoint_url} />
          </Link>
        </Fact>
        <Fact name="Tenant query">
          {run.tenant_query_url === null ? 'None' : <UrlText url={run.tenant_query_url} />}
        </Fact>
        {run.tenants.length === 0 ? null : (
          <Fact name="Tenants">{visibleText(run.tenants.join(', '))}</Fact>
        )}
        <Fact name="Tenants pay">
          {run.product_variant === 'hoa' ? 'Association dues' : 'Rent'}
        </Fact>
        <Fact name="Version">{visibleText(run.service_version)}</Fact>
        <Fact name="Started">
          <Ago at={run.created_at} inline />
        </Fact>
        {run.finished_at === null ? null : (
          <Fact name="Finished">
            <Ago at={run.finished_at} inline />
          </Fact>
        )}
        <Fact name="Run ID">
          <code>{run.id}</code>
          <CopyButton text={run.id} label="Copy run ID" />
        </Fact>
      </dl>
      <a className="svc-link" href="/docs/certify" target="_blank" rel="noreferrer">
        What the cases check
      </a>
    </section>
  );
}
