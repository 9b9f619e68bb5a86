import { Floating } from '@svc/ui/console/parts/floating.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { Logo } from '@svc/ui/console/parts/logo.tsx';
import { Menu, MenuItem } from '@svc/ui/console/parts/menu.tsx';
import { useSignOut } from '@svc/ui/console/session/use-sign-out.ts';
import { openShortcuts } from '@svc/ui/console/shell/shortcuts-dialog.tsx';
import { ThemeMenu } from '@svc/ui/console/shell/theme-menu.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Until } from '@svc/ui/console/time/time.tsx';
import { Link, useNavigate } from '@tanstack/react-router';
import { closeSession } from '../api/session.ts';
import { useSession } from '../session/use-session.ts';

export function TopBar() {
  const session = useSession();
  return (
    <header className="top">
      <Link to="/" className="top__home" aria-label="Console home">
        <Logo />
      </Link>
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
              This link can view everything except secrets and cannot change anything. To make
              changes, request a link without <code>read_only</code>.
            </p>
          )}
        </Floating>
      ) : null}
      <span className="top__space" />
      <a className="svc-link top__docs" href="/docs">
        Docs
      </a>
      <ThemeMenu />
      <AccountMenu />
    </header>
  );
}

function AccountMenu() {
  const session = useSession();
  const navigate = useNavigate();
  const leaving = useSignOut(closeSession);
  return (
    <Menu
      className="icon-button"
      name="Session"
      label="Session"
      face={<Icon name="user" size={18} />}
      align="end"
    >
      <div className="menu__label">
        <strong>{visibleText(session.person ?? session.pms)}</strong>
        <span>
          Session ends at the latest <Until at={session.expires_at} inline />
        </span>
      </div>
      <MenuItem onChoose={openShortcuts}>
        <span className="menu__words">Keyboard shortcuts</span>
        <kbd>?</kbd>
      </MenuItem>
      <MenuItem onChoose={() => void navigate({ to: '/activity', search: { view: 'sessions' } })}>
        <span className="menu__words">Open sessions</span>
      </MenuItem>
      <MenuItem onChoose={() => leaving.mutate()}>
        <span className="menu__words">Sign out</span>
      </MenuItem>
    </Menu>
  );
}
