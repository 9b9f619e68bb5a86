import type { Statement, StatementLine, UnusableStatement } from '../domain/books/statement.ts';
import { BadEntry, BadFile } from './bad-file.ts';
import { oneLine, readCents, readCurrency, readDay, shortened } from './read-values.ts';

/**
 * Reads BAI2 (Cash Management Balance Reporting, version 2): files, groups, accounts and transactions. Control
 * totals must agree if they are present. A group is the statement of one day. An account that cannot be used,
 * such as one without balances, does not cause the others to be refused.
 * @throws BadFile
 */
export function parseBai2(text: string): (Statement | UnusableStatement)[] {
  const records = recordsOf(text);
  const [file, ...rest] = records;
  if (file?.code !== '01') throw new BadFile(1, 'a BAI2 file begins with a record 01.');
  const version = file.fields[7]?.trim() ?? '';
  if (version !== '2' && version !== '') {
    throw new BadFile(file.line, `the version is "${shortened(version)}", and only 2 is read.`);
  }
  const statements: (Statement | UnusableStatement)[] = [];
  let group: Group | undefined;
  let account: Account | undefined;
  let trailer: Rec | undefined;
  const total: Total = { cents: 0, isComplete: true };
  let groups = 0;
  for (const [index, record] of rest.entries()) {
    const { code, line } = record;
    if (trailer) throw new BadFile(line, 'the file continues after its record 99.');
    switch (code) {
      case '02':
        if (group)
          throw new BadFile(line, `the group from line ${group.line} has no record 49 or 98.`);
        group = openGroup(record, index + 1);
        continue;
      case '03':
        if (!group || account) throw misplacedRecord(record);
        account = openAccount(record, group, index + 1);
        continue;
      case '16':
        if (!group || !account) throw misplacedRecord(record);
        addTransaction(record, account, group);
        continue;
      case '49':
        if (!group || !account) throw misplacedRecord(record);
        compareTotal(record, account, 'the total of the account');
        compareCount(record, 1, countOf(records, account.from, record), 'the number of records');
        statements.push(statementOf(account, group));
        addTotal(group, account);
        group.accounts += 1;
        account = undefined;
        continue;
      case '98':
        if (!group || account) throw misplacedRecord(record);
        compareTotal(record, group, 'the total of the group');
        compareCount(record, 1, group.accounts, 'the number of accounts');
        compareCount(record, 2, countOf(records, group.from, record), 'the number of records');
        addTotal(total, group);
        groups += 1;
        group = undefined;
        continue;
      case '99':
        if (group) throw misplacedRecord(record);
        compareTotal(record, total, 'the total of the file');
        compareCount(record, 1, groups, 'the number of groups');
        compareCount(record, 2, countOf(records, 0, record), 'the number of records');
        trailer = record;
        continue;
      default:
        throw misplacedRecord(record);
    }
  }
  if (!trailer)
    throw new BadFile(records.at(-1)?.line ?? 1, 'there is no record 99: the file is cut off.');
  return statements;
}

interface Rec {
  readonly code: string;
  readonly line: number;
  /** The fields after the code, including those of continuations. */
  readonly fields: readonly string[];
  /** The number of physical records before this one, including continuations. */
  readonly before: number;
  /** The number of physical records, including continuations. */
  readonly physical: number;
}

/** The sum of all amounts, including balances, with unsigned amounts of transactions: BAI2's hash total. */
interface Total {
  cents: number;
  /** True if each amount was read. Otherwise nothing can be compared. */
  isComplete: boolean;
}

interface Group extends Total {
  readonly line: number;
  readonly from: number;
  readonly day: string;
  readonly currency: string;
  /** Why its accounts are no statements of a day; empty if they are. */
  readonly problem: string;
  /** Interim figures: their balances are compared only if both are there. */
  readonly isInterim: boolean;
  accounts: number;
}

interface Account extends Total {
  readonly line: number;
  readonly from: number;
  readonly number: string;
  readonly balances: ReadonlyMap<string, number>;
  readonly lines: StatementLine[];
  currency: string;
  /** The first reason why it cannot be used. */
  problem: { readonly line: number; readonly reason: string } | null;
  /** True if a line has one of the bank's own types, whose direction only the balances confirm. */
  hasOwnType: boolean;
}

const mostRecordLines = 1_000;
const recordCodes = new Set(['01', '02', '03', '16', '49', '88', '98', '99']);

interface OpenRecord {
  readonly code: string;
  readonly line: number;
  readonly before: number;
  text: string;
  physical: number;
  /** The number of lines, including those that were wrapped without a record 88. */
  lines: number;
}

/** Joins continuations (88) with the record before them. */
function recordsOf(text: string): Rec[] {
  const records: OpenRecord[] = [];
  let physical = 0;
  text.split(/\r\n|\n|\r/).forEach((raw, index) => {
    for (const content of recordsIn(raw)) {
      const line = index + 1;
      const last = records.at(-1);
      const [, code = '', rest = ''] = /^(\d\d)[ \t]*(?:,(.*)|\/?)$/s.exec(content) ?? [];
      if (!recordCodes.has(code)) {
        // A text that was wrapped without a record 88.
        if (last?.code !== '16' || last.text.endsWith('/')) {
          throw new BadFile(
            line,
            `the record "${shortened(content.slice(0, 2))}" is not one of BAI2.`,
          );
        }
        last.text = `${last.text} ${content}`;
        requireFew(last, line);
        continue;
      }
      if (code === '88') {
        if (!last) throw new BadFile(line, 'there is no record that it continues.');
        last.text = continued(last, rest);
        last.physical += 1;
        requireFew(last, line);
      } else {
        records.push({ code, line, text: rest, before: physical, physical: 1, lines: 1 });
      }
      physical += 1;
    }
  });
  return records.map((it) => ({ ...it, fields: fieldsOf(it) }));
}

/** Limits the lines of a record, because joining it takes time for each of them. */
function requireFew(record: OpenRecord, line: number): void {
  record.lines += 1;
  if (record.lines <= mostRecordLines) return;
  throw new BadFile(
    line,
    `the record of line ${record.line} has more than ${mostRecordLines} lines.`,
  );
}

/** Files whose lines were joined have several records in one line, each behind the slash of the one before. */
function recordsIn(raw: string): string[] {
  const text = raw.trim();
  if (text === '') return [];
  return text.split(/(?<=\/)[ \t]{1,100}(?=(?:01|02|03|16|49|88|98|99),)/).map((it) => it.trim());
}

/**
 * A slash ends a record's fields, and the continuation begins with the next field. The text of a
 * transaction has no slash at its end, and the continuation is more text.
 */
function continued({ code, text }: OpenRecord, rest: string): string {
  if (text.endsWith('/')) return `${text.slice(0, -1)},${rest}`;
  return code === '16' ? `${text} ${rest}` : `${text},${rest}`;
}

function fieldsOf({ code, text }: OpenRecord): string[] {
  // The last field of a transaction is text, which may contain commas and ends with its line.
  if (code === '16') return text.split(',');
  return withoutSlash(text)
    .split(',')
    .map((it) => it.trim());
}

function misplacedRecord({ code, line }: Rec): BadFile {
  return new BadFile(
    line,
    `a record ${code} cannot stand here: a header or trailer is missing before it.`,
  );
}

function countOf(records: readonly Rec[], from: number, last: Rec): number {
  return last.before + last.physical - (records[from]?.before ?? 0);
}

/** Compares a number of a trailer, unless the bank has left it blank. */
function compareCount({ line, fields }: Rec, place: number, counted: number, what: string): void {
  const text = fields[place] ?? '';
  if (text === '') return;
  const stated = readCents(text, line, what);
  if (stated === counted) return;
  throw new BadFile(line, `${what} is ${counted}, but the file says ${stated}.`);
}

function compareTotal(record: Rec, { cents, isComplete }: Total, what: string): void {
  if (isComplete) compareCount(record, 0, cents, what);
}

function addTotal(sum: Total, { cents, isComplete }: Total): void {
  sum.cents += cents;
  sum.isComplete &&= isComplete;
}

function openGroup({ line, fields }: Rec, from: number): Group {
  const [, , status = '', day = '', , currency = '', modifier = ''] = fields;
  const statuses: Readonly<Record<string, string>> = {
    2: 'the bank deletes what it reported before (group status 2).',
    4: 'it is a test of the bank (group status 4).',
  };
  const isSameDay = modifier === '3';
  return {
    line,
    from,
    cents: 0,
    isComplete: true,
    accounts: 0,
    day: readShortDay(day, line),
    currency: currency === '' ? 'USD' : readCurrency(currency, line),
    problem:
      statuses[status] ??
      (isSameDay ? 'these are interim figures of a day that has not ended (modifier 3).' : ''),
    isInterim: modifier === '1',
  };
}

const openingLedger = '010';
const closingLedger = '015';

function openAccount({ line, fields }: Rec, group: Group, from: number): Account {
  const [number = '', currency = '', ...summaries] = fields;
  const balances = new Map<string, number>();
  const account: Account = {
    line,
    from,
    number,
    balances,
    lines: [],
    currency: group.currency,
    cents: 0,
    isComplete: true,
    problem: group.problem === '' ? null : { line: group.line, reason: group.problem },
    hasOwnType: false,
  };
  try {
    addBalances(summaries, line, { account, balances });
  } catch (error) {
    noteProblem(account, error);
    account.isComplete = false;
  }
  try {
    if (currency !== '') account.currency = readCurrency(currency, line);
  } catch (error) {
    noteProblem(account, error);
  }
  return account;
}

/** Keeps the first reason why an account cannot be used. */
function noteProblem(account: Account, error: unknown): void {
  if (error instanceof BadFile) account.problem ??= { line: error.line, reason: error.reason };
  else if (error instanceof BadEntry) {
    account.problem ??= { line: error.line, reason: error.message };
  } else throw error;
}

function addBalances(
  summaries: readonly string[],
  line: number,
  { account, balances }: { readonly account: Account; readonly balances: Map<string, number> },
): void {
  for (let at = 0; at < summaries.length; ) {
    const code = summaries[at] ?? '';
    // Banks leave a summary empty, or write commas up to the slash before a continuation.
    if (code === '') {
      at += 1;
      continue;
    }
    if (!/^\d{3}$/.test(code)) {
      throw new BadEntry(line, `the type code "${shortened(code)}" does not have three digits.`);
    }
    const amount = summaries[at + 1] ?? '';
    if (amount !== '') {
      const value = readCents(amount, line, `the amount of type ${code}`);
      account.cents += value;
      if (balances.has(code) && balances.get(code) !== value) {
        noteProblem(account, new BadEntry(line, `type ${code} is there twice.`));
      }
      balances.set(code, value);
    }
    // Code, amount, item count, funds type and what belongs to it.
    at += 3;
    at += fundsLength(summaries, at, line);
  }
}

/** Returns how many fields the funds type at `at` takes, including itself. */
function fundsLength(fields: readonly string[], at: number, line: number): number {
  const type = fields[at] ?? '';
  if (type === '' || /^[012Z]$/.test(type)) return 1;
  if (type === 'V') return 3;
  if (type === 'S') return 4;
  if (type === 'D') {
    const count = fields[at + 1] ?? '';
    if (/^\d{1,2}$/.test(count)) return 2 + 2 * Number(count);
  }
  throw new BadEntry(
    line,
    `the funds type "${shortened(type)}" is not one of 0, 1, 2, V, S, D and Z.`,
  );
}

function addTransaction(record: Rec, account: Account, { day }: Group): void {
  const { line, fields } = record;
  const [code = '', amount = ''] = fields.map((it) => it.trim());
  let cents = 0;
  try {
    cents =
      amount === '' || amount === '/' ? 0 : readCents(withoutSlash(amount), line, 'the amount');
    account.cents += Math.abs(cents);
  } catch (error) {
    noteProblem(account, error);
    account.isComplete = false;
    return;
  }
  try {
    if (cents < 0) {
      throw new BadEntry(line, 'the amount has a sign; the type code says the direction.');
    }
    // Notes without money.
    if (/^89\d$/.test(code)) return;
    const direction = directionOf(code, line);
    account.hasOwnType ||= code.startsWith('9');
    const funds = fundsLength(fields.map(withoutSlash), 2, line);
    const [bankReference = '', customerReference = '', ...texts] = fields.slice(2 + funds);
    account.lines.push({
      fileLine: line,
      kind: 'entry',
      bookedOn: day,
      amountInCents: cents === 0 ? 0 : direction * cents,
      reference: oneLine(withoutSlash(customerReference)) || oneLine(withoutSlash(bankReference)),
      description: oneLine(withoutSlash(texts.join(',').trim())),
    });
  } catch (error) {
    noteProblem(account, error);
  }
}

/** Returns 1 for a credit: 100 to 399 and, among the bank's own types, 920 to 959. Otherwise -1. */
function directionOf(code: string, line: number): 1 | -1 {
  const type = /^\d{3}$/.test(code) ? Number(code) : 0;
  if (type < 100) {
    throw new BadEntry(line, `the type code "${shortened(code)}" is not a number from 100 to 999.`);
  }
  if (type >= 700 && type <= 799) {
    throw new BadEntry(line, `the type code ${code} is about a loan, not a deposit account.`);
  }
  if (type >= 700 && type < 920) {
    throw new BadEntry(line, `the type code ${code} does not say its direction.`);
  }
  return type < 400 || (type >= 920 && type < 960) ? 1 : -1;
}

/** Removes a slash at the end, which a transaction without a text also has. */
function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

function statementOf(account: Account, group: Group): Statement | UnusableStatement {
  const { line, number, currency, lines, balances, problem } = account;
  if (problem) return { fileLine: problem.line, account: number, reason: problem.reason };
  const closing = balances.get(closingLedger);
  const stated = balances.get(openingLedger);
  const unusable = (reason: string) => ({ fileLine: line, account: number, reason });
  if (closing === undefined) {
    return unusable(
      'the account has no closing (015) ledger balance, so its day may not be complete.',
    );
  }
  if (stated === undefined && (group.isInterim || account.hasOwnType)) {
    return unusable(
      'the account has no opening (010) ledger balance, which would confirm its lines.',
    );
  }
  const moved = lines.reduce((sum, it) => sum + it.amountInCents, 0);
  const notes = [
    `Line ${line}: the account has no opening balance. It was worked out from the closing balance and the lines.`,
  ];
  return {
    fileLine: line,
    account: number,
    currency,
    from: group.day,
    to: group.day,
    openingInCents: stated ?? closing - moved,
    closingInCents: closing,
    lines,
    ...(stated === undefined && { notes }),
  };
}

/** `260302` and `20260302` are 2026-03-02. */
function readShortDay(text: string, line: number): string {
  const [, year, month, day] = /^(?:20)?(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year === undefined) throw new BadFile(line, `the day "${shortened(text)}" is not YYMMDD.`);
  return readDay(`20${year}-${month}-${day}`, line, 'the day');
}
