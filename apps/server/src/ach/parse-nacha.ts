import { isRoutingNumber } from '@svc/contract';
import { BadFile } from '../statements/bad-file.ts';
import { readDay, shown } from '../statements/read-values.ts';
import {
  type Addenda,
  addEntry,
  addTotals,
  blockLines,
  entryClasses,
  type Field,
  fillLine,
  isDebit,
  isPrenote,
  isTransactionCode,
  layouts,
  lineLength,
  type NachaBatch,
  type NachaEntry,
  type NachaFile,
  noTotals,
  serviceClasses,
  type Totals,
} from './nacha.ts';

/** The largest file that is read. An entry takes at most 190 bytes, so this is more than 80,000 of them. */
export const largestNachaBytes = 16 * 1024 * 1024;

/** An entry with the line on which it stands, for messages. */
export interface ParsedEntry extends NachaEntry {
  readonly line: number;
}

export interface ParsedFile extends NachaFile {
  readonly batches: readonly ParsedBatch[];
}

export interface ParsedBatch extends NachaBatch {
  readonly entries: readonly ParsedEntry[];
}

/**
 * Reads a Nacha file, and checks everything that the format promises: lengths, order, check digits, trace
 * numbers, and the entry hash, counts and totals of each batch and of the file.
 * @throws BadFile
 */
export function parseNacha(bytes: Uint8Array): ParsedFile {
  const lines = linesOf(bytes);
  const { header, batches, control } = groupsOf(lines);
  const total = noTotals();
  const parsed = batches.map((it, index) => parseBatch(it, index + 1, total));
  checkTotals(control, total, 'the file');
  stated(control, 'batches', batches.length, 'the number of batches');
  stated(control, 'blocks', lines.length / blockLines, 'the number of blocks');
  return { ...parseFileHeader(header), batches: parsed };
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/** A line by its layout. */
interface Rec {
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
}

interface BatchGroup {
  readonly header: Rec;
  readonly entries: { readonly entry: Rec; addenda: Line | null }[];
  control: Rec | null;
}

function linesOf(bytes: Uint8Array): Line[] {
  if (bytes.length > largestNachaBytes) {
    throw new BadFile(1, `the file has more than ${largestNachaBytes} bytes.`);
  }
  // Each byte becomes one character, so that other encodings are found, and lengths are those of the file.
  const text = Buffer.from(bytes).toString('latin1');
  if (text === '') throw new BadFile(1, 'the file is empty.');
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  lines.forEach((it, index) => {
    const line = index + 1;
    if (it.length !== lineLength) {
      throw new BadFile(line, `it has ${it.length} characters, and a record has ${lineLength}.`);
    }
    if (!/^[\x20-\x7e]*$/.test(it)) {
      throw new BadFile(line, 'it has a character that is not printable ASCII.');
    }
  });
  if (lines.length % blockLines !== 0) {
    throw new BadFile(
      lines.length,
      `the file ends here, after ${lines.length} lines. It must have blocks of ${blockLines}: it is cut off.`,
    );
  }
  return lines.map((it, index) => ({ line: index + 1, text: it }));
}

/** Sorts the lines into batches. Nothing of their values is checked yet. */
function groupsOf(lines: readonly Line[]) {
  const [first, ...rest] = lines;
  if (first?.text[0] !== '1') throw new BadFile(1, 'a Nacha file begins with a record 1.');
  const batches: BatchGroup[] = [];
  let batch: BatchGroup | undefined;
  let control: Rec | undefined;
  for (const it of rest) {
    const { line, text } = it;
    if (control) {
      if (text === fillLine) continue;
      throw new BadFile(line, 'after the record 9 only lines of nines may follow.');
    }
    switch (text[0]) {
      case '5':
        if (batch) throw new BadFile(line, 'the batch before it has no record 8.');
        batch = { header: read(layouts.batchHeader, it), entries: [], control: null };
        break;
      case '6':
        if (!batch) throw new BadFile(line, 'the entry is in no batch.');
        batch.entries.push({ entry: read(layouts.entry, it), addenda: null });
        break;
      case '7': {
        const last = batch?.entries.at(-1);
        if (!last) throw new BadFile(line, 'the addenda belongs to no entry.');
        if (last.addenda) throw new BadFile(line, 'the entry has more than one addenda.');
        last.addenda = it;
        break;
      }
      case '8':
        if (!batch) throw new BadFile(line, 'no batch is open.');
        batch.control = read(layouts.batchControl, it);
        batches.push(batch);
        batch = undefined;
        break;
      case '9':
        if (batch) throw new BadFile(line, 'the last batch has no record 8.');
        control = read(layouts.fileControl, it);
        break;
      default:
        throw new BadFile(line, `a record cannot begin with "${shown(text[0] ?? '')}".`);
    }
  }
  if (!control) throw new BadFile(lines.length, 'there is no record 9: the file is cut off.');
  return { header: read(layouts.fileHeader, first), batches, control };
}

function read(fields: readonly Field[], { line, text }: Line): Rec {
  const values: Record<string, string> = {};
  let at = 0;
  for (const { name, width, type } of fields) {
    const value = text.slice(at, at + width);
    if (type === 'n' && !/^\d+$/.test(value)) {
      throw new BadFile(
        line,
        `${wordsOf(name)} must be ${width} digits, in columns ${at + 1} to ${at + width}.`,
      );
    }
    values[name] = type === 'n' ? value : value.trimEnd();
    at += width;
  }
  return { line, values };
}

/** `originalTrace` is "the original trace". */
function wordsOf(name: string): string {
  return `the ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

function textOf({ values }: Rec, name: string): string {
  return values[name] ?? '';
}

function stated(record: Rec, name: string, counted: number, what: string): void {
  const value = Number(textOf(record, name));
  if (value === counted) return;
  throw new BadFile(record.line, `${what} is ${counted}, but the file says ${value}.`);
}

function checkTotals(control: Rec, totals: Totals, of: string): void {
  stated(control, 'records', totals.records, `the number of entries and addenda of ${of}`);
  stated(control, 'hash', totals.hash, `the entry hash of ${of}`);
  stated(control, 'debit', totals.debitInCents, `the total of debits of ${of}`);
  stated(control, 'credit', totals.creditInCents, `the total of credits of ${of}`);
}

function parseFileHeader(header: Rec): Omit<NachaFile, 'batches'> {
  const { line } = header;
  const text = (name: string) => textOf(header, name);
  const constants = { priority: '01', recordSize: '094', blockingFactor: '10', format: '1' };
  for (const [name, value] of Object.entries(constants)) {
    if (text(name) !== value) throw new BadFile(line, `${wordsOf(name)} must be ${value}.`);
  }
  const destination = text('destination').trim();
  const origin = text('origin').trim();
  if (origin === '') throw new BadFile(line, 'the origin is missing.');
  if (!/^[A-Z0-9]$/.test(text('modifier'))) {
    throw new BadFile(line, 'the modifier must be a letter from A to Z or a digit.');
  }
  return {
    destination,
    origin,
    modifier: text('modifier'),
    createdAt: text('createdAt'),
    createdOn: readShortDay(text('createdOn'), line, 'the day of creation'),
    destinationName: text('destinationName'),
    originName: text('originName'),
    reference: text('reference'),
  };
}

function parseBatch(
  { header, entries, control }: BatchGroup,
  number: number,
  total: Totals,
): ParsedBatch {
  const { line } = header;
  const text = (name: string) => textOf(header, name);
  const serviceClass = serviceClasses.find((it) => it === text('serviceClass'));
  if (!serviceClass) throw new BadFile(line, 'the service class must be 200, 220 or 225.');
  const entryClass = entryClasses.find((it) => it === text('entryClass'));
  if (!entryClass) {
    const known = entryClasses.join(', ');
    throw new BadFile(line, `the entry class "${text('entryClass')}" is none of ${known}.`);
  }
  stated(header, 'batchNumber', number, 'the number of the batch');
  const sums = noTotals();
  const parsed: ParsedEntry[] = [];
  for (const it of entries) {
    const entry = parseEntry(it.entry, it.addenda, entryClass === 'COR');
    if (serviceClass !== '200' && isDebit(entry.code) !== (serviceClass === '225')) {
      throw new BadFile(
        entry.line,
        `its code ${entry.code} does not fit into a batch ${serviceClass}.`,
      );
    }
    const last = parsed.at(-1);
    if (last && entry.trace <= last.trace) {
      throw new BadFile(entry.line, 'its trace number is not above that of the entry before it.');
    }
    addEntry(sums, entry);
    parsed.push(entry);
  }
  if (parsed.length === 0) throw new BadFile(line, 'the batch has no entry.');
  if (control) {
    checkTotals(control, sums, `batch ${number}`);
    stated(control, 'batchNumber', number, 'the number of the batch');
    for (const name of ['serviceClass', 'companyId', 'originatingBank']) {
      if (textOf(control, name) === text(name)) continue;
      throw new BadFile(control.line, `${wordsOf(name)} is not that of the batch header.`);
    }
  }
  addTotals(total, sums);
  return {
    serviceClass,
    entryClass,
    entries: parsed,
    companyName: text('companyName'),
    discretionary: text('discretionary'),
    companyId: text('companyId'),
    description: text('description'),
    descriptiveDate: text('descriptiveDate'),
    settlementDay: text('settlementDay'),
    effectiveOn: readShortDay(text('effectiveOn'), line, 'the effective day'),
    originatingBank: text('originatingBank'),
  };
}

function parseEntry(record: Rec, addendaLine: Line | null, isChange: boolean): ParsedEntry {
  const { line } = record;
  const text = (name: string) => textOf(record, name);
  const code = text('code');
  if (!isTransactionCode(code)) {
    throw new BadFile(line, `the transaction code ${code} is none of those for deposit accounts.`);
  }
  const routingNumber = text('routingNumber');
  if (!isRoutingNumber(routingNumber)) {
    throw new BadFile(line, `the check digit of the routing number ${routingNumber} is wrong.`);
  }
  if (text('accountNumber').trim() === '')
    throw new BadFile(line, 'the account number is missing.');
  const hasAddenda = text('hasAddenda');
  if (hasAddenda !== (addendaLine === null ? '0' : '1')) {
    throw new BadFile(line, `its addenda indicator is ${hasAddenda}, which is not what follows.`);
  }
  const trace = text('trace');
  const addenda = addendaLine === null ? null : parseAddenda(addendaLine, trace);
  if (isChange !== (addenda?.kind === 'change')) {
    throw new BadFile(
      line,
      'notifications of change are in batches of the class COR, and nothing else is.',
    );
  }
  const amountInCents = Number(text('amount'));
  const hasNoMoney = isPrenote(code) || isChange;
  // A return of a prenote has the code of a return, and no amount either.
  if (addenda?.kind !== 'return' && hasNoMoney !== (amountInCents === 0)) {
    throw new BadFile(line, hasNoMoney ? 'its amount must be zero.' : 'its amount is zero.');
  }
  return {
    line,
    code,
    routingNumber,
    accountNumber: text('accountNumber'),
    amountInCents,
    individualId: text('individualId'),
    individualName: text('individualName'),
    discretionary: text('discretionary'),
    trace,
    addenda,
  };
}

function parseAddenda(it: Line, trace: string): Addenda {
  const type = it.text.slice(1, 3);
  if (type !== '98' && type !== '99') {
    throw new BadFile(it.line, `the addenda type "${type}" is neither 98 nor 99.`);
  }
  const isReturn = type === '99';
  const record = read(isReturn ? layouts.returnAddenda : layouts.changeAddenda, it);
  const text = (name: string) => textOf(record, name);
  const reason = text('reason');
  if (!(isReturn ? /^R(0[1-9]|[1-8]\d)$/ : /^C(0[1-9]|1[0-4])$/).test(reason)) {
    const wanted = isReturn ? 'return code such as R01' : 'change code such as C01';
    throw new BadFile(it.line, `"${reason}" is not a ${wanted}.`);
  }
  if (text('trace') !== trace) {
    throw new BadFile(it.line, 'its trace number is not that of its entry.');
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

/** `260302` is 2026-03-02. */
function readShortDay(text: string, line: number, what: string): string {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  return readDay(`20${year}-${month}-${day}`, line, what);
}
