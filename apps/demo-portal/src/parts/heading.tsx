import type { ReactNode } from 'react';

export function Heading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="heading">
      <h1>{title}</h1>
      <p>{children}</p>
    </div>
  );
}

/** An error page with the message and a retry button. */
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
