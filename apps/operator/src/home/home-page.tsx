import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty } from '@svc/ui/console/parts/page-states.tsx';

/** The start of the console. */
export function HomePage() {
  return (
    <div className="page">
      <PageHeader title="Home" />
      <Empty icon="check" title="You are signed in">
        <p>The work that waits for you will appear here.</p>
      </Empty>
    </div>
  );
}
