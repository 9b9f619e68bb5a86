import type { ReactNode } from 'react';
import type { Account } from '../../../backend/answers.ts';
import { HomeIcon, LeafMark, LeaseIcon, PaymentsIcon } from '../../icons.tsx';
import { addressOf, goTo } from '../../use-location.ts';
import { useWords } from '../../words/use-words.ts';

interface NavigationProps {
  path: string;
  tenantId: string;
  account: Account | null;
}

export function Navigation({ path, tenantId, account }: NavigationProps) {
  const { translate } = useWords();
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
    <header className="top">
      <p className="brand">
        <LeafMark />
        Maple Residents
      </p>
      <nav className="nav" aria-label={translate('Portal')}>
        {entry('/portal', translate('Home'), <HomeIcon />)}
        {entry('/portal/payments', translate('Payments'), <PaymentsIcon />)}
        {entry(
          '/portal/lease',
          translate(account?.variant === 'hoa' ? 'Property' : 'Lease'),
          <LeaseIcon />,
        )}
      </nav>
      {account ? (
        <span className="initials" role="img" aria-label={account.name}>
          {initialsOf(account.name)}
        </span>
      ) : null}
    </header>
  );
}

function initialsOf(name: string): string {
  return name
    .split(' ')
    .map((part) => part.slice(0, 1))
    .join('');
}
