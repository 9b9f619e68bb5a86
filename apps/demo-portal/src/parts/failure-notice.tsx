/** A call failed: what happened, and the way to try again. */
export function FailureNotice({ message, onRetry }: { message: string; onRetry(): void }) {
  return (
    <div className="svc-notice svc-tone-bad" role="alert">
      <p className="svc-notice__title">Your account could not be loaded</p>
      <p>{message} No money moved.</p>
      <div className="notice__actions">
        <button type="button" className="svc-button svc-button--secondary" onClick={onRetry}>
          Try again
        </button>
      </div>
    </div>
  );
}
