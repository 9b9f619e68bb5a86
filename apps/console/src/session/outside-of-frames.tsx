import type { ReactNode } from 'react';
import { useSession } from './use-session.ts';

/** Hides links out of a view and actions beyond its token. A frame shows `instead`, or nothing. */
export function OutsideOfFrames(props: { children: ReactNode; instead?: ReactNode }) {
  return useSession().view === null ? props.children : props.instead;
}
