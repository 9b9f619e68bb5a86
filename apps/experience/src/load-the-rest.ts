import { signal } from '@preact/signals';
import type { Flow } from './flow/flow.ts';
import { loadScreens } from './screens/screens.ts';
import { loadTranslations } from './words/use-words.ts';

/** True if a part of the app failed to load. Screens that need it ask the tenant to reload. */
export const isIncomplete = signal(false);

/**
 * Loads everything that the first screen doesn't need. It loads at once instead of on demand, because a
 * deployment renames the files and an open page could no longer load them.
 */
export function loadTheRest(flow: Flow): void {
  for (const part of [loadScreens(flow), loadTranslations()]) {
    part.catch(() => {
      isIncomplete.value = true;
    });
  }
}
