import { useEffect } from 'react';
import type { Session } from '../api/session.ts';
import productionIcon from './icon.svg';
import sandboxIcon from './icon-sandbox.svg';
import './environment.css';

type Environment = Session['environment'];

/** Names the environment. The bar around it also has a different color and pattern in each. */
export function EnvironmentSign({ environment }: { environment: Environment }) {
  const isSandbox = environment === 'sandbox';
  return (
    <span className="environment">
      <strong className="environment__name">{isSandbox ? 'Sandbox' : 'Production'}</strong>
      <span className="environment__about">{isSandbox ? 'No real money' : 'Real money'}</span>
    </span>
  );
}

/** Shows the environment in the browser's tab. */
export function useEnvironmentIcon(environment: Environment): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link) link.href = environment === 'sandbox' ? sandboxIcon : productionIcon;
  }, [environment]);
}
