export function HowToGetLink() {
  return (
    <>
      <p>To come in:</p>
      <ol>
        <li>
          From your backend, call <code>GET /v1/partner/webhook_portal_url</code> with your API key.
        </li>
        <li>
          Open the <code>url</code> it answers in this browser.
        </li>
      </ol>
      <p className="access__quiet">
        No API key at hand? Ask the person who runs your integration for a link.
      </p>
    </>
  );
}
