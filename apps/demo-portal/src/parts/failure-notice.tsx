import { Heading } from './heading.tsx';

/** A call failed: what happened, and the way to try again. */
export function FailureNotice({ message, onRetry }: { message: string; onRetry(): void }) {
  return (
    <>
      <Heading title="Your account could not be loaded">No money moved.</Heading>
      <div className="svc-notice svc-tone-bad" role="alert">
        <p>{message}</p>
        <div className="notice__actions">
          <button type="button" className="svc-button svc-button--secondary" onClick={onRetry}>
            Try again
          </button>
        </div>
      </div>
    </>
  );
}
