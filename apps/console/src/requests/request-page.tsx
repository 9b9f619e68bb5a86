import { JsonView } from '@svc/ui/console/json/json-view.tsx';
import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { DetailBar } from '@svc/ui/console/parts/detail-bar.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type RequestDetail, requestQuery } from '../api/requests.ts';
import { durationOf, statusLabel, toneOf } from './describe-status.ts';
import { writeCurl } from './write-curl.ts';

const route = getRouteApi('/requests/$requestId');

/** One call: what was sent, as far as it is stored, and the error. */
export function RequestPage() {
  const { requestId } = route.useParams();
  const filters = route.useSearch();
  const navigate = useNavigate();
  const request = useQuery(requestQuery(requestId));
  const close = useCallback(
    () => void navigate({ to: '/requests', search: filters }),
    [navigate, filters],
  );
  return (
    <article className="detail" aria-label="Request">
      <DetailBar
        back={
          <Link to="/requests" search={filters} className="detail__back svc-link">
            <Icon name="back" /> Requests
          </Link>
        }
        close="Close the request"
        onClose={close}
      />
      {request.data ? null : <h1 className="svc-visually-hidden">Request</h1>}
      <LoadState
        query={request}
        loading="Loading the request"
        rows={4}
        failed="This request could not be loaded"
      />
      {request.data ? <RequestBody request={request.data} /> : null}
    </article>
  );
}

function RequestBody({ request }: { request: RequestDetail }) {
  const { method, path, status, error, query, request_body, request_id } = request;
  return (
    <>
      <header className="detail__head">
        <title>{`${method} ${visibleText(path)} · Requests`}</title>
        <h1 className="detail__title">
          {method} {visibleText(path)}
        </h1>
        <p className="request__result">
          <StateMark tone={toneOf(status)}>{statusLabel(status)}</StateMark>
          <span>in {durationOf(request.duration_in_ms)}</span>
        </p>
      </header>
      {error ? <ErrorNotice error={error} /> : null}
      {status === 499 ? (
        <p className="svc-notice svc-tone-info">
          Your side closed the connection before the response, usually because of a timeout.
        </p>
      ) : null}
      <dl className="facts request__facts">
        <Fact name="Request ID">
          <code>{request_id}</code>
          <CopyButton text={request_id} label="Copy request ID" />
        </Fact>
        <Fact name="Time">{exactTime(request.occurred_at)}</Fact>
        {request.external_id === null ? null : (
          <Fact name="Tenant">
            <Link to="/requests" search={{ external_id: request.external_id }} className="svc-link">
              {visibleText(request.external_id)}
            </Link>
          </Fact>
        )}
        <Fact name="API key">{keyName(request.api_key)}</Fact>
        <Fact name="User agent">{visibleText(request.user_agent ?? 'none')}</Fact>
      </dl>
      <div className="request__copy">
        <span>Copy as curl</span>
        <CopyButton text={writeCurl(request, location.origin)} label="Copy as curl" />
      </div>
      {Object.keys(query).length > 0 ? (
        <JsonView label="Query" text={JSON.stringify(query)} />
      ) : null}
      {request_body === null || request_body === undefined ? null : (
        <JsonView
          label="Request body"
          note="personal data and secrets are never stored"
          text={JSON.stringify(request_body)}
        />
      )}
      {error ? <JsonView label="Error" text={JSON.stringify(error)} /> : null}
    </>
  );
}

function ErrorNotice({ error }: { error: NonNullable<RequestDetail['error']> }) {
  return (
    <div className="svc-notice svc-tone-bad">
      <p className="svc-notice__title">{error.code}</p>
      <p>{visibleText(error.message)}</p>
      <a className="svc-link" href={error.doc_url} target="_blank" rel="noreferrer">
        What to do about it
      </a>
    </div>
  );
}

function keyName({ id, name, ends_with }: RequestDetail['api_key']): string {
  const digits = ends_with === null ? id : `…${ends_with}`;
  return name === null ? digits : `${visibleText(name)} (${digits})`;
}
