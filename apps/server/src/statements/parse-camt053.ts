import { SaxesParser } from 'saxes';
import { bankTimeZone } from '../domain/bank-time-zone.ts';
import type { Statement, StatementLine, UnusableStatement } from '../domain/books/statement.ts';
import { addDays, localDate } from '../domain/tenants/calendar.ts';
import { BadEntry, BadFile } from './bad-file.ts';
import {
  oneLine,
  readCents,
  readCurrency,
  readDay,
  readDecimal,
  shortened,
} from './read-values.ts';

// A real message nests about 15 elements.
const maxDepth = 40;
// A real file of 64 MiB has up to 3 million: an element takes 20 bytes and more.
const mostElements = 4_000_000;
// An entry has about 20 of those that are read.
const mostKept = 1_000;
const chunkLength = 65_536;

/**
 * Reads camt.053 (ISO 20022, bank to customer statement), every version from 001.02 on, also in an
 * envelope. Reads the XML as a stream with strict checks, and keeps one entry at a time. A document type,
 * and with it every external or internal entity, is refused.
 * @throws BadFile
 */
export function parseCamt053(text: string): (Statement | UnusableStatement)[] {
  const statements: (Statement | UnusableStatement)[] = [];
  let isMessage = false;
  let draft: Draft | undefined;
  let kept = 0;
  let details = 0;
  readElements(text.trimStart(), {
    opens(name, line, parent) {
      if (name === 'BkToCstmrStmt') isMessage = true;
      if (name === 'Stmt' && isMessage && !draft) {
        draft = {
          line,
          account: undefined,
          period: undefined,
          balances: [],
          summaries: [],
          entries: [],
          problem: null,
        };
        return 'enter';
      }
      if (!draft) return 'enter';
      if (!parent) {
        kept = 0;
        details = 0;
        return partsOfStatement.has(name) ? 'keep' : 'skip';
      }
      if (name === 'TxDtls') details += 1;
      // A batch lists its payments. They are read only where it has one.
      if (!readNames.has(name) || (name === 'TxDtls' && details > 2)) return 'skip';
      kept += 1;
      if (kept <= mostKept) return 'keep';
      throw new BadFile(line, `${parent.name} has more than ${mostKept} elements.`);
    },
    closes(node) {
      if (draft) addPart(draft, node);
    },
    ends(name) {
      if (name !== 'Stmt' || !draft) return;
      statements.push(readStatement(draft));
      draft = undefined;
    },
  });
  if (!isMessage) throw new BadFile(1, 'it is XML, but not a camt.053 (Document/BkToCstmrStmt).');
  if (statements.length === 0) throw new BadFile(1, 'there is no statement (Stmt) in it.');
  return statements;
}

const partsOfStatement = new Set(['Acct', 'Bal', 'FrToDt', 'TxsSummry', 'Ntry']);
const readNames = new Set(
  'Id IBAN Othr Ccy Tp CdOrPrtry Cd Amt CdtDbtInd Dt DtTm FrDtTm ToDtTm TtlNtries TtlCdtNtries TtlDbtNtries NbOfNtries Sum Sts BookgDt ValDt NtryRef AcctSvcrRef AddtlNtryInf NtryDtls TxDtls Refs EndToEndId RmtInf Ustrd'.split(
    ' ',
  ),
);

/** A kept element, with its kept children. */
interface Node {
  readonly name: string;
  readonly line: number;
  readonly currency: string;
  readonly children: Node[];
  text: string;
}

interface Listener {
  /** Decides whether to keep the element, to skip all of it, or to look at its children only. */
  opens(name: string, line: number, parent: Node | undefined): 'keep' | 'skip' | 'enter';
  /** Called at the end of a kept element whose parent is not kept. */
  closes(node: Node): void;
  /** Called at the end of an element that was entered. */
  ends(name: string): void;
}

function readElements(text: string, listener: Listener): void {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: {
    readonly name: string;
    readonly node: Node | undefined;
    readonly isSkipped: boolean;
  }[] = [];
  let elements = 0;
  const refuse = (reason: string): never => {
    throw new BadFile(parser.line, reason);
  };
  parser.on('error', (error) =>
    refuse(`it is not well-formed XML. ${error.message.slice(0, 200)}`),
  );
  parser.on('doctype', () => refuse('a document type (DTD) is not allowed.'));
  parser.on('opentag', ({ name: qualified, attributes }) => {
    if (open.length >= maxDepth) refuse(`more than ${maxDepth} elements are nested.`);
    elements += 1;
    if (elements > mostElements) refuse(`the file has more than ${mostElements} elements.`);
    // The prefix of a namespace is the bank's choice.
    const name = qualified.slice(qualified.indexOf(':') + 1);
    const parent = open.at(-1);
    const choice = parent?.isSkipped ? 'skip' : listener.opens(name, parser.line, parent?.node);
    const node =
      choice === 'keep'
        ? { name, line: parser.line, currency: attributes.Ccy ?? '', children: [], text: '' }
        : undefined;
    if (node) parent?.node?.children.push(node);
    open.push({ name, node, isSkipped: choice === 'skip' });
  });
  const addText = (part: string) => {
    const node = open.at(-1)?.node;
    if (node) node.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const ended = open.pop();
    if (ended && !ended.node && !ended.isSkipped) listener.ends(ended.name);
    if (ended?.node && !open.at(-1)?.node) listener.closes(ended.node);
  });
  for (let at = 0; at < text.length; at += chunkLength) {
    parser.write(text.slice(at, at + chunkLength));
  }
  parser.close();
}

function childrenNamed(node: Node, name: string): Node[] {
  return node.children.filter((it) => it.name === name);
}

/** The one child of that name. Undefined if there is none; several are refused. */
function onlyChildNamed(node: Node, name: string): Node | undefined {
  const [found, second] = childrenNamed(node, name);
  if (second) throw new BadEntry(second.line, `${node.name} has ${name} twice.`);
  return found;
}

/** The text at a path of single children; empty if it is missing. */
function textAt(node: Node | undefined, ...path: readonly string[]): string {
  let at = node;
  for (const name of path) at = at && onlyChildNamed(at, name);
  return at ? oneLine(at.text) : '';
}

function required(node: Node, name: string): Node {
  const found = onlyChildNamed(node, name);
  if (!found) throw new BadEntry(node.line, `${node.name} has no ${name}.`);
  return found;
}

/** The parts read so far of a statement that has not ended. */
interface Draft {
  readonly line: number;
  account: Node | undefined;
  period: Node | undefined;
  readonly balances: Balance[];
  readonly summaries: Node[];
  readonly entries: Entry[];
  /** The first reason why it cannot be used. */
  problem: { readonly line: number; readonly reason: string } | null;
}

interface Balance extends Amount {
  readonly code: string;
  readonly line: number;
  readonly day: string;
}

interface Amount {
  /** Negative for a debit. */
  readonly cents: number;
  readonly currency: string;
}

interface Entry extends Amount {
  readonly line: number;
  readonly isBooked: boolean;
  /** The days that it may have been booked on, the likeliest first. */
  readonly bookedOn: readonly string[];
  readonly valueOn: readonly string[];
  readonly reference: string;
  readonly description: string;
}

function addPart(draft: Draft, node: Node): void {
  try {
    if (node.name === 'Ntry') draft.entries.push(readEntry(node));
    else if (node.name === 'Bal') draft.balances.push(...readBalance(node));
    else if (node.name === 'Acct') draft.account = node;
    else if (node.name === 'FrToDt') draft.period = node;
    else draft.summaries.push(node);
  } catch (error) {
    draft.problem ??= problemOf(error);
  }
}

function problemOf(error: unknown): { readonly line: number; readonly reason: string } {
  if (error instanceof BadFile) return { line: error.line, reason: error.reason };
  if (error instanceof BadEntry) return { line: error.line, reason: error.message };
  throw error;
}

const readBalances = ['OPBD', 'PRCD', 'CLBD'];

/** A balance of the kinds that are read. Others, such as available ones, may have any form. */
function readBalance(node: Node): Balance[] {
  const code = textAt(node, 'Tp', 'CdOrPrtry', 'Cd');
  if (!readBalances.includes(code)) return [];
  const [day = ''] = daysOf(required(node, 'Dt'));
  return [{ ...readAmount(node), code, line: node.line, day }];
}

function readAmount(node: Node): Amount {
  const amount = required(node, 'Amt');
  const cents = readDecimal(oneLine(amount.text), amount.line, 'the amount');
  if (cents < 0)
    throw new BadEntry(amount.line, 'the amount has a sign; CdtDbtInd says the direction.');
  const currency = readCurrency(amount.currency, amount.line);
  return { cents: cents === 0 ? 0 : signOf(node) * cents, currency };
}

function signOf(node: Node): 1 | -1 {
  const direction = textAt(node, 'CdtDbtInd');
  if (direction === 'CRDT') return 1;
  if (direction === 'DBIT') return -1;
  throw new BadEntry(node.line, `CdtDbtInd "${shortened(direction)}" is neither CRDT nor DBIT.`);
}

/**
 * The days that a date can mean, the likeliest first. A day, or a time with the bank's own offset, is that
 * day. A time in UTC can be of the day before or after: it is likeliest in the time zone of the books.
 */
function daysOf(node: Node): readonly string[] {
  const text = textAt(node, 'Dt') || textAt(node, 'DtTm') || oneLine(node.text);
  const day = readDay(text.slice(0, 10), node.line, 'the day');
  const isUtc = /^.{10}T.*(Z|[+-]00:?00)$/.test(text);
  const at = new Date(text);
  if (!isUtc || Number.isNaN(at.getTime())) return [day];
  return [...new Set([localDate(at, bankTimeZone), day, addDays(day, 1)])];
}

function readEntry(node: Node): Entry {
  const status = textAt(node, 'Sts', 'Cd') || textAt(node, 'Sts');
  if (!['', 'BOOK', 'PDNG', 'INFO', 'FUTR'].includes(status)) {
    throw new BadEntry(
      node.line,
      `the entry is "${shortened(status)}", and a statement lists booked ones.`,
    );
  }
  const details = childrenNamed(node, 'NtryDtls').flatMap((it) => childrenNamed(it, 'TxDtls'));
  const [detail] = details.length === 1 ? details : [];
  const endToEnd = textAt(detail, 'Refs', 'EndToEndId');
  const remittance = detail
    ? childrenNamed(detail, 'RmtInf').flatMap((it) =>
        childrenNamed(it, 'Ustrd').map((one) => oneLine(one.text)),
      )
    : [];
  const bookedOn = onlyChildNamed(node, 'BookgDt');
  const valueOn = onlyChildNamed(node, 'ValDt');
  return {
    line: node.line,
    isBooked: status === '' || status === 'BOOK',
    ...readAmount(node),
    bookedOn: bookedOn ? daysOf(bookedOn) : [],
    valueOn: valueOn ? daysOf(valueOn) : [],
    // Banks write NOTPROVIDED where the payer gave none.
    reference:
      (endToEnd === 'NOTPROVIDED' ? '' : endToEnd) ||
      textAt(node, 'NtryRef') ||
      textAt(node, 'AcctSvcrRef'),
    description: oneLine([...remittance, textAt(node, 'AddtlNtryInf')].join(' ')),
  };
}

function readStatement(draft: Draft): Statement | UnusableStatement {
  const { line, account, problem } = draft;
  let number = '';
  try {
    number = textAt(account, 'Id', 'IBAN') || textAt(account, 'Id', 'Othr', 'Id');
    if (problem) return { fileLine: problem.line, account: number, reason: problem.reason };
    if (!account) throw new BadEntry(line, 'Stmt has no Acct.');
    return completeStatement(draft, number, textAt(account, 'Ccy'));
  } catch (error) {
    const { line: fileLine, reason } = problemOf(error);
    return { fileLine, account: number, reason };
  }
}

function completeStatement(draft: Draft, account: string, stated: string): Statement {
  const { line, entries } = draft;
  const booked = entries.filter((it) => it.isBooked);
  const moved = booked.reduce((sum, it) => sum + it.cents, 0);
  const { opening, closing } = balancesOf(draft, moved);
  const { currency } = closing;
  if ([opening?.currency ?? currency, stated || currency].some((it) => it !== currency)) {
    throw new BadEntry(line, 'the account and its balances are in different currencies.');
  }
  checkSummaries(draft, booked);
  const { from, to } = daysOfStatement(draft, opening, closing);
  const notes: string[] = [];
  if (!opening) {
    notes.push(
      `Line ${line}: the statement has no opening balance. It was worked out from the closing balance and the lines.`,
    );
  }
  for (const it of entries) {
    if (!it.isBooked) notes.push(`Line ${it.line}: it is not booked. It was left out.`);
  }
  return {
    fileLine: line,
    account,
    currency,
    from,
    to,
    openingInCents: opening?.cents ?? closing.cents - moved,
    closingInCents: closing.cents,
    lines: booked.map((it) => lineOf(it, { from, to, currency }, notes)),
    ...(notes.length > 0 && { notes }),
  };
}

/**
 * Returns the opening and the closing balance. Banks repeat balances, and add those of pages: among several,
 * those count that agree with the entries.
 */
function balancesOf({ line, balances }: Draft, moved: number) {
  const withCode = (code: string) => balances.filter((it) => it.code === code);
  const openings = withCode('OPBD').length > 0 ? withCode('OPBD') : withCode('PRCD');
  const closings = withCode('CLBD');
  const [opening] = openings;
  const [closing] = closings;
  if (!closing) throw new BadEntry(line, 'the statement has no balance CLBD.');
  if (openings.length <= 1 && closings.length === 1) return { opening, closing };
  const pairs = openings.flatMap((first) =>
    closings.filter((last) => first.cents + moved === last.cents).map((last) => ({ first, last })),
  );
  const [pair] = pairs;
  if (!pair || pairs.some((it) => it.last.cents !== pair.last.cents)) {
    const [, second] = closings.length > 1 ? closings : openings;
    throw new BadEntry(
      second?.line ?? line,
      `the balance ${second?.code} is there twice, and the entries lead to neither or to both.`,
    );
  }
  const days = (which: 'first' | 'last') => pairs.map((it) => it[which]).sort(byDay);
  return { opening: days('first')[0] ?? pair.first, closing: days('last').at(-1) ?? pair.last };
}

function byDay(a: Balance, b: Balance): number {
  return a.day < b.day ? -1 : Number(a.day > b.day);
}

/**
 * Returns the first and the last day. A bank may date the opening balance on the day before, when it was the
 * closing balance. If the statement does not say which, the import finds out from the previous statement.
 */
function daysOfStatement(
  { period, entries }: Draft,
  opening: Balance | undefined,
  closing: Balance,
): { from: string; to: string } {
  const dayIn = (name: string) => {
    const node = period && onlyChildNamed(period, name);
    return node ? daysOf(node)[0] : undefined;
  };
  const last = dayIn('ToDtTm') ?? closing.day;
  // The closing balance can be of Friday, in a statement until Sunday.
  const later = entries.flatMap((it) => it.bookedOn[0] ?? []).filter((it) => it <= last);
  const to = later.reduce((day, it) => (it > day ? it : day), closing.day);
  const first = dayIn('FrDtTm');
  // A period that ends before the closing balance is not that of the balances.
  if (first !== undefined && first <= to && last >= closing.day) return { from: first, to };
  if (!opening) return { from: later.reduce((day, it) => (it < day ? it : day), to), to };
  if (opening.day >= to) return { from: to, to };
  return { from: opening.code === 'PRCD' ? addDays(opening.day, 1) : opening.day, to };
}

function lineOf(
  entry: Entry,
  { from, to, currency }: { readonly from: string; readonly to: string; readonly currency: string },
  notes: string[],
): StatementLine {
  const { line, bookedOn, valueOn, cents, reference, description } = entry;
  if (entry.currency !== currency) {
    throw new BadEntry(line, `the entry is in ${entry.currency}, in a statement in ${currency}.`);
  }
  const within = (days: readonly string[]) => days.find((it) => it >= from && it <= to);
  let day = within(bookedOn) ?? bookedOn[0];
  if (day === undefined) {
    day = from === to ? from : within(valueOn);
    if (day === undefined) throw new BadEntry(line, 'it has no booking day (BookgDt).');
    notes.push(`Line ${line}: it has no booking day. ${day} was taken.`);
  }
  return {
    fileLine: line,
    kind: 'entry',
    bookedOn: day,
    amountInCents: cents,
    reference,
    description,
  };
}

/** Checks the bank's own totals, if it sends any: of all entries, or of those that moved money. */
function checkSummaries({ summaries, entries }: Draft, booked: readonly Entry[]): void {
  for (const summary of summaries) {
    const totals: readonly [string, (it: Entry) => boolean][] = [
      ['TtlNtries', () => true],
      ['TtlCdtNtries', (it) => it.cents > 0],
      ['TtlDbtNtries', (it) => it.cents < 0],
    ];
    for (const [name, isCounted] of totals) {
      const total = onlyChildNamed(summary, name);
      if (!total) continue;
      const moving = booked.filter((it) => isCounted(it) && it.cents !== 0);
      const counts = [booked.filter(isCounted), moving, entries.filter(isCounted)];
      const count = textAt(total, 'NbOfNtries');
      const stated = count === '' ? undefined : readCents(count, total.line, 'NbOfNtries');
      if (stated !== undefined && !counts.some((it) => it.length === stated)) {
        throw new BadEntry(
          total.line,
          `${name} counts ${shortened(count)} entries, but there are ${moving.length}.`,
        );
      }
      const sum = textAt(total, 'Sum');
      if (sum === '') continue;
      const sums = counts.map((all) => all.reduce((cents, it) => cents + Math.abs(it.cents), 0));
      if (!sums.includes(Math.abs(readDecimal(sum, total.line, 'Sum')))) {
        throw new BadEntry(
          total.line,
          `the entries of ${name} sum to ${sums[0]} cents, but it says ${shortened(sum)}.`,
        );
      }
    }
  }
}
