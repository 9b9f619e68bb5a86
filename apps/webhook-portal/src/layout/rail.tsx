import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../parts/icon.tsx';

export function Rail() {
  return (
    <nav className="rail" aria-label="Portal">
      {sections.map(({ to, label, icon }) => (
        <Link key={to} to={to} className="rail__link" activeOptions={{ includeSearch: false }}>
          <Icon name={icon} size={18} />
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  );
}

export const sections = [
  { to: '/endpoints', label: 'Endpoints', icon: 'endpoints', key: 'e' },
  { to: '/messages', label: 'Messages', icon: 'messages', key: 'm' },
  { to: '/event-catalog', label: 'Event catalog', icon: 'catalog', key: 'c' },
  { to: '/testing', label: 'Testing', icon: 'testing', key: 't' },
] as const satisfies { to: string; label: string; icon: IconName; key: string }[];
