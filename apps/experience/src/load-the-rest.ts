import { loadScreens } from './screens/screens.ts';
import { signal } from './signal.ts';
import { loadSpanish } from './words/use-words.ts';

/** A part of the app did not come: what needs it can only be had by loading the page again. */
export const isIncomplete = signal(false);

/**
 * Whatever the first screen can do without. At once, not when it is needed: a service that is
 * redeployed meanwhile has other files.
 */
export function loadTheRest(): void {
  for (const part of [loadScreens(), loadSpanish()]) {
    part.catch(() => {
      isIncomplete.value = true;
    });
  }
}
