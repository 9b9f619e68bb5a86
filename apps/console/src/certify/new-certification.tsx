import { ApiError } from '@svc/ui/console/api/client.ts';
import { CodeField, Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, Problem, RowsSkeleton } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useNow } from '@svc/ui/console/time/clock.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import {
  type CertificationInput,
  type CertificationSummary,
  certificationList,
  certificationQuery,
  startCertification,
} from '../api/certifications.ts';
import { type Endpoint, endpointsQuery } from '../api/endpoints.ts';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { startCases } from './case-runner.ts';
import { CertifyGate } from './certify-gate.tsx';
import { casesToRun, unfitReason } from './describe-certification.ts';
import './certify.css';

/** Chooses what to certify, says what will be sent, and starts the run. */
export function NewCertification() {
  return (
    <CertifyGate title="New run">
      <div className="page">
        <Link to="/certify" className="page__back svc-link">
          <Icon name="back" /> Certify
        </Link>
        <PageHeader title="New run" />
        <Start />
      </div>
    </CertifyGate>
  );
}

function Start() {
  const { read_only } = useSession();
  const endpoints = useQuery(endpointsQuery);
  const runs = useInfiniteQuery(certificationList.query({}));
  if (read_only) return <ReadOnlyNotice what="start a run" />;
  for (const query of [endpoints, runs]) {
    if (query.data) continue;
    if (query.isPending) return <RowsSkeleton rows={6} label="Loading" />;
    const retry = () => query.refetch();
    return <Problem what="This page could not be loaded" error={query.error} retry={retry} />;
  }
  if (!endpoints.data?.some((each) => unfitReason(each) === null)) {
    return <NoEndpoint endpoints={endpoints.data ?? []} />;
  }
  const [last] = runs.data?.pages[0]?.items ?? [];
  return (
    <div className="try">
      <StartForm endpoints={endpoints.data} last={last} />
      <WhatIsSent />
    </div>
  );
}

function NoEndpoint({ endpoints }: { endpoints: readonly Endpoint[] }) {
  return (
    <Empty
      icon="endpoints"
      title={endpoints.length === 0 ? 'No endpoint to certify yet' : 'No endpoint can be certified'}
    >
      {endpoints.length === 0 ? (
        <Link to="/endpoints/new" className="svc-button svc-button--small">
          Add endpoint
        </Link>
      ) : (
        <>
          <p>
            A run needs an enabled endpoint without a filter or channels, which keep back webhooks
            that it sends. Enable one, or add one for the same address.
          </p>
          <Link to="/endpoints" className="svc-button svc-button--small">
            Go to the endpoints
          </Link>
        </>
      )}
    </Empty>
  );
}

const fields = ['endpoint_id', 'tenant_query_url', 'tenants', 'product_variant'];

function StartForm(props: {
  endpoints: readonly Endpoint[];
  last: CertificationSummary | undefined;
}) {
  const { endpoints, last } = props;
  const fit = endpoints.filter((each) => unfitReason(each) === null);
  const repeated = fit.find(({ id }) => id === last?.endpoint_id);
  const [endpointId, setEndpointId] = useState((repeated ?? fit[0])?.id ?? '');
  const [queryUrl, setQueryUrl] = useState((repeated && last?.tenant_query_url) ?? '');
  const [tenantIds, setTenantIds] = useState(repeated ? (last?.tenants ?? []).join(', ') : '');
  const [variant, setVariant] = useState(last?.product_variant ?? 'rent');
  const client = useQueryClient();
  const navigate = useNavigate();
  const starting = useMutation({
    mutationFn: (input: CertificationInput) => startCertification(input),
    async onSuccess(run) {
      client.setQueryData(certificationQuery(run.id).queryKey, run);
      void startCases(client, run, casesToRun(run));
      await navigate({ to: '/certify/$certificationId', params: { certificationId: run.id } });
    },
    // Another run may have begun since this page was loaded.
    onError: () => client.invalidateQueries({ queryKey: ['certifications'] }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (starting.isPending) return;
    const tenant_query_url = queryUrl.trim();
    const tenants = tenantIds.split(/[\s,]+/).filter((id) => id !== '');
    starting.mutate({
      endpoint_id: endpointId,
      product_variant: variant,
      ...(tenant_query_url && { tenant_query_url }),
      ...(tenants.length > 0 && { tenants }),
    });
  };
  const { error } = starting;
  const problem =
    error instanceof ApiError && error.code === 'certification_running'
      ? 'Another run is not finished. Continue it, or finish it first.'
      : generalError(error, fields);
  return (
    <form className="try__form" onSubmit={submit} noValidate>
      <Unfinished run={last} />
      <Field
        label="Endpoint"
        hint="The only one that gets the webhooks of the run."
        error={fieldError(starting.error, 'endpoint_id')}
      >
        {(wiring) => (
          <select
            {...wiring}
            className="svc-field__input"
            value={endpointId}
            onChange={(event) => setEndpointId(event.target.value)}
          >
            {endpoints.map((each) => {
              const reason = unfitReason(each);
              return (
                <option key={each.id} value={each.id} disabled={reason !== null}>
                  {visibleText(each.url)}
                  {reason === null ? '' : ` (${reason})`}
                </option>
              );
            })}
          </select>
        )}
      </Field>
      <CodeField
        label="Tenant query"
        optional
        hint={
          <>
            An address of yours that returns your view of a tenant. Without it, most cases about
            money are skipped.{' '}
            <a className="svc-link" href="/docs/tenant-query">
              How to write one
            </a>
          </>
        }
        error={fieldError(starting.error, 'tenant_query_url')}
        placeholder="https://portal.example.com/svc/tenant"
        value={queryUrl}
        onChange={setQueryUrl}
      />
      <CodeField
        label="Your own test tenants"
        optional
        hint="If your receiver skips tenants that it doesn’t know: the ids of two that exist only for this. The run ends their plans, and replaces what you reported about them."
        error={fieldError(starting.error, 'tenants')}
        placeholder="t-certify-1, t-certify-2"
        value={tenantIds}
        onChange={setTenantIds}
      />
      <fieldset className="svc-field">
        <legend className="svc-field__label">The tenants pay</legend>
        <div className="choices choices--row">
          {variants.map(({ value, words }) => (
            <label key={value}>
              <input
                type="radio"
                name="variant"
                checked={variant === value}
                onChange={() => setVariant(value)}
              />
              {words}
            </label>
          ))}
        </div>
      </fieldset>
      {problem ? (
        <p className="svc-notice svc-tone-bad" role="alert">
          {problem}
        </p>
      ) : null}
      <div className="try__actions">
        <button type="submit" className="svc-button" aria-busy={starting.isPending}>
          Start the run
        </button>
      </div>
    </form>
  );
}

const variants = [
  { value: 'rent', words: 'Rent' },
  { value: 'hoa', words: 'Association dues' },
] as const;

/** Another run can start ten minutes after the last step of one that was not finished. */
const abandonedMs = 10 * 60_000;

function Unfinished({ run }: { run: CertificationSummary | undefined }) {
  const now = useNow(1_000);
  if (run?.state !== 'running') return null;
  const isOld = now - Date.parse(run.last_step_at) > abandonedMs;
  return (
    <div className={`svc-notice ${isOld ? 'svc-tone-info' : 'svc-tone-warn'}`}>
      <p className="svc-notice__title">Your last run is not finished</p>
      <p>
        Its last step was <Ago at={run.last_step_at} inline />.{' '}
        {isOld
          ? 'A new run takes its place.'
          : 'Continue or finish it: a new one can start ten minutes after the last step.'}
      </p>
      <Link
        to="/certify/$certificationId"
        params={{ certificationId: run.id }}
        className="svc-link"
      >
        Go to the run
      </Link>
    </div>
  );
}

function WhatIsSent() {
  return (
    <section className="svc-card side-card certify-sent" aria-label="What will be sent">
      <h2 className="section-title">What will be sent</h2>
      <ol>
        <li>
          A valid test webhook and a forged one. Until your endpoint accepts the first and refuses
          the second, it gets nothing else.
        </li>
        <li>
          Webhooks with unusual but valid bodies, a very large one, and 20 at once; and some that it
          must refuse, such as an old one.
        </li>
        <li>
          The webhooks of your test tenants, or of tenants that the run makes, whose ids begin with{' '}
          <code>certify-</code>: in order and out of it, twice, late, and after an outage.
        </li>
        <li>With a tenant query, signed requests to it, only about these tenants.</li>
      </ol>
      <p className="side-card__quiet">
        It takes a few minutes, and you can stop and continue at any time. When you finish the run,
        the plans of its tenants end. The cases of your page need a browser on your machine: the run
        shows the command for them.
      </p>
    </section>
  );
}
