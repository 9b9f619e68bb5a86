import { CodeFile } from '@svc/ui/console/parts/code-file.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty } from '@svc/ui/console/parts/page-states.tsx';
import type { ReactNode } from 'react';
import { useSession } from './use-session.ts';

/**
 * Shows a page to sessions with the scope `admin`. Others read how to get such a link: a session
 * cannot widen its scope.
 */
export function AdminOnly({ title, children }: { title: string; children: ReactNode }) {
  const { scope } = useSession();
  if (scope === 'admin') return children;
  return (
    <div className="page">
      <PageHeader title={title} />
      <Empty icon="lock" title="Your link reaches webhooks only">
        <p>
          This page needs a link with the scope <code>admin</code>. Your backend gets one with this
          call; open it in this tab.
        </p>
      </Empty>
      <CodeFile file="Get an admin link" note="valid for 10 minutes, works once" code={command()} />
    </div>
  );
}

function command(): string {
  return `curl -H "Authorization: Bearer $SVC_API_KEY" \\
  "${location.origin}/v1/partner/webhook_portal_url?scope=admin"`;
}
