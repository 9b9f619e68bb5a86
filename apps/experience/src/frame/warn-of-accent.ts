import { adjustedAccents } from '@svc/contract/accent';

/** Tells the partner's developer in the console that an accent has too little contrast. */
export function warnOfAccent(accent: string): void {
  for (const { scheme, used } of adjustedAccents(accent)) {
    console.warn(
      `Svc: the accent ${accent} has too little contrast on ${scheme} pages. ${used} is used there instead.`,
    );
  }
}
