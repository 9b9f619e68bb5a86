import { useLocation } from '../use-location.ts';
import { Home } from './pages/home.tsx';
import { Lease } from './pages/lease.tsx';
import { Payments } from './pages/payments.tsx';
import { FailureNotice } from './parts/heading.tsx';
import { Loading } from './parts/loading.tsx';
import { Navigation } from './parts/navigation.tsx';
import { useAccount } from './use-account.ts';

/** The pages of Maple Residents, which know nothing of the demo around them. */
export function Portal() {
  const { path, tenantId } = useLocation();
  const { page, failure } = useAccount(tenantId);
  return (
    <div className="portal">
      <Navigation path={path} tenantId={tenantId} account={page?.account ?? null} />
      <main className="main" id="main">
        {failure !== null ? (
          <FailureNotice message={failure} onRetry={() => window.location.reload()} />
        ) : page === null ? (
          <Loading />
        ) : path === '/portal/payments' ? (
          <Payments account={page.account} />
        ) : path === '/portal/lease' ? (
          <Lease account={page.account} />
        ) : (
          <Home account={page.account} widget={page.widget} tenantId={tenantId} />
        )}
      </main>
    </div>
  );
}
