import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** Nothing here: why, and the next thing to do. */
export function Empty({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      <span className="empty__sign">
        <Icon name={icon} size={24} />
      </span>
      <h2 className="empty__title">{title}</h2>
      {children}
    </div>
  );
}
