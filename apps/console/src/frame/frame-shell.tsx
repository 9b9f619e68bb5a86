import { ToastRegion } from '@svc/ui/console/parts/toast.tsx';
import { NotFound } from '@svc/ui/console/shell/error-pages.tsx';
import { StaleNotice } from '@svc/ui/console/shell/stale-notice.tsx';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { groups } from '../app/sections.ts';
import { useSession } from '../session/use-session.ts';
import './frame.css';

/** Lazy, like every page: the style sheet of a page must come after the one of the console. */
const TenantDetails = lazy(async () => {
  const { TenantDetails: component } = await import('../tenants/tenant-page.tsx');
  return { default: component };
});

/** The console's sections that the view `webhooks` includes. The others need secrets or show people. */
const webhookSections = ['/endpoints', '/messages', '/deliveries', '/event-catalog', '/replays'];

/** One view of the console in a frame, without the console around it. */
export function FrameShell() {
  const { view, external_id, read_only } = useSession();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  if (view === 'tenant_plan') {
    return (
      <main className="frame">
        <StaleNotice />
        <article className="detail">
          <Suspense>
            <TenantDetails externalId={external_id ?? ''} />
          </Suspense>
        </article>
      </main>
    );
  }
  // A read-only session cannot send tests, so the page would be of no use.
  const inView =
    view === 'settlements'
      ? ['/settlements']
      : [...webhookSections, ...(read_only ? [] : ['/testing'])];
  const sections = groups
    .flatMap((group) => group.sections)
    .filter(({ to }) => inView.includes(to));
  return (
    <main className="frame">
      {sections.length > 1 ? (
        <nav className="frame__tabs" aria-label="Webhooks">
          {sections.map(({ to, label }) => (
            <Link key={to} to={to} className="frame__tab">
              {label}
            </Link>
          ))}
        </nav>
      ) : null}
      <StaleNotice />
      {inView.some((path) => pathname === path || pathname.startsWith(`${path}/`)) ? (
        <Outlet />
      ) : (
        <NotFound />
      )}
      <ToastRegion />
    </main>
  );
}
