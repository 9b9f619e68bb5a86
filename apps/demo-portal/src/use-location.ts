import { useSyncExternalStore } from 'react';

const locationChanged = 'demo:location';

/** Returns the path and the tenant. Both are in the URL, so a reload keeps them. */
export function useLocation(): { path: string; tenantId: string } {
  const href = useSyncExternalStore(subscribe, () => window.location.href);
  const url = new URL(href);
  return { path: url.pathname, tenantId: url.searchParams.get('tenant') ?? 'res-1042' };
}

export function addressOf(path: string, tenantId: string): string {
  return `${path}?tenant=${encodeURIComponent(tenantId)}`;
}

export function goTo(address: string): void {
  window.history.pushState(null, '', address);
  window.dispatchEvent(new Event(locationChanged));
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('popstate', onChange);
  window.addEventListener(locationChanged, onChange);
  return () => {
    window.removeEventListener('popstate', onChange);
    window.removeEventListener(locationChanged, onChange);
  };
}
