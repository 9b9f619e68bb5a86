import { CodeField, Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DoctorRequest, goLiveQuery, runDoctor } from '../api/doctor.ts';
import { AdminOnly } from '../session/admin-only.tsx';
import { useSession } from '../session/use-session.ts';
import { CheckList } from './check-list.tsx';
import { GoLive } from './go-live.tsx';
import './doctor.css';

/** Checks the partner's integration from outside, and keeps the go-live checklist. */
export function DoctorPage() {
  return (
    <AdminOnly title="Doctor">
      <Doctor />
    </AdminOnly>
  );
}

function Doctor() {
  return (
    <div className="page">
      <PageHeader title="Doctor">
        <p className="page-header__lead">
          Checks your keys, signature, charges, page and webhook endpoints. Each enabled endpoint
          gets three test webhooks, one of them forged.
        </p>
      </PageHeader>
      <Examination />
      <GoLive />
    </div>
  );
}

const fields = ['page_url', 'external_id', 'diagnosis'];

function Examination() {
  const { read_only } = useSession();
  const client = useQueryClient();
  const [pageUrl, setPageUrl] = useState('');
  const [externalId, setExternalId] = useState('');
  const [pasted, setPasted] = useState('');
  const diagnosis = readDiagnosis(pasted);
  const run = useMutation({
    mutationFn: (request: DoctorRequest) => runDoctor(request),
    // A run may mark an item of the checklist.
    onSuccess: () => client.invalidateQueries({ queryKey: goLiveQuery.queryKey }),
  });
  const problem = generalError(run.error, fields);
  return (
    <div className="try">
      <form
        className="try__form"
        onSubmit={(event) => {
          event.preventDefault();
          if (diagnosis === 'not JSON') return;
          run.mutate({
            ...(pageUrl.trim() && { page_url: pageUrl.trim() }),
            ...(externalId && { external_id: externalId }),
            ...(diagnosis && { diagnosis }),
          });
        }}
      >
        <CodeField
          label="Address of your page"
          optional
          hint="A page that shows the widget. It is fetched once, without cookies."
          error={fieldError(run.error, 'page_url')}
          placeholder="https://portal.example.com/rent"
          value={pageUrl}
          onChange={setPageUrl}
        />
        <CodeField
          label="Tenant"
          optional
          hint="An external_id, to check its signature, charges and window."
          error={fieldError(run.error, 'external_id')}
          placeholder="t-100"
          value={externalId}
          onChange={setExternalId}
        />
        <Field
          label="Output of svc.diagnose()"
          optional
          hint="From the console of your page: copy(svc.diagnose()). Only a browser knows the widget’s size."
          error={
            diagnosis === 'not JSON'
              ? 'This is not JSON. In the console, copy(svc.diagnose()) copies it.'
              : fieldError(run.error, 'diagnosis')
          }
        >
          {(wiring) => (
            <textarea
              {...wiring}
              className="svc-field__input svc-field__input--code"
              rows={4}
              spellCheck={false}
              autoComplete="off"
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
          )}
        </Field>
        {problem ? (
          <p className="svc-notice svc-tone-bad" role="alert">
            {problem}
          </p>
        ) : null}
        {read_only ? (
          <p className="svc-notice svc-tone-info">
            The doctor sends webhooks, so it needs a link to this console that is not read-only.
          </p>
        ) : null}
        <div className="try__actions">
          <button
            type="submit"
            className="svc-button"
            aria-busy={run.isPending}
            disabled={read_only || run.isPending}
          >
            {run.isPending ? 'Checking…' : 'Run the checks'}
          </button>
        </div>
      </form>
      <CheckList checks={run.data?.checks ?? null} isRunning={run.isPending} />
    </div>
  );
}

function readDiagnosis(text: string): object | undefined | 'not JSON' {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : 'not JSON';
  } catch {
    return 'not JSON';
  }
}
