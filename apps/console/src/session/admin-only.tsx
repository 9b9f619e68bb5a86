import type { ReactNode } from 'react';
import { CodeFile } from '../components/code-file.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Empty } from '../components/page-states.tsx';
import { useSession } from './session-gate.tsx';

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
