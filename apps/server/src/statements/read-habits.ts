import { BadFile } from './bad-file.ts';
import { readDay, readDecimal, shortened } from './read-values.ts';

// Amounts and days of CSV files, which people and spreadsheets write in the habit of their country. A value
// such as 1,234 or 03/04/2026 means two things. Another value of the same file may show which. If none does,
// the file is refused, because a guess could be wrong by a factor of a thousand or by a month.

type Reader<T> = (text: string, line: number, what: string) => T;

interface Parts {
  readonly isNegative: boolean;
  /** Digits with separators. */
  readonly digits: string;
}

/** Reads amounts into cents, such as `-1234.50`, `1.234,50`, `(12.00)`, `$1,234.50` and `12,50-`. */
export function amountReader(all: readonly string[]): Reader<number> {
  const marks = new Set(all.flatMap((it) => decimalMarkOf(partsOf(it)?.digits ?? '') ?? []));
  return (text, line, what) => {
    const parts = partsOf(text);
    if (!parts) {
      throw new BadFile(line, `${what} "${shortened(text)}" is not an amount such as 1234.50.`);
    }
    const { isNegative, digits } = parts;
    const own = decimalMarkOf(digits);
    if (marks.size > 1 && /[.,]/.test(digits)) {
      throw new BadFile(
        line,
        `${what} "${shortened(text)}" has another decimal separator than other amounts. Write all of them like 1234.50.`,
      );
    }
    const [mark] = marks;
    if (own === undefined && mark === undefined && /[.,]/.test(digits)) {
      throw new BadFile(
        line,
        `${what} "${shortened(text)}" can mean two amounts. Write it with two decimals, like 1234.50.`,
      );
    }
    const grouping = mark === ',' ? '.' : ',';
    const [whole = '', ...rest] = mark ? digits.split(mark) : [digits];
    const isGrouped = !whole.includes(grouping) || /^\d{1,3}([.,]\d{3})+$/.test(whole);
    if (rest.length > 1 || !isGrouped || rest.some((it) => it.includes(grouping))) {
      throw new BadFile(line, `${what} "${shortened(text)}" is not an amount such as 1234.50.`);
    }
    const plain = [whole.replaceAll(grouping, ''), ...rest].join('.');
    return readDecimal(`${isNegative ? '-' : ''}${plain}`, line, what);
  };
}

function partsOf(text: string): Parts | undefined {
  // Banks group with blanks, also narrow ones, and with apostrophes.
  const bare = text.replace(/[$\s\u00a0\u202f'’]/g, '').replace(/[\u2212\u2013]/g, '-');
  const inBrackets = /^\((.*)\)$/s.exec(bare);
  const [, before, digits, after] =
    /^([+-]?)(\d[\d.,]{0,40}|[.,]\d{1,40})([+-]?)$/.exec(inBrackets?.[1] ?? bare) ?? [];
  if (digits === undefined) return undefined;
  const signs = `${before}${after}`;
  if (signs.length > 1 || (inBrackets && signs !== '')) return undefined;
  return { isNegative: inBrackets !== null || signs === '-', digits };
}

/** The decimal separator of an amount. Undefined if it has none, or if its only one can also group digits. */
function decimalMarkOf(digits: string): string | undefined {
  const found = digits.match(/[.,]/g) ?? [];
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const isOther = found.some((it) => it !== last);
  if (isOther) return last;
  // A separator that is there twice groups digits, so the decimal separator is the other one.
  if (found.length > 1) return last === ',' ? '.' : ',';
  const [whole = '', decimals = ''] = digits.split(last);
  const canGroup = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return canGroup ? undefined : last;
}

type DayOrder = 'month first' | 'day first';

/** Reads days such as `2026-03-02`, `20260302`, `02.03.2026` and, where the file shows the order, `03/02/2026`. */
export function dayReader(all: readonly string[]): Reader<string> {
  const orders = new Set(all.flatMap((it) => orderOf(it) ?? []));
  return (text, line, what) => {
    const [, year, month, day] = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[T ].*)?$/s.exec(text) ?? [];
    if (year !== undefined) return readDay(`${year}-${month}-${day}`, line, what);
    const slashed = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(text);
    if (!slashed) return readDay(text, line, what);
    const [, first = '', mark, second = '', year4 = ''] = slashed;
    const isDayFirst = mark === '.' || orders.has('day first');
    if (mark !== '.' && orders.size !== 1) {
      throw new BadFile(
        line,
        `${what} "${shortened(text)}" can mean two days. Write it like 2026-03-02.`,
      );
    }
    const [monthText, dayText] = isDayFirst ? [second, first] : [first, second];
    return readDay(
      `${year4}-${monthText.padStart(2, '0')}-${dayText.padStart(2, '0')}`,
      line,
      what,
    );
  };
}

/** Returns the order of day and month that a date shows, because one of its numbers is no month. */
function orderOf(text: string): DayOrder | undefined {
  const [, first, , second] = /^(\d{1,2})([/-])(\d{1,2})\2\d{4}$/.exec(text) ?? [];
  if (Number(first) > 12) return 'day first';
  return Number(second) > 12 ? 'month first' : undefined;
}
