import type { Welcome } from '../../backend/answers.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';
import type { AccountSession } from '../session/use-account.ts';
import { Home } from './home.tsx';
import { Lease } from './lease.tsx';
import { Loading } from './loading.tsx';
import { Payments } from './payments.tsx';

interface PageProps {
  path: string;
  tenantId: string | null;
  welcome: Welcome | null;
  session: AccountSession;
}

/** The page at the address, or what stands in for it while nobody is signed in. */
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
