import { useWords } from '../../words/use-words.ts';

/** A placeholder in the shape of the home page, shown while the account loads. */
export function Loading() {
  const { translate } = useWords();
  return (
    <div className="loading" aria-busy="true">
      <p className="svc-visually-hidden" role="status">
        {translate('Loading your account')}
      </p>
      <span className="svc-skeleton loading__title" />
      <div className="home">
        <span className="svc-skeleton loading__widget" />
        <span className="svc-skeleton loading__widget" />
        <span className="svc-skeleton loading__table" />
      </div>
    </div>
  );
}
