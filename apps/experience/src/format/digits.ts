/** Only the digits of what was typed or pasted. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** A card's number in fours, as on the card. */
export function groupNumber(text: string): string {
  return digitsOf(text).replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** A month and year with a line between; `1/28` is January. */
export function groupExpiry(text: string): string {
  return digitsOf(text.replace(/^\s*(\d)\s*[/-]/, '0$1')).replace(/^(\d\d)(?=\d)/, '$1/');
}

/** Where the caret belongs once the text is grouped: behind the same digit, or at its end. */
export function caretAfter(text: string, caret: number, grouped: string): number {
  if (caret === text.length) return grouped.length;
  const digits = digitsOf(text.slice(0, caret)).length;
  return new RegExp(`^(\\D*\\d){${digits}}`).exec(grouped)?.[0].length ?? grouped.length;
}
