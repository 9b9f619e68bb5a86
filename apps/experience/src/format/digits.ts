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

/**
 * Formats a typed day as `04/27/1990`. A month above 1 and a day above 3 can only have one digit, so
 * `4271990` works, too. Browsers fill in `1990-04-27`.
 */
export function groupDay(text: string): string {
  const iso = /^\s*(\d{4})-(\d\d)-(\d\d)\s*$/.exec(text);
  if (iso !== null) return `${iso[2]}/${iso[3]}/${iso[1]}`;
  const digits = digitsOf(
    text.replace(/^\s*(\d)\D+/, '0$1/').replace(/^(\s*\d\d\D+)(\d)\D+/, '$10$2/'),
  )
    .replace(/^(?=[2-9])/, '0')
    .replace(/^(\d\d)(?=[4-9])/, '$10');
  return [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 8)].filter(Boolean).join('/');
}

/** Returns the caret's position after grouping: after the same digit, or still at the end. */
export function caretAfter(text: string, caret: number, grouped: string): number {
  if (caret === text.length) return grouped.length;
  const digits = digitsOf(text.slice(0, caret)).length;
  return new RegExp(`^(\\D*\\d){${digits}}`).exec(grouped)?.[0].length ?? grouped.length;
}
