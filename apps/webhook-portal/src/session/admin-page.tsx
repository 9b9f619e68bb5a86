import type { ReactNode } from 'react';
import { PageHeader } from '../components/page-header.tsx';
import { scopeOf } from './scope.ts';
import { useSession } from './session-gate.tsx';

/** Shows a page to sessions with the scope `admin`, and tells others how to get one. */
export function AdminPage({ title, children }: { title: string; children: ReactNode }) {
  if (scopeOf(useSession()) === 'admin') return children;
  return (
    <div className="page page--narrow">
      <PageHeader title={title} />
      <div className="svc-notice svc-tone-info">
        <p className="svc-notice__title">Your link opens the webhook pages only</p>
        <p>
          {title} and the other pages about your integration and your business need a link with the
          scope <code>admin</code>. Your backend gets one from{' '}
          <code>GET /v1/partner/webhook_portal_url?scope=admin</code>.
        </p>
      </div>
    </div>
  );
}
