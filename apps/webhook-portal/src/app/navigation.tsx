import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Icon, type IconName } from '../components/icon.tsx';
import { Menu, MenuChoice } from '../components/menu.tsx';
import './navigation.css';

export function Navigation() {
  return (
    <nav className="rail" aria-label="Portal">
      {sections.map(({ to, label, short, icon }, index) => (
        <Link
          key={to}
          to={to}
          className={index < onPhone ? 'rail__link' : 'rail__link rail__link--wide'}
          activeOptions={{ includeSearch: false }}
        >
          <Icon name={icon} size={18} />
          <span className="rail__label">{label}</span>
          <span className="rail__short">{short}</span>
        </Link>
      ))}
      <More />
    </nav>
  );
}

export const sections = [
  { to: '/endpoints', label: 'Endpoints', short: 'Endpoints', icon: 'endpoints', key: 'e' },
  { to: '/messages', label: 'Messages', short: 'Messages', icon: 'messages', key: 'm' },
  { to: '/event-catalog', label: 'Event catalog', short: 'Catalog', icon: 'catalog', key: 'c' },
  { to: '/testing', label: 'Testing', short: 'Testing', icon: 'testing', key: 't' },
  { to: '/replays', label: 'Replays', short: 'Replays', icon: 'replay', key: 'r' },
  { to: '/activity', label: 'Activity', short: 'Activity', icon: 'activity', key: 'a' },
  { to: '/debugger', label: 'Debugger', short: 'Debugger', icon: 'debugger', key: 'd' },
  { to: '/requests', label: 'Requests', short: 'Requests', icon: 'requests', key: 'q' },
  { to: '/api-keys', label: 'API keys', short: 'Keys', icon: 'key', key: 'k' },
  { to: '/origins', label: 'Allowed origins', short: 'Origins', icon: 'origins', key: 'o' },
  { to: '/doctor', label: 'Doctor', short: 'Doctor', icon: 'doctor', key: 'h' },
  { to: '/appearance', label: 'Appearance', short: 'Look', icon: 'appearance', key: 'p' },
] as const satisfies Section[];

interface Section {
  to: string;
  label: string;
  /** The label used when the navigation is narrow. */
  short: string;
  icon: IconName;
  key: string;
}

/** The number of sections shown on phones. The rest are in the "More" menu. */
const onPhone = 4;

function More() {
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const rest = sections.slice(onPhone);
  const open = rest.some(({ to }) => path.startsWith(to));
  return (
    <div className="rail__more">
      <Menu
        className={open ? 'rail__link active' : 'rail__link'}
        name="More sections"
        align="end"
        face={
          <>
            <Icon name="more" size={18} />
            <span>More</span>
          </>
        }
      >
        {rest.map(({ to, label, icon }) => (
          <MenuChoice key={to} checked={path.startsWith(to)} onChoose={() => void navigate({ to })}>
            <span className="menu__words">
              <Icon name={icon} /> {label}
            </span>
          </MenuChoice>
        ))}
      </Menu>
    </div>
  );
}
