import { useSession } from './use-session.ts';

/** Tells a read-only session what it cannot do here and how to get a link that can. */
export function ReadOnlyNotice({ what }: { what: string }) {
  const { view } = useSession();
  return (
    <div className="svc-notice svc-tone-info">
      <p className="svc-notice__title">Your session is read-only</p>
      {view === null ? (
        <p>
          With this link you can view everything but not {what}. For a link with full access, call{' '}
          <code>GET /v1/partner/webhook_portal_url</code> without <code>read_only</code>.
        </p>
      ) : (
        <p>This page shows the view for reading only, so you can’t {what}.</p>
      )}
    </div>
  );
}
