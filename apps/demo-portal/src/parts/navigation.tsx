import type { ReactNode } from 'react';
import type { Signed } from '../session/use-account.ts';
import { addressOf, goTo } from '../session/use-location.ts';
import { HomeIcon, LeafMark, LeaseIcon, PaymentsIcon } from './icons.tsx';

interface NavigationProps {
  path: string;
  tenantId: string | null;
  signed: Signed;
}

export function Navigation({ path, tenantId, signed }: NavigationProps) {
  const account = signed.state === 'ready' ? signed.selected.account : null;
  const entry = (to: string, label: string, icon: ReactNode) => (
    <a
      className="nav__entry"
      href={addressOf(to, tenantId)}
      aria-current={path === to ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        goTo(addressOf(to, tenantId));
      }}
    >
      {icon}
      {label}
    </a>
  );
  return (
    <nav className="side" aria-label="Portal">
      <div className="side__in">
        <p className="brand">
          <LeafMark />
          Maple Residents
        </p>
        <div className="nav">
          {entry('/', 'Home', <HomeIcon />)}
          {entry('/payments', 'Payments', <PaymentsIcon />)}
          {entry('/lease', account?.variant === 'hoa' ? 'Property' : 'Lease', <LeaseIcon />)}
        </div>
        {account ? (
          <div className="person">
            <span className="person__initials" aria-hidden="true">
              {initials(account.name)}
            </span>
            <span className="person__name">{account.name}</span>
            <span className="person__unit">{account.unit}</span>
          </div>
        ) : null}
      </div>
    </nav>
  );
}

function initials(name: string): string {
  return name
    .split(' ')
    .map((part) => part.slice(0, 1))
    .join('');
}
