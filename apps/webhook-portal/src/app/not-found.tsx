import { Link } from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';

export function NotFound() {
  return (
    <Empty wholePage icon="search" title="There is no page at this address">
      <p>The link may be cut short, or from an older version of the portal.</p>
      <Link to="/endpoints" className="svc-button svc-button--secondary svc-button--small">
        Go to endpoints
      </Link>
    </Empty>
  );
}
