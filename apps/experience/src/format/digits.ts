/** Removes everything but digits from typed or pasted text. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Groups a card number in fours, as on the card. */
export function groupNumber(text: string): string {
  return digitsOf(text).replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** Formats a typed month and year: `1228` and `12/28` are `12/28`, and `1/28` is `01/28`. */
export function groupExpiry(text: string): string {
  return digitsOf(text.replace(/^\s*(\d)\s*[/-]/, '0$1')).replace(/^(\d\d)(?=\d)/, '$1/');
}

/** The caret's position after grouping: behind the same digit, or still at the end. */
export function caretAfter(text: string, caret: number, grouped: string): number {
  if (caret === text.length) return grouped.length;
  const digits = digitsOf(text.slice(0, caret)).length;
  return new RegExp(`^(\\D*\\d){${digits}}`).exec(grouped)?.[0].length ?? grouped.length;
}
