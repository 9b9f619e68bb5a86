import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Empty } from '../parts/page-states.tsx';

export function NotFound() {
  return (
    <Empty wholePage icon="search" title="Page not found">
      <p>The link may be incomplete or from an older version of the console.</p>
      <Link to="/" className="svc-button svc-button--secondary svc-button--small">
        Go to the home page
      </Link>
    </Empty>
  );
}

/** Shown when a page throws, or when its code cannot be loaded after a release. */
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
        Reload the page
      </button>
    </div>
  );
}
