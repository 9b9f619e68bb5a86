import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty } from '@svc/ui/console/parts/page-states.tsx';
import type { ReactNode } from 'react';
import { AdminOnly } from '../session/admin-only.tsx';
import { useSession } from '../session/use-session.ts';

/** Shows a page about certifications in the sandbox, to sessions with the scope `admin`. */
export function CertifyGate({ title, children }: { title: string; children: ReactNode }) {
  const { environment } = useSession();
  if (environment === 'sandbox') return <AdminOnly title={title}>{children}</AdminOnly>;
  return (
    <div className="page">
      <PageHeader title={title} />
      <Empty icon="certify" title="Certify runs in the sandbox only">
        <p>
          A run makes test tenants, and sends duplicated, late and forged webhooks about them. None
          of that belongs into production. Open the console of your sandbox, and certify the same
          code there before you deploy it.
        </p>
        <a className="svc-link" href="/docs/certify">
          How to prove your integration
        </a>
      </Empty>
    </div>
  );
}
