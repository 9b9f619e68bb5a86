import { useCallback, useState, useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

/** The selected theme, or the system's. public/theme.js applies it before the first paint. */
export function useTheme(): { theme: Theme; toggle(): void } {
  const system: Theme = useMedia('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  const [chosen, setChosen] = useState(document.documentElement.dataset.theme as Theme | undefined);
  const theme = chosen ?? system;
  return {
    theme,
    toggle() {
      const next = theme === 'dark' ? 'light' : 'dark';
      document.documentElement.dataset.theme = next;
      localStorage.setItem('theme', next);
      setChosen(next);
    },
  };
}

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
