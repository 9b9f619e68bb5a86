/**
 * A Nacha file: a header, batches of entries, and controls that add them up. Each record is a line of 94
 * characters. The layout is that of the Nacha Operating Rules, appendix three.
 */
export interface NachaFile {
  /** The bank that gets the file: its routing number of 9 digits. */
  readonly destination: string;
  /** The sender's id: 9 or 10 characters, assigned by the bank. */
  readonly origin: string;
  readonly destinationName: string;
  readonly originName: string;
  /** `YYYY-MM-DD`, by the sender's clock. Empty if a bank leaves it out. */
  readonly createdOn: string;
  /** `HHMM` */
  readonly createdAt: string;
  /** A to Z or 0 to 9: tells the files of one day apart. */
  readonly modifier: string;
  readonly reference: string;
  readonly batches: readonly NachaBatch[];
}

export interface NachaBatch {
  /** 200: debits and credits. 220: credits. 225: debits. */
  readonly serviceClass: string;
  readonly companyName: string;
  readonly discretionary: string;
  readonly companyId: string;
  /** Standard entry class: how the receiver authorized the entries. `COR` is a notification of change. */
  readonly entryClass: string;
  /** The text that the receiver reads on the bank statement. */
  readonly description: string;
  readonly descriptiveDate: string;
  /** The day on which the sender wants the entries to settle. Empty if a bank leaves it out. */
  readonly effectiveOn: string;
  /** The day of the year on which they settle, such as `035`. The ACH operator fills it in. */
  readonly settlementDay: string;
  /** The first 8 digits of the originating bank's routing number. */
  readonly originatingBank: string;
  readonly entries: readonly NachaEntry[];
}

export interface NachaEntry {
  readonly code: TransactionCode;
  /** The 9 digits, including the check digit. */
  readonly routingNumber: string;
  readonly accountNumber: string;
  readonly amountInCents: number;
  readonly individualId: string;
  readonly individualName: string;
  /** For WEB: `R` for a recurring payment, `S` for a single one. */
  readonly discretionary: string;
  /** 15 digits: the originating bank and a number. Ascending in each batch. */
  readonly trace: string;
  readonly addenda: Addenda | null;
}

/** The reason why one of our entries came back, or what is wrong with it. */
export type Addenda = {
  /** A return code such as `R01`, or a change code such as `C01`. */
  readonly reason: string;
  /** The trace number of our entry. */
  readonly originalTrace: string;
  /** The first 8 digits of the routing number in our entry. */
  readonly originalBank: string;
} & (
  | { readonly kind: 'return'; readonly dateOfDeath: string; readonly information: string }
  | { readonly kind: 'change'; readonly corrected: string }
);

export type AccountType = 'checking' | 'savings';

/** The kind of an entry. `returned_*` are also the codes of notifications of change. */
const purposes = {
  returned_credit: 1,
  credit: 2,
  prenote_credit: 3,
  returned_debit: 6,
  debit: 7,
  prenote_debit: 8,
} as const;

/** The transaction code: 2x for checking accounts, 3x for savings accounts. */
export function transactionCodeOf(
  type: AccountType,
  purpose: keyof typeof purposes,
): TransactionCode {
  return `${type === 'checking' ? 2 : 3}${purposes[purpose]}`;
}

const transactionCodes = [
  '21',
  '22',
  '23',
  '26',
  '27',
  '28',
  '31',
  '32',
  '33',
  '36',
  '37',
  '38',
] as const;
type TransactionCode = (typeof transactionCodes)[number];

export function isTransactionCode(text: string): text is TransactionCode {
  return transactionCodes.some((it) => it === text);
}

export function isDebit(code: TransactionCode): boolean {
  return Number(code[1]) >= 6;
}

/** The sums that the controls of a batch and of the file state. */
export interface Totals {
  /** Entries and addenda. */
  records: number;
  /** The sum of the first 8 digits of the receivers' routing numbers; its last 10 digits are stated. */
  hash: number;
  debitInCents: number;
  creditInCents: number;
}

export function noTotals(): Totals {
  return { records: 0, hash: 0, debitInCents: 0, creditInCents: 0 };
}

export function addEntry(totals: Totals, entry: NachaEntry): void {
  totals.records += entry.addenda === null ? 1 : 2;
  totals.hash = (totals.hash + Number(entry.routingNumber.slice(0, 8))) % 10_000_000_000;
  if (isDebit(entry.code)) totals.debitInCents += entry.amountInCents;
  else totals.creditInCents += entry.amountInCents;
}

export function addTotals(sum: Totals, more: Totals): void {
  sum.records += more.records;
  sum.hash = (sum.hash + more.hash) % 10_000_000_000;
  sum.debitInCents += more.debitInCents;
  sum.creditInCents += more.creditInCents;
}

/** A field of a record: `n` is digits filled with zeros on the left, `a` text filled with blanks on the right. */
export interface Field<Name extends string = string> {
  readonly name: Name;
  readonly width: number;
  readonly type: 'n' | 'a';
}

/** The fields of each record in the order of the line. Writer and parser use the same layout. */
export const recordLayouts = {
  fileHeader: layout(
    'n recordType 1',
    'n priority 2',
    'a destination 10',
    'a origin 10',
    'a createdOn 6',
    'a createdAt 4',
    'a modifier 1',
    'n recordSize 3',
    'n blockingFactor 2',
    'n format 1',
    'a destinationName 23',
    'a originName 23',
    'a reference 8',
  ),
  batchHeader: layout(
    'n recordType 1',
    'n serviceClass 3',
    'a companyName 16',
    'a discretionary 20',
    'a companyId 10',
    'a entryClass 3',
    'a description 10',
    'a descriptiveDate 6',
    'a effectiveOn 6',
    'a settlementDay 3',
    'a originatorStatus 1',
    'n originatingBank 8',
    'n batchNumber 7',
  ),
  entry: layout(
    'n recordType 1',
    'n code 2',
    'n routingNumber 9',
    'a accountNumber 17',
    'n amount 10',
    'a individualId 15',
    'a individualName 22',
    'a discretionary 2',
    'n hasAddenda 1',
    'n trace 15',
  ),
  returnAddenda: layout(
    'n recordType 1',
    'n addendaType 2',
    'a reason 3',
    'n originalTrace 15',
    'a dateOfDeath 6',
    'n originalBank 8',
    'a information 44',
    'n trace 15',
  ),
  changeAddenda: layout(
    'n recordType 1',
    'n addendaType 2',
    'a reason 3',
    'n originalTrace 15',
    'a reserved 6',
    'n originalBank 8',
    'a corrected 29',
    'a reserved2 15',
    'n trace 15',
  ),
  batchControl: layout(
    'n recordType 1',
    'n serviceClass 3',
    'n records 6',
    'n hash 10',
    'n debit 12',
    'n credit 12',
    'a companyId 10',
    'a authentication 19',
    'a reserved 6',
    'n originatingBank 8',
    'n batchNumber 7',
  ),
  fileControl: layout(
    'n recordType 1',
    'n batches 6',
    'n blocks 6',
    'n records 8',
    'n hash 10',
    'n debit 12',
    'n credit 12',
    'a reserved 39',
  ),
} as const;

export const lineLength = 94;
/** Lines in a block. The last block is filled with lines of nines. */
export const blockLines = 10;
export const fillLine = '9'.repeat(lineLength);

function layout(...fields: readonly string[]): readonly Field[] {
  return fields.map((it) => {
    const [type, name = '', width] = it.split(' ');
    return { name, width: Number(width), type: type === 'n' ? 'n' : 'a' };
  });
}
