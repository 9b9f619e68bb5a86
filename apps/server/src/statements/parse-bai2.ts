import type { Statement, StatementLine } from '../domain/books/statement.ts';
import { BadFile } from './bad-file.ts';
import { oneLine, readCents, readCurrency, readDay, shown } from './read-values.ts';

/**
 * Reads BAI2 (Cash Management Balance Reporting, version 2): files, groups, accounts and transactions,
 * each with its control totals. A group is the statement of one day.
 * @throws BadFile
 */
export function parseBai2(text: string): Statement[] {
  const records = recordsOf(text);
  const [file, ...rest] = records;
  if (file?.code !== '01') throw new BadFile(1, 'a BAI2 file begins with a record 01.');
  const version = file.fields[7]?.trim();
  if (version !== '2') {
    throw new BadFile(file.line, `the version is "${shown(version ?? '')}", and only 2 is read.`);
  }
  const statements: Statement[] = [];
  let group: Group | undefined;
  let account: Account | undefined;
  let trailer: Rec | undefined;
  const total = { cents: 0, groups: 0 };
  for (const record of rest) {
    const { code, line, fields } = record;
    if (trailer) throw new BadFile(line, 'the file continues after its record 99.');
    switch (code) {
      case '02': {
        if (group)
          throw new BadFile(line, `the group from line ${group.line} has no record 49 or 98.`);
        group = {
          line,
          from: records.indexOf(record),
          cents: 0,
          accounts: 0,
          day: readShortDay(fields[3] ?? '', line),
          currency: fields[5] ? readCurrency(fields[5], line) : 'USD',
        };
        continue;
      }
      case '03':
        if (!group || account) throw misplaced(record);
        account = openAccount(record, group, records.indexOf(record));
        continue;
      case '16':
        if (!group || !account) throw misplaced(record);
        addTransaction(record, account, group);
        continue;
      case '49':
        if (!group || !account) throw misplaced(record);
        compare(record, 0, account.cents, 'the total of the account');
        compare(record, 1, countOf(records, account.from, record), 'the number of records');
        statements.push(statementOf(account, group));
        group.cents += account.cents;
        group.accounts += 1;
        account = undefined;
        continue;
      case '98':
        if (!group || account) throw misplaced(record);
        compare(record, 0, group.cents, 'the total of the group');
        compare(record, 1, group.accounts, 'the number of accounts');
        compare(record, 2, countOf(records, group.from, record), 'the number of records');
        total.cents += group.cents;
        total.groups += 1;
        group = undefined;
        continue;
      case '99':
        if (group) throw misplaced(record);
        compare(record, 0, total.cents, 'the total of the file');
        compare(record, 1, total.groups, 'the number of groups');
        compare(record, 2, countOf(records, 0, record), 'the number of records');
        trailer = record;
        continue;
      default:
        throw misplaced(record);
    }
  }
  if (!trailer)
    throw new BadFile(records.at(-1)?.line ?? 1, 'there is no record 99: the file is cut off.');
  return statements;
}

interface Rec {
  readonly code: string;
  readonly line: number;
  /** After the code, with those of continuations. */
  readonly fields: readonly string[];
  /** Physical records before this one, continuations included. */
  readonly before: number;
  /** With its continuations. */
  readonly physical: number;
}

interface Group {
  readonly line: number;
  readonly from: number;
  readonly day: string;
  readonly currency: string;
  cents: number;
  accounts: number;
}

interface Account {
  readonly line: number;
  readonly from: number;
  readonly number: string;
  readonly currency: string;
  readonly opening: number;
  readonly closing: number;
  readonly lines: StatementLine[];
  /** The sum of all its amounts, of balances too and without signs of transactions: BAI2's hash total. */
  cents: number;
}

const codes = new Set(['01', '02', '03', '16', '49', '88', '98', '99']);

/** Joins continuations (88) with the record before them. */
function recordsOf(text: string): Rec[] {
  const records: { code: string; line: number; text: string; before: number; physical: number }[] =
    [];
  let physical = 0;
  text.split(/\r\n|\n|\r/).forEach((raw, index) => {
    const content = raw.trimEnd();
    if (content === '') return;
    const line = index + 1;
    const code = content.slice(0, 2);
    if (content.length > 2 && content[2] !== ',') {
      throw new BadFile(line, 'a record begins with a code of two digits and a comma.');
    }
    if (!codes.has(code)) {
      throw new BadFile(line, `the record "${shown(code)}" is not one of BAI2.`);
    }
    const rest = content.slice(3);
    if (code === '88') {
      const last = records.at(-1);
      if (!last) throw new BadFile(line, 'there is no record that it continues.');
      last.text = continued(last, rest);
      last.physical += 1;
    } else {
      records.push({ code, line, text: rest, before: physical, physical: 1 });
    }
    physical += 1;
  });
  return records.map((it) => ({ ...it, fields: fieldsOf(it) }));
}

/**
 * A slash ends a record's fields, and the continuation begins with the next field. The text of a
 * transaction has no slash at its end, and the continuation is more text.
 */
function continued({ text }: { readonly text: string }, rest: string): string {
  return text.endsWith('/') ? `${text.slice(0, -1)},${rest}` : `${text} ${rest}`;
}

function fieldsOf({ code, text, line }: { code: string; text: string; line: number }): string[] {
  // The last field of a transaction is text, which may contain commas and ends with its line.
  if (code === '16') return text.split(',');
  if (!text.endsWith('/')) throw new BadFile(line, 'the record does not end with a slash.');
  return text.slice(0, -1).split(',');
}

function misplaced({ code, line }: Rec): BadFile {
  return new BadFile(
    line,
    `a record ${code} cannot stand here: a header or trailer is missing before it.`,
  );
}

function countOf(records: readonly Rec[], from: number, last: Rec): number {
  return last.before + last.physical - (records[from]?.before ?? 0);
}

function compare({ line, fields }: Rec, place: number, counted: number, what: string): void {
  const stated = readCents(fields[place] ?? '', line, what);
  if (stated === counted) return;
  throw new BadFile(line, `${what} is ${counted}, but the file says ${stated}.`);
}

const openingLedger = '010';
const closingLedger = '015';

function openAccount({ line, fields }: Rec, group: Group, from: number): Account {
  const [number = '', currency = '', ...summaries] = fields;
  const balances = new Map<string, number>();
  let cents = 0;
  for (let at = 0; at < summaries.length; ) {
    const code = summaries[at] ?? '';
    if (code === '' && summaries.slice(at).every((it) => it === '')) break;
    if (!/^\d{3}$/.test(code)) {
      throw new BadFile(line, `the type code "${shown(code)}" does not have three digits.`);
    }
    const amount = summaries[at + 1] ?? '';
    if (amount !== '') {
      const value = readCents(amount, line, `the amount of type ${code}`);
      cents += value;
      if (balances.has(code)) throw new BadFile(line, `type ${code} is there twice.`);
      balances.set(code, value);
    }
    // Code, amount, item count, funds type and what belongs to it.
    at += 3;
    at += fundsLength(summaries, at, line);
  }
  const [opening, closing] = [openingLedger, closingLedger].map((code) => balances.get(code));
  if (opening === undefined || closing === undefined) {
    throw new BadFile(
      line,
      'the account needs an opening (010) and a closing (015) ledger balance.',
    );
  }
  const accountCurrency = currency === '' ? group.currency : readCurrency(currency, line);
  return {
    line,
    from,
    number: number.trim(),
    currency: accountCurrency,
    opening,
    closing,
    lines: [],
    cents,
  };
}

/** How many fields the funds type at `at` takes, itself included. */
function fundsLength(fields: readonly string[], at: number, line: number): number {
  const type = fields[at] ?? '';
  if (type === '' || /^[012Z]$/.test(type)) return 1;
  if (type === 'V') return 3;
  if (type === 'S') return 4;
  if (type === 'D') {
    const count = fields[at + 1] ?? '';
    if (/^\d{1,2}$/.test(count)) return 2 + 2 * Number(count);
  }
  throw new BadFile(line, `the funds type "${shown(type)}" is none of 0, 1, 2, V, S, D and Z.`);
}

function addTransaction({ line, fields }: Rec, account: Account, { day }: Group): void {
  const [code = '', amount = ''] = fields;
  const type = Number(code);
  if (!/^\d{3}$/.test(code) || type < 100 || type > 999) {
    throw new BadFile(line, `the type code "${shown(code)}" is not a number from 100 to 999.`);
  }
  const funds = fundsLength(fields, 2, line);
  const [bankReference = '', customerReference = '', ...texts] = fields.slice(2 + funds);
  const cents = amount === '' ? 0 : readCents(amount, line, 'the amount');
  if (cents < 0)
    throw new BadFile(line, 'the amount has a sign; the type code says the direction.');
  account.cents += cents;
  // 890 to 899 are notes without money.
  if (type >= 890 && type <= 899) return;
  if (type >= 700 && type <= 799) {
    throw new BadFile(line, `the type code ${code} is about a loan, not a deposit account.`);
  }
  if (type >= 900)
    throw new BadFile(line, `the bank’s own type code ${code} does not say its direction.`);
  account.lines.push({
    fileLine: line,
    kind: 'entry',
    bookedOn: day,
    amountInCents: type < 400 ? cents : -cents,
    reference: oneLine(withoutSlash(customerReference) || withoutSlash(bankReference)),
    description: oneLine(withoutSlash(texts.join(','))),
  });
}

/** A transaction without a text ends with a slash. */
function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

function statementOf(account: Account, { day }: Group): Statement {
  const { line, number, currency, opening, closing, lines } = account;
  return {
    fileLine: line,
    account: number,
    currency,
    from: day,
    to: day,
    openingInCents: opening,
    closingInCents: closing,
    lines,
  };
}

/** `260302` is 2026-03-02. */
function readShortDay(text: string, line: number): string {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year === undefined) throw new BadFile(line, `the day "${shown(text)}" is not YYMMDD.`);
  return readDay(`20${year}-${month}-${day}`, line, 'the day');
}
