import type { ReactNode } from 'react';
import { useWords } from '../../words/use-words.ts';

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
  const { translate } = useWords();
  return (
    <>
      <Heading title={translate('Your account could not be loaded')}>
        {translate('No money moved.')}
      </Heading>
      <div className="svc-notice svc-tone-bad" role="alert">
        <p>{message}</p>
        <div className="notice__actions">
          <button type="button" className="svc-button svc-button--secondary" onClick={onRetry}>
            {translate('Try again')}
          </button>
        </div>
      </div>
    </>
  );
}
