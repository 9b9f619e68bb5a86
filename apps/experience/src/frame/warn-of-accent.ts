import { adjustedAccents } from '@svc/contract/accent';
import type { Theme } from '@svc/contract/frame';

/** Tells the partner's developer in the console that an accent has too little contrast in this theme. */
export function warnOfAccent(accent: string, theme: Theme): void {
  for (const { scheme, used } of adjustedAccents(accent)) {
    if (theme !== 'auto' && theme !== scheme) continue;
    console.warn(
      `Svc: the accent ${accent} has too little contrast on ${scheme} pages. ${used} is used there instead.`,
    );
  }
}
