export function ReadOnlyNotice({ what }: { what: string }) {
  return (
    <div className="svc-notice svc-tone-info">
      <p className="svc-notice__title">You are here read-only</p>
      <p>
        This link lets you look, not {what}. For a link that does, call{' '}
        <code>GET /v1/partner/webhook_portal_url</code> without <code>read_only</code>.
      </p>
    </div>
  );
}
