/**
 * Text that a portal or a partner wrote, for a sentence of ours. Line breaks and hidden characters, such
 * as an override of the writing direction, could change what stands around it, so they become spaces.
 * Text that is written from right to left is isolated: without that it would turn the amount or the
 * address around that follows it.
 */
export function reportedText(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return rightToLeft.test(line) ? `${isolate}${line}${endOfIsolate}` : line;
}

const isolate = '\u2068';
const endOfIsolate = '\u2069';

/** Hebrew, Arabic and the other scripts that are written from right to left, in their blocks. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
