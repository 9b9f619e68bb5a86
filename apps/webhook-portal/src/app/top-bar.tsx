import { Floating } from '../components/floating.tsx';
import { Icon } from '../components/icon.tsx';
import { Logo } from '../components/logo.tsx';
import { useSession } from '../session/session-gate.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ThemeMenu } from './theme-menu.tsx';

export function TopBar() {
  const session = useSession();
  return (
    <header className="top">
      <Logo />
      <span className="top__partner" title="Your partner portal">
        {session.pms}
      </span>
      {session.environment === 'sandbox' ? (
        <span className="svc-badge svc-tone-sandbox">Sandbox</span>
      ) : (
        <span className="svc-badge">Production</span>
      )}
      {session.read_only ? (
        <Floating
          className="top__read-only"
          name="What read only means"
          popup="dialog"
          align="start"
          panelClassName="top__explains"
          face={
            <>
              <Icon name="lock" /> Read only
            </>
          }
        >
          {() => (
            <p>
              This link may look at everything but change nothing, and it can’t read secrets. Ask
              your backend for one without <code>read_only</code> to make changes.
            </p>
          )}
        </Floating>
      ) : null}
      <span className="top__space" />
      <ThemeMenu />
      <AccountMenu />
    </header>
  );
}
