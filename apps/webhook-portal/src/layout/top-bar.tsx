import { Icon } from '../parts/icon.tsx';
import { Tip } from '../parts/tip.tsx';
import { useSession } from '../session/session-gate.tsx';
import { ThemeMenu } from '../theme/theme-menu.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Logo } from './logo.tsx';

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
        <Tip text="This link may look at everything but change nothing, and can’t read secrets.">
          <button type="button" className="top__read-only">
            <Icon name="lock" /> Read only
          </button>
        </Tip>
      ) : null}
      <span className="top__space" />
      <ThemeMenu />
      <AccountMenu />
    </header>
  );
}
