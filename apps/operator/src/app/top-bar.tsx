import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { quickKeys } from '@svc/ui/console/parts/keyboard.ts';
import { Logo } from '@svc/ui/console/parts/logo.tsx';
import { Menu, MenuItem } from '@svc/ui/console/parts/menu.tsx';
import { useSignOut } from '@svc/ui/console/session/use-sign-out.ts';
import { openQuickDialog } from '@svc/ui/console/shell/quick-dialog.tsx';
import { openShortcuts } from '@svc/ui/console/shell/shortcuts-dialog.tsx';
import { ThemeMenu } from '@svc/ui/console/shell/theme-menu.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Until } from '@svc/ui/console/time/time.tsx';
import { Link, useNavigate } from '@tanstack/react-router';
import { closeSession } from '../api/session.ts';
import { roleNames } from '../session/role-names.ts';
import { useSession } from '../session/use-session.ts';
import { EnvironmentSign } from './environment.tsx';
import './top-bar.css';

export function TopBar() {
  const { environment } = useSession();
  return (
    <header className="top top--operator">
      <Link to="/" className="top__home" aria-label="Operator home">
        <Logo />
      </Link>
      <EnvironmentSign environment={environment} />
      <button
        type="button"
        className="find"
        aria-label="Find anything"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={openQuickDialog}
      >
        <Icon name="search" />
        <span className="find__words">Find anything</span>
        <kbd>{quickKeys}</kbd>
      </button>
      <ThemeMenu />
      <PersonMenu />
    </header>
  );
}

function PersonMenu() {
  const session = useSession();
  const navigate = useNavigate();
  const leaving = useSignOut(closeSession);
  return (
    <Menu
      className="icon-button"
      name="You"
      label="You"
      face={<Icon name="user" size={18} />}
      align="end"
    >
      <div className="menu__label">
        <strong>{visibleText(session.name)}</strong>
        <span>{roleNames[session.role]}</span>
        {session.partners === null ? null : (
          <span>Portals: {session.partners.map(visibleText).join(', ')}</span>
        )}
        <span>
          Session ends at the latest <Until at={session.expires_at} inline />
        </span>
      </div>
      <MenuItem onChoose={openShortcuts}>
        <span className="menu__words">Keyboard shortcuts</span>
        <kbd>?</kbd>
      </MenuItem>
      <MenuItem onChoose={() => void navigate({ to: '/account' })}>
        <span className="menu__words">Your account</span>
      </MenuItem>
      <MenuItem onChoose={() => leaving.mutate()}>
        <span className="menu__words">Sign out</span>
      </MenuItem>
    </Menu>
  );
}
