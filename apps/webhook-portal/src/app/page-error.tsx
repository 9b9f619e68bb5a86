import type { ErrorComponentProps } from '@tanstack/react-router';

/** A page that broke, or whose code could not be loaded after a release. */
export function PageError({ error }: ErrorComponentProps) {
  return (
    <div className="problem svc-notice svc-tone-bad" role="alert">
      <p className="svc-notice__title">This page could not be shown</p>
      <p>{error instanceof Error ? error.message : 'Something unexpected happened.'}</p>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => location.reload()}
      >
        Load the page again
      </button>
    </div>
  );
}
