import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, readTheme), setTheme];
}

/** Returns whether high contrast is on, and a setter. Follows the system until the user chooses. */
export function useMoreContrast(): [boolean, (more: boolean) => void] {
  return [useSyncExternalStore(subscribe, readMoreContrast), setMoreContrast];
}

/** The keys in local storage. `theme-boot.js` also reads them, before the first paint. */
const storageKeys = { theme: 'svc-portal-theme', contrast: 'svc-portal-contrast' };
const listeners = new Set<() => void>();

function readTheme(): Theme {
  const pinned = document.documentElement.dataset.theme;
  return pinned === 'light' || pinned === 'dark' ? pinned : 'system';
}

function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  storeChoice('theme', theme === 'system' ? null : theme);
}

function readMoreContrast(): boolean {
  return document.documentElement.dataset.contrast === 'more';
}

function setMoreContrast(more: boolean): void {
  if (more) document.documentElement.dataset.contrast = 'more';
  else delete document.documentElement.dataset.contrast;
  storeChoice('contrast', more ? 'more' : 'normal');
}

function storeChoice(what: keyof typeof storageKeys, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(storageKeys[what]);
    else localStorage.setItem(storageKeys[what], value);
  } catch (error) {
    console.info('The theme lasts only for this visit, because storage is unavailable.', error);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
