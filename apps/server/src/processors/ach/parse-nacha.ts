import { BadEntry, BadFile } from '../../statements/bad-file.ts';
import { shortened } from '../../statements/read-values.ts';
import {
  type Addenda,
  addTotals,
  blockLines,
  type Field,
  fillLine,
  isTransactionCode,
  lineLength,
  type NachaBatch,
  type NachaEntry,
  type NachaFile,
  noTotals,
  recordLayouts,
  type Totals,
} from './nacha.ts';

/** The largest file that is read. An entry takes at most 190 bytes, so this is more than 80,000 of them. */
export const largestNachaBytes = 16 * 1024 * 1024;

/** An entry with its line number, for messages. */
export interface ParsedEntry extends NachaEntry {
  readonly line: number;
}

/** An entry that cannot be applied as it is written. */
interface UnreadableEntry {
  readonly line: number;
  readonly reason: string;
  /** The trace number of our entry that it names, if that much can be read. */
  readonly originalTrace: string | null;
}

/** Several files that the bank has merged are read as one, with the header of the first. */
export interface ParsedFile extends NachaFile {
  readonly batches: readonly ParsedBatch[];
  readonly unreadable: readonly UnreadableEntry[];
}

interface ParsedBatch extends NachaBatch {
  readonly entries: readonly ParsedEntry[];
}

/**
 * Reads a Nacha file. Banks merge, trim and re-encode files, so the format is checked leniently: lines may be
 * ragged, batches numbered in any way, and an entry that cannot be read is listed separately. What
 * protects money is exact: the file has a header and a control, and the counts, entry hashes and totals
 * that it states agree with its entries.
 * @throws BadFile
 */
export function parseNacha(bytes: Uint8Array): ParsedFile {
  const files = filesOf(linesOf(bytes));
  const parsed = files.map(parseFile);
  const [first] = files;
  if (!first) throw new BadFile(1, 'the file is empty.');
  return {
    ...headerOf(first.header),
    batches: parsed.flatMap((it) => it.batches),
    unreadable: parsed.flatMap((it) => it.unreadable),
  };
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/** An entry and the addenda behind it. The entry can also be a line that is no known record. */
interface EntryGroup {
  readonly entry: Line;
  readonly addenda: Line[];
}

interface BatchGroup {
  /** Null if the entries follow no record 5. */
  readonly header: Line | null;
  readonly entries: EntryGroup[];
  control: Line | null;
}

interface FileGroup {
  readonly header: Line;
  readonly batches: BatchGroup[];
  control: Line | null;
  /** The lines up to the control. `lines` also counts those that fill the last block. */
  records: number;
  lines: number;
}

function linesOf(bytes: Uint8Array): Line[] {
  if (bytes.length > largestNachaBytes) {
    throw new BadFile(1, `the file has more than ${largestNachaBytes} bytes.`);
  }
  const lines = withoutEnd(decode(bytes))
    .split(/\r\n|\n|\r/)
    .map((text, index) => ({ line: index + 1, text: trimLine(text) }))
    .filter(({ text }) => text !== '');
  return lines.flatMap((it) => cutLine(it, lines.length));
}

/** Decodes each byte to one character: columns count bytes, and a byte outside of ASCII stays one column. */
function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const [first, second, third] = buffer;
  if (first === 0xff && second === 0xfe) return buffer.toString('utf16le').slice(1);
  if (first === 0xfe && second === 0xff) {
    return Buffer.from(buffer.subarray(0, buffer.length & ~1))
      .swap16()
      .toString('utf16le')
      .slice(1);
  }
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  return buffer.toString('latin1', isMarked ? 3 : 0);
}

/** Some systems end a file with Ctrl-Z, or fill its last block with zero bytes. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '\x1a\0\r\n '.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A line that is too long may be UTF-8, where a letter of a name takes two bytes but one column. */
function trimLine(text: string): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= lineLength) return trimmed;
  const letters = Buffer.from(trimmed, 'latin1').toString('utf8');
  return letters.length <= lineLength && !letters.includes('\ufffd') ? letters : trimmed;
}

/** Files without line breaks, and files whose lines are blocks, have many records in one line. */
function cutLine({ line, text }: Line, lines: number): Line[] {
  const isWhole = lines > 1 && text.length % lineLength !== 0;
  if (text.length <= lineLength || isWhole) return [{ line, text }];
  const count = Math.ceil(text.length / lineLength);
  return Array.from({ length: count }, (_, at) => ({
    line: lines === 1 ? at + 1 : line,
    text: text.slice(at * lineLength, (at + 1) * lineLength),
  }));
}

/** Sorts the lines into files and batches. Nothing of their values is checked yet. */
function filesOf(lines: readonly Line[]): (FileGroup & { readonly control: Line })[] {
  const files: FileGroup[] = [];
  let file: FileGroup | undefined;
  let batch: BatchGroup | undefined;
  for (const it of lines) {
    const { line, text } = it;
    if (text[0] === '1' && (!file || file.control)) {
      file = { header: it, batches: [], control: null, records: 1, lines: 1 };
      files.push(file);
      batch = undefined;
      continue;
    }
    if (!file) throw new BadFile(line, 'a Nacha file begins with a record 1.');
    file.lines += 1;
    if (fillLine.startsWith(text)) continue;
    if (file.control) {
      throw new BadFile(line, 'after the record 9 only lines of nines or another file may follow.');
    }
    file.records += 1;
    if (text[0] === '9') {
      file.control = it;
      continue;
    }
    if (text[0] === '5' || !batch) {
      batch = { header: text[0] === '5' ? it : null, entries: [], control: null };
      file.batches.push(batch);
      if (text[0] === '5') continue;
    }
    if (text[0] === '8') {
      batch.control = it;
      batch = undefined;
      continue;
    }
    const last = batch.entries.at(-1);
    if (text[0] === '7' && last) last.addenda.push(it);
    else batch.entries.push({ entry: it, addenda: [] });
  }
  return files.map((it) => {
    if (it.control) return { ...it, control: it.control };
    throw new BadFile(lines.at(-1)?.line ?? 1, 'there is no record 9: the file is cut off.');
  });
}

type Rec = Readonly<Record<string, string>>;

function readFields(fields: readonly Field[], { text }: Line): Rec {
  const values: Record<string, string> = {};
  let at = 0;
  for (const { name, width, type } of fields) {
    const value = text.slice(at, at + width);
    values[name] = type === 'n' ? value : value.trimEnd();
    at += width;
  }
  return values;
}

/** Returns a field's name in words: `originalTrace` becomes "the original trace". */
function wordsOf(name: string): string {
  return `the ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

function headerOf(header: Line): Omit<NachaFile, 'batches'> {
  const {
    destination = '',
    origin = '',
    createdOn = '',
    ...values
  } = readFields(recordLayouts.fileHeader, header);
  return {
    destination: destination.trim(),
    origin: origin.trim(),
    modifier: values.modifier ?? '',
    createdAt: values.createdAt ?? '',
    createdOn: readShortDay(createdOn),
    destinationName: values.destinationName ?? '',
    originName: values.originName ?? '',
    reference: values.reference ?? '',
  };
}

/** Sums of what was read. */
interface Counted extends Totals {
  /** True if each amount, bank and direction was read. Otherwise only the records can be compared. */
  isComplete: boolean;
  /** Lines that are no known record, and may or may not be an entry or addenda. */
  unknown: number;
}

function parseFile({ control, batches, records, lines }: FileGroup & { readonly control: Line }) {
  const total: Counted = { ...noTotals(), isComplete: true, unknown: 0 };
  const parsed = batches.map((it) => parseBatch(it, total));
  // A file that does not fill its last block still counts it.
  const blocks = [records, lines].map((it) => Math.ceil(it / blockLines));
  const stated: Stated[] = [
    ...statedTotals(total, 'the file'),
    { name: 'batches', what: 'the number of batches', counted: [batches.length] },
    { name: 'blocks', what: 'the number of blocks', counted: blocks },
  ];
  // The last record may be cut off while the file is still being copied.
  const [unreadable] = compareTotal(control, recordLayouts.fileControl, stated);
  if (unreadable) throw new BadFile(unreadable.line, unreadable.reason);
  return {
    batches: parsed.map((it) => it.batch),
    unreadable: parsed.flatMap((it) => it.unreadable),
  };
}

/** A number that a control states. */
interface Stated {
  readonly name: string;
  readonly what: string;
  /** The correct numbers: more than one if a damaged line leaves that open. */
  readonly counted: readonly number[];
}

function statedTotals(counted: Counted, owner: string): Stated[] {
  const { records, unknown, hash, debitInCents, creditInCents } = counted;
  const possible = Array.from({ length: unknown + 1 }, (_, more) => records + more);
  const count = {
    name: 'records',
    what: `the number of entries and addenda of ${owner}`,
    counted: possible,
  };
  if (!counted.isComplete) return [count];
  return [
    count,
    { name: 'hash', what: `the entry hash of ${owner}`, counted: [hash] },
    { name: 'debit', what: `the total of debits of ${owner}`, counted: [debitInCents] },
    { name: 'credit', what: `the total of credits of ${owner}`, counted: [creditInCents] },
  ];
}

/**
 * Compares the numbers of a control, except those that the bank has left blank. Returns those that are not
 * numbers.
 * @throws BadFile if one disagrees
 */
function compareTotal(
  control: Line,
  layout: readonly Field[],
  stated: readonly Stated[],
): UnreadableEntry[] {
  const values = readFields(layout, control);
  const { line } = control;
  return stated.flatMap(({ name, what, counted }) => {
    const text = values[name]?.trim() ?? '';
    if (text === '') return [];
    if (!/^\d+$/.test(text)) {
      const reason = `${what} is "${shortened(text)}", which is not a number.`;
      return [{ line, reason, originalTrace: null }];
    }
    if (counted.includes(Number(text))) return [];
    throw new BadFile(line, `${what} is ${counted[0]}, but the file says ${Number(text)}.`);
  });
}

function parseBatch({ header, entries, control }: BatchGroup, total: Counted) {
  const values = header ? readFields(recordLayouts.batchHeader, header) : {};
  const text = (name: string) => values[name] ?? '';
  const counted: Counted = { ...noTotals(), isComplete: true, unknown: 0 };
  const parsed: ParsedEntry[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (const group of entries) {
    addToTotals(counted, group, text('entryClass'));
    try {
      parsed.push(parseEntry(group));
    } catch (error) {
      if (!(error instanceof BadEntry)) throw error;
      const { line, message } = error;
      unreadable.push({ line, reason: message, originalTrace: originalTraceOf(group) });
    }
  }
  if (control) {
    const owner = `the batch of line ${header?.line ?? control.line}`;
    unreadable.push(
      ...compareTotal(control, recordLayouts.batchControl, statedTotals(counted, owner)),
    );
  }
  addTotals(total, counted);
  total.isComplete &&= counted.isComplete;
  total.unknown += counted.unknown;
  const batch: ParsedBatch = {
    serviceClass: text('serviceClass'),
    entryClass: text('entryClass'),
    entries: parsed,
    companyName: text('companyName'),
    discretionary: text('discretionary'),
    companyId: text('companyId'),
    description: text('description'),
    descriptiveDate: text('descriptiveDate'),
    settlementDay: text('settlementDay'),
    effectiveOn: readShortDay(text('effectiveOn')),
    originatingBank: text('originatingBank'),
  };
  return { batch, unreadable };
}

/** Adds an entry to the sums, whether it can be read or not. */
function addToTotals(counted: Counted, { entry, addenda }: EntryGroup, entryClass: string): void {
  const { routingNumber = '', code = '', amount = '' } = readFields(recordLayouts.entry, entry);
  counted.records += addenda.length;
  if (entry.text[0] === '6' || entry.text[0] === '7') counted.records += 1;
  else counted.unknown += 1;
  if (entry.text[0] === '7') return;
  // A line of another length has lost its columns, and advices (ADV) have others.
  const isWhole = entry.text[0] === '6' && entry.text.length === lineLength && entryClass !== 'ADV';
  if (!isWhole || !/^\d{2}$/.test(code) || !/^\d{8}/.test(routingNumber) || !/^\d+$/.test(amount)) {
    counted.isComplete = false;
    return;
  }
  counted.hash = (counted.hash + Number(routingNumber.slice(0, 8))) % 10_000_000_000;
  // The second digit: 0 to 4 are credits, 5 to 9 debits, also for loans and ledger accounts.
  if (Number(code[1]) >= 5) counted.debitInCents += Number(amount);
  else counted.creditInCents += Number(amount);
}

function parseEntry({ entry, addenda }: EntryGroup): ParsedEntry {
  const { line, text: content } = entry;
  if (content[0] === '7') throw new BadEntry(line, 'the addenda belongs to no entry.');
  if (content[0] !== '6') {
    throw new BadEntry(line, `a record cannot begin with "${shortened(content[0] ?? '')}".`);
  }
  if (content.length !== lineLength) {
    throw new BadEntry(
      line,
      `it has ${content.length} characters, and an entry has ${lineLength}.`,
    );
  }
  const values = readFields(recordLayouts.entry, entry);
  const text = (name: string) => values[name] ?? '';
  for (const name of ['routingNumber', 'amount', 'trace']) {
    if (!/^\d+$/.test(text(name))) throw new BadEntry(line, `${wordsOf(name)} is not a number.`);
  }
  const code = text('code');
  if (!isTransactionCode(code)) {
    throw new BadEntry(line, `the transaction code "${code}" is not for deposit accounts.`);
  }
  const amountInCents = Number(text('amount'));
  const parsed = parseAddenda(line, addenda);
  if (parsed?.kind === 'change' && amountInCents !== 0) {
    throw new BadEntry(line, 'it is a notification of change, so its amount must be zero.');
  }
  return {
    line,
    code,
    routingNumber: text('routingNumber'),
    accountNumber: text('accountNumber'),
    amountInCents,
    individualId: text('individualId'),
    individualName: text('individualName'),
    discretionary: text('discretionary'),
    trace: text('trace'),
    addenda: parsed,
  };
}

/** The addenda that says why an entry came back, among others such as remittance information (05). */
function parseAddenda(line: number, addenda: readonly Line[]): Addenda | null {
  const [found, second] = addenda.filter((it) => /^7(98|99)/.test(it.text));
  if (second) throw new BadEntry(second.line, 'the entry has two addenda 98 or 99.');
  if (!found) {
    const [other] = addenda;
    if (!other) return null;
    throw new BadEntry(
      line,
      `its addenda "${shortened(other.text.slice(1, 3))}" is neither 98 nor 99.`,
    );
  }
  const isReturn = found.text[2] === '9';
  const values = readFields(
    isReturn ? recordLayouts.returnAddenda : recordLayouts.changeAddenda,
    found,
  );
  const text = (name: string) => values[name] ?? '';
  const reason = text('reason').toUpperCase();
  if (!(isReturn ? /^R(?!00)\d\d$/ : /^C(?!00)\d\d$/).test(reason)) {
    const expected = isReturn ? 'return code such as R01' : 'change code such as C01';
    throw new BadEntry(found.line, `"${shortened(reason)}" is not a ${expected}.`);
  }
  if (/^R(6[1-9]|7[0-7])$/.test(reason)) {
    throw new BadEntry(
      found.line,
      `${reason} dishonors or contests an earlier return. Ask the bank what it did with the money.`,
    );
  }
  if (!/^\d{15}$/.test(text('originalTrace'))) {
    throw new BadEntry(found.line, 'the original trace number is not one of 15 digits.');
  }
  const original = {
    reason,
    originalTrace: text('originalTrace'),
    originalBank: text('originalBank'),
  };
  return isReturn
    ? {
        kind: 'return',
        ...original,
        dateOfDeath: text('dateOfDeath'),
        information: text('information'),
      }
    : { kind: 'change', ...original, corrected: text('corrected') };
}

/** Finds the trace number of our entry that a group names, even if a damaged line takes its addenda's place. */
function originalTraceOf({ entry, addenda }: EntryGroup): string | null {
  for (const { text } of [...addenda, entry]) {
    const [, trace] = /^.9[89].{3}(\d{15})/.exec(text) ?? [];
    if (trace !== undefined) return trace;
  }
  return null;
}

/** `260302` is 2026-03-02. Empty if it is no day: nothing depends on the days that a bank states. */
function readShortDay(text: string): string {
  const day = text.replace(/^(\d\d)(\d\d)(\d\d)$/, '20$1-$2-$3');
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : '';
}
