import { useState } from 'react';
import { useMedia } from './use-media.ts';

export type Theme = 'light' | 'dark';

/** The system's theme until one is chosen; public/theme.js sets the chosen one before first paint. */
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
