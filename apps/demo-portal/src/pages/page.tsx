import type { Welcome } from '../../backend/answers.ts';
import { FailureNotice } from '../parts/heading.tsx';
import type { AccountSession } from '../session/use-account.ts';
import { Home } from './home.tsx';
import { Lease } from './lease.tsx';
import { Payments } from './payments.tsx';

interface PageProps {
  path: string;
  tenantId: string | null;
  welcome: Welcome | null;
  session: AccountSession;
}

/** The page for the current path, or a loading or error state. */
export function Page({ path, tenantId, welcome, session }: PageProps) {
  const { signed, generation } = session;
  if (signed.state === 'failed') {
    return <FailureNotice message={signed.message} onRetry={session.signIn} />;
  }
  if (signed.state === 'loading' || !welcome || tenantId === null) return <Loading />;
  const { account, widget } = signed.selected;
  if (path === '/payments') return <Payments account={account} />;
  if (path === '/lease') return <Lease account={account} />;
  return (
    <Home
      key={generation}
      account={account}
      widget={widget}
      serviceOrigin={welcome.service_origin}
      tenantId={tenantId}
    />
  );
}

/** A placeholder in the shape of the home page, shown while the account loads. */
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
