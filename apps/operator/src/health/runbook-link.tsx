/** A link to the runbook page that says what to do. It opens in a new tab. */
export function RunbookLink({ to, about }: { to: string; about: string }) {
  return (
    <a className="svc-link" href={to} target="_blank" rel="noreferrer">
      Runbook<span className="svc-visually-hidden"> for {about}, opens a new tab</span>
    </a>
  );
}
