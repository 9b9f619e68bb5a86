import { signal } from '@preact/signals';
import { loadScreens } from './screens/screens.ts';
import { loadTranslations } from './words/use-words.ts';

/** A part of the app failed to load. What needs it works only after the page is loaded again. */
export const isIncomplete = signal(false);

/**
 * Loads everything that the first screen doesn't need. Right away instead of on demand, because a
 * redeploy renames the files and an open page would no longer find them.
 */
export function loadTheRest(): void {
  for (const part of [loadScreens(), loadTranslations()]) {
    part.catch(() => {
      isIncomplete.value = true;
    });
  }
}
