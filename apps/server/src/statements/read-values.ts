import { BadFile } from './bad-file.ts';

// Up to 10^15 cents, which a JavaScript number holds exactly. checkStatement refuses larger balances. Banks
// fill amounts with zeros on both sides.
const amountPattern = /^([+-]?)0{0,30}(\d{0,13})(?:\.(\d{0,30}))?$/;

/** Reads an amount with a decimal point, such as `-1234.5`, into cents. */
export function readDecimal(text: string, line: number, what: string): number {
  const [, sign, whole = '', decimals = ''] = amountPattern.exec(text) ?? [];
  if (sign === undefined || !/\d/.test(text)) {
    throw new BadFile(line, `${what} "${shortened(text)}" is not an amount such as 1234.50.`);
  }
  if (!/^0*$/.test(decimals.slice(2))) {
    throw new BadFile(line, `${what} "${shortened(text)}" has fractions of a cent.`);
  }
  return signed(sign, Number(`${whole}${decimals.slice(0, 2).padEnd(2, '0')}`));
}

/** Reads whole cents, such as `-123450`. */
export function readCents(text: string, line: number, what: string): number {
  const [, sign, digits] = /^([+-]?)0{0,30}(\d{1,15})$/.exec(text) ?? [];
  if (sign === undefined) {
    throw new BadFile(
      line,
      `${what} "${shortened(text)}" is not a number of cents such as 123450.`,
    );
  }
  return signed(sign, Number(digits));
}

// Without it, "-0.00" would become the number -0.
function signed(sign: string, cents: number): number {
  return sign === '-' && cents !== 0 ? -cents : cents;
}

/** Reads `YYYY-MM-DD`, and refuses days that do not exist. */
export function readDay(text: string, line: number, what: string): string {
  const at = new Date(`${text}T00:00:00Z`);
  const exists =
    /^(19|20)\d\d-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(at.getTime()) &&
    at.toISOString().startsWith(text);
  if (exists) return text;
  throw new BadFile(line, `${what} "${shortened(text)}" is not a day such as 2026-03-02.`);
}

export function readCurrency(text: string, line: number): string {
  if (/^[A-Z]{3}$/.test(text)) return text;
  throw new BadFile(line, `the currency "${shortened(text)}" is not a code such as USD.`);
}

/** Shortens text of the file for a message, because a hostile file may hold megabytes in one value. */
export function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Removes line breaks and repeated spaces, which formats use to fill or wrap their lines. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
