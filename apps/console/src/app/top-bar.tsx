import { Link, useNavigate } from '@tanstack/react-router';
import { closeSession } from '../api/session.ts';
import { Floating } from '../components/floating.tsx';
import { Icon } from '../components/icon.tsx';
import { Logo } from '../components/logo.tsx';
import { Menu, MenuCheck, MenuChoice, MenuItem } from '../components/menu.tsx';
import { Until } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';
import { useSession } from '../session/session-gate.tsx';
import { useSignOut } from '../session/use-sign-out.ts';
import { openShortcuts } from './shortcuts-dialog.tsx';
import { themes, useMoreContrast, useTheme } from './theme.ts';

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

function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  const [more, setMore] = useMoreContrast();
  return (
    <Menu
      className="icon-button"
      name="Theme"
      label={`Theme: ${themeLabels[theme]}`}
      face={<Icon name={icons[theme]} size={18} />}
      align="end"
    >
      {themes.map((name) => (
        <MenuChoice key={name} checked={name === theme} onChoose={() => setTheme(name)}>
          <Icon name={icons[name]} />
          <span className="menu__words">{themeLabels[name]}</span>
        </MenuChoice>
      ))}
      <MenuCheck checked={more} onChoose={() => setMore(!more)}>
        <Icon name="contrast" />
        <span className="menu__words">More contrast</span>
      </MenuCheck>
    </Menu>
  );
}

const themeLabels = { system: 'System', light: 'Light', dark: 'Dark' };
const icons = { system: 'system', light: 'sun', dark: 'moon' } as const;
