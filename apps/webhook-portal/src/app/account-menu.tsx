import { useNavigate } from '@tanstack/react-router';
import { closeSession } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { Until } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';
import { useSession } from '../session/session-gate.tsx';
import { useSignOut } from '../session/use-sign-out.ts';
import { openShortcuts } from './shortcuts-dialog.tsx';

export function AccountMenu() {
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
          Session ends <Until at={session.expires_at} inline />
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
