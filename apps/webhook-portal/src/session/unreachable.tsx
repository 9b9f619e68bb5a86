import { AccessPage } from './access-page.tsx';

export function Unreachable({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <AccessPage title="The portal can’t be reached">
      <p role="alert">{error.message}</p>
      <p className="access__quiet">Deliveries go on meanwhile: they don’t depend on this page.</p>
      <button type="button" className="svc-button svc-button--block" onClick={retry}>
        Try again
      </button>
    </AccessPage>
  );
}
