import { use } from 'react';
import { SiteName } from '../shell/site-name.ts';

export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="logo__ground" />
        <path
          d="M20.6 11.6c-.8-1.7-2.4-2.6-4.6-2.6-2.7 0-4.6 1.3-4.6 3.4 0 4.7 9.3 2.4 9.3 7.1 0 2.2-2 3.5-4.7 3.5-2.3 0-4.1-.9-4.9-2.7"
          className="logo__line"
        />
      </svg>
      <span className="logo__word">{use(SiteName)}</span>
    </span>
  );
}
