/** The shape of the home page, while the account is on its way. */
export function Loading() {
  return (
    <div aria-busy="true">
      <p className="svc-visually-hidden" role="status">
        Loading your account
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
