/**
 * Isolates text that is written from right to left. Otherwise it would reverse the amount or the address
 * that follows it. The text itself must not contain an end of an isolate.
 */
export function isolateText(text: string): string {
  return rightToLeft.test(text) ? `${isolate}${text}${endOfIsolate}` : text;
}

const isolate = '\u2068';
const endOfIsolate = '\u2069';

/** Hebrew, Arabic and the other scripts that are written from right to left, in their blocks. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
