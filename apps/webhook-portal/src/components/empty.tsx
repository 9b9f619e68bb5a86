import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** Nothing here: why, and the next thing to do. */
export function Empty({
  icon,
  title,
  wholePage = false,
  children,
}: {
  icon: IconName;
  title: string;
  /** It is all that the page has to say, so its title is the page's. */
  wholePage?: boolean;
  children?: ReactNode;
}) {
  const Title = wholePage ? 'h1' : 'h2';
  return (
    <div className="empty">
      <span className="empty__sign">
        <Icon name={icon} size={24} />
      </span>
      <Title className="empty__title">{title}</Title>
      {children}
    </div>
  );
}
