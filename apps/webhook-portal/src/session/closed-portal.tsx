import { AccessPage } from './access-page.tsx';
import { HowToGetLink } from './how-to-get-link.tsx';

export function ClosedPortal({ ended }: { ended: boolean }) {
  return (
    <AccessPage title={ended ? 'Your session has ended' : 'You need a link to come in'}>
      <p>
        {ended
          ? 'You signed out, the 24 hours are over, or the session was revoked. Nothing was lost.'
          : 'The webhook portal opens by a link that your own backend asks for.'}
      </p>
      <HowToGetLink />
    </AccessPage>
  );
}
