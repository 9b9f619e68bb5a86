/**
 * A typed amount in US dollars. `unclear`: it has two readings, in cents, the larger one first. The caller
 * asks which one is meant, because a wrong guess charges somebody a thousand times as much.
 */
export type TypedMoney =
  | { kind: 'amount'; cents: number }
  | { kind: 'unclear'; readings: readonly [more: number, less: number] }
  | { kind: 'invalid' };

/** Direction marks and zero-width characters, which come along when an amount is pasted. */
const invisibleCharacters = /[\u061c\u200b-\u200f\u2060-\u2069\ufeff]/g;
const currencyBefore = /^(?:US\s?\$|\$|USD\b)\s*/i;
const currencyAfter = /\s*(?:US\s?\$|\$|\bUSD|\bdollars?|\bd[oó]lar(?:es)?)$/i;

/** The most characters that are parsed, far more than any amount has: the patterns take quadratic time. */
const longestTyped = 200;

/** `400`, `400.5`, `400,50`, `15,` */
const plainAmount = /^(\d{1,7})(?:[.,](\d{0,2}))?$/;
/** `.50`, `,5` */
const onlyCents = /^()[.,](\d{1,2})$/;
/** `1,234.56`, `1.234,56`, `1 234,56`, `1'234.56`: groups of three, and a decimal sign other than the separator. */
const grouped = /^([1-9]\d{0,2}(?:([.,'’\s])\d{3})(?:\2\d{3})?)(?:(?!\2)[.,](\d{0,2}))?$/;

/**
 * Parses an amount as people in the US and in Spanish-speaking countries type it, up to 9,999,999.99.
 * One or two digits after the last point or comma are cents. Of three digits, a comma before them
 * separates thousands (`4,200`), but a single point is unclear (`1.500`): in Spanish it separates thousands
 * too, in English it is a decimal point. An amount in any other form is invalid and never repaired.
 */
export function parseMoney(typed: string): TypedMoney {
  if (typed.length > longestTyped) return { kind: 'invalid' };
  const text = typed
    .replaceAll(invisibleCharacters, '')
    .trim()
    .replace(currencyBefore, '')
    .replace(currencyAfter, '');
  const match = plainAmount.exec(text) ?? onlyCents.exec(text);
  if (match !== null) return { kind: 'amount', cents: centsOf(match[1], match[2]) };
  const [, groups = '', separator, decimals] = grouped.exec(text) ?? [];
  const cents = centsOf(groups.replaceAll(/\D/g, ''), decimals);
  if (groups === '' || cents > 9_999_999_99) return { kind: 'invalid' };
  if (separator === '.' && decimals === undefined && /^\d+\.\d+$/.test(groups)) {
    return { kind: 'unclear', readings: [cents, Math.floor(cents / 1000)] };
  }
  return { kind: 'amount', cents };
}

function centsOf(dollars = '', decimals = ''): number {
  return Number(dollars) * 100 + Number(decimals.padEnd(2, '0'));
}
