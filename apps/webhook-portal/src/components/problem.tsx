import { ApiError } from '../api/client.ts';

/** A part of a page that could not be read: what happened, what to do, a way to try again. */
export function Problem({ what, error, retry }: { what: string; error: Error; retry: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className="problem svc-notice svc-tone-bad" role="alert">
      <p className="svc-notice__title">{what}</p>
      <p>{error.message}</p>
      {requestId ? <p className="problem__id">Request {requestId}</p> : null}
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={retry}
      >
        Try again
      </button>
    </div>
  );
}
