import { useCallback, useSyncExternalStore } from 'react';

export const languages = ['en', 'es'] as const;
export const themes = ['light', 'dark'] as const;
/** The brands of the portal. Their colors are in styles/brands.css. */
export const brands = ['maple', 'harbor', 'citrus', 'noir'] as const;
export const devices = ['desktop', 'phone'] as const;

/** A setting that the browser stores. The demo's frames get each change with the `storage` event. */
function useSetting<T extends string>(
  name: string,
  values: readonly T[],
  initial: T,
): [T, (value: T) => void] {
  const stored = useSyncExternalStore(subscribe, () => recall(name));
  const choose = useCallback(
    (value: T) => {
      remember(name, value);
      // The browser sends the event to the other frames only.
      window.dispatchEvent(new StorageEvent('storage', { key: name }));
    },
    [name],
  );
  return [values.find((value) => value === stored) ?? initial, choose];
}

export function useLanguage() {
  return useSetting('language', languages, navigator.language.startsWith('es') ? 'es' : 'en');
}

export function useTheme() {
  const isDark = useMedia('(prefers-color-scheme: dark)');
  return useSetting('theme', themes, isDark ? 'dark' : 'light');
}

export const useBrand = () => useSetting('brand', brands, 'maple');

export const useDevice = () => useSetting('device', devices, 'desktop');

/** Whether the visitor has clicked the widget before. */
export const useHasClicked = () => useSetting('clicked', ['no', 'yes'], 'no');

export function useMedia(query: string): boolean {
  const subscribeToMedia = useCallback(
    (onChange: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribeToMedia, () => window.matchMedia(query).matches);
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
}

/** Settings of a visitor whose browser stores none, such as a WebView. They last until the page is left. */
const unsaved = new Map<string, string>();

function recall(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return unsaved.get(name) ?? null;
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    unsaved.set(name, value);
  }
}
