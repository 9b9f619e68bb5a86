import { isRoutingNumber } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadFile } from '../statements/bad-file.ts';
import {
  addEntry,
  codeOf,
  type NachaBatch,
  type NachaEntry,
  type NachaFile,
  noTotals,
} from './nacha.ts';
import { largestNachaBytes, type ParsedFile, parseNacha } from './parse-nacha.ts';
import { writeNacha } from './write-nacha.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** The message with which the file is rejected. */
function reject(file: string | Uint8Array): string {
  try {
    parseNacha(typeof file === 'string' ? bytes(file) : file);
  } catch (error) {
    if (error instanceof BadFile) return error.message;
    throw error;
  }
  throw new Error('The file was accepted.');
}

function withoutLines(file: ParsedFile): NachaFile {
  const batches = file.batches.map((batch) => {
    const entries = batch.entries.map(({ line, ...entry }): NachaEntry => {
      expect(line).toBeGreaterThan(2);
      return entry;
    });
    return { ...batch, entries };
  });
  return { ...file, batches };
}

const text = (width: number) =>
  fc.stringMatching(new RegExp(`^[A-Z0-9 .&/-]{0,${width}}$`)).map((it) => it.trimEnd());
const digits = (width: number) => fc.stringMatching(new RegExp(`^\\d{${width}}$`));
const day = fc
  .integer({ min: 0, max: 20_000 })
  .map((it) => new Date(Date.UTC(2020, 0, 1 + it)).toISOString().slice(0, 10));

/** Eight digits and the ninth that fits them. */
const routingNumber = digits(8)
  .map((bank) => {
    const sum = Array.from(bank).reduce(
      (all, it, at) => all + Number(it) * ([3, 7, 1][at % 3] ?? 0),
      0,
    );
    return `${bank}${(10 - (sum % 10)) % 10}`;
  })
  .filter(isRoutingNumber);

const accountType = fc.constantFrom('checking', 'savings');
const plain = { code: codeOf('checking', 'debit'), trace: '0'.repeat(15), addenda: null };
const entryFields = {
  routingNumber,
  accountNumber: fc.stringMatching(/^[0-9]{1,17}$/),
  individualId: text(15),
  individualName: text(22),
  discretionary: text(2),
};
const original = {
  reason: fc.constantFrom('R01', 'R02', 'R10', 'R31'),
  originalTrace: digits(15),
  originalBank: digits(8),
};

const debit = fc
  .record({
    ...entryFields,
    amountInCents: fc.integer({ min: 1, max: 99_999_999 }),
    type: accountType,
  })
  .map(({ type, ...it }): NachaEntry => ({ ...plain, ...it, code: codeOf(type, 'debit') }));
const credit = debit.map((it): NachaEntry => ({ ...it, code: codeOf('checking', 'credit') }));
const prenote = debit.map(
  (it): NachaEntry => ({ ...it, code: codeOf('savings', 'prenote_debit'), amountInCents: 0 }),
);
const returned = fc.tuple(debit, fc.record({ ...original, information: text(44) })).map(
  ([entry, it]): NachaEntry => ({
    ...entry,
    code: codeOf('checking', 'returned_debit'),
    addenda: { kind: 'return', ...it, dateOfDeath: '' },
  }),
);
const change = fc.tuple(debit, fc.record({ ...original, corrected: text(29) })).map(
  ([entry, it]): NachaEntry => ({
    ...entry,
    code: codeOf('checking', 'returned_debit'),
    amountInCents: 0,
    addenda: { kind: 'change', ...it, reason: 'C01' },
  }),
);

const batchOf = (entryClass: 'WEB' | 'COR', entry: fc.Arbitrary<NachaEntry>) =>
  fc
    .record({
      serviceClass: fc.constant('200' as const),
      companyName: text(16),
      discretionary: text(20),
      companyId: text(10),
      entryClass: fc.constant(entryClass),
      description: text(10),
      descriptiveDate: text(6),
      effectiveOn: day,
      settlementDay: fc.constantFrom('', '035'),
      originatingBank: digits(8),
      entries: fc.array(entry, { minLength: 1, maxLength: 12 }),
    })
    .map((batch) => ({
      ...batch,
      entries: batch.entries.map((it, at) => ({
        ...it,
        trace: `${batch.originatingBank}${String(at * 7 + 1).padStart(7, '0')}`,
      })),
    }));

const file: fc.Arbitrary<NachaFile> = fc.record({
  destination: routingNumber,
  origin: digits(10),
  destinationName: text(23),
  originName: text(23),
  createdOn: day,
  createdAt: fc.constantFrom('0000', '1730', '2359'),
  modifier: fc.constantFrom('A', 'Z', '0'),
  reference: text(8),
  batches: fc.array(
    fc.oneof(batchOf('WEB', fc.oneof(debit, credit, prenote, returned)), batchOf('COR', change)),
    { maxLength: 4 },
  ),
});

test('what was written is read back', () => {
  fc.assert(
    fc.property(file, (it) => {
      const written = writeNacha(it);
      expect(withoutLines(parseNacha(bytes(written)))).toEqual(it);
      const lines = written.split('\n').slice(0, -1);
      expect(lines.length % 10).toBe(0);
      expect(new Set(lines.map((line) => line.length))).toEqual(new Set([94]));
      // A bank may end lines as Windows does.
      expect(withoutLines(parseNacha(bytes(written.replaceAll('\n', '\r\n'))))).toEqual(it);
    }),
    { numRuns: 200 },
  );
});

/** The parts of a file that move money: amounts, directions and banks. */
function money(it: NachaFile) {
  const totals = noTotals();
  const entries = it.batches.flatMap(({ entries }) => entries);
  for (const entry of entries) addEntry(totals, entry);
  return { totals, amounts: entries.map((entry) => [entry.routingNumber, entry.amountInCents]) };
}

test('a file with a changed byte is rejected, or moves the same money', () => {
  let rejected = 0;
  fc.assert(
    fc.property(
      file.filter((it) => it.batches.length > 0),
      fc.nat(),
      fc.integer({ min: 0, max: 255 }),
      (it, at, value) => {
        const written = bytes(writeNacha(it));
        const changed = Buffer.from(written);
        changed[at % written.length] = value;
        let parsed: ParsedFile;
        try {
          parsed = parseNacha(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(BadFile);
          rejected += 1;
          return;
        }
        expect(money(parsed)).toEqual(money(it));
        // What was accepted is written and read as the same.
        const again = withoutLines(parseNacha(bytes(writeNacha(withoutLines(parsed)))));
        expect(again).toEqual(withoutLines(parsed));
      },
    ),
    { numRuns: 500 },
  );
  expect(rejected).toBeGreaterThan(250);
});

test('any bytes at all are rejected with a line', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (it) => {
      expect(reject(it)).toMatch(/^Line \d+: /);
    }),
  );
});

const web: Omit<NachaBatch, 'entries'> = {
  serviceClass: '225',
  companyName: 'SVC',
  discretionary: '',
  companyId: '1234567890',
  entryClass: 'WEB',
  description: 'RENT',
  descriptiveDate: '',
  effectiveOn: '2026-02-03',
  settlementDay: '',
  originatingBank: '02100002',
};
const ada: NachaEntry = {
  code: '27',
  routingNumber: '110000000',
  accountNumber: '000111110000',
  amountInCents: 41_000,
  individualId: 'T1',
  individualName: 'ADA LANE',
  discretionary: 'R',
  trace: '021000020000001',
  addenda: null,
};
const example: NachaFile = {
  destination: '021000021',
  origin: '1234567890',
  destinationName: 'SPONSOR BANK',
  originName: 'SVC',
  createdOn: '2026-02-02',
  createdAt: '1700',
  modifier: 'A',
  reference: '',
  batches: [{ ...web, entries: [ada] }],
};

test('a debit of $410.00 in the format of the rules', () => {
  expect(writeNacha(example).split('\n').slice(0, 6)).toEqual([
    '101 02100002112345678902602021700A094101SPONSOR BANK           SVC                            ',
    '5225SVC                                 1234567890WEBRENT            260203   1021000020000001',
    '627110000000000111110000     0000041000T1             ADA LANE              R 0021000020000001',
    '82250000010011000000000000041000000000000000' +
      '1234567890                         021000020000001',
    '9000001000001000000010011000000000000041000000000000000                                       ',
    '9'.repeat(94),
  ]);
});

/** The example with one line changed. */
function with_(line: number, change: (text: string) => string): string {
  const lines = writeNacha(example).trimEnd().split('\n');
  lines[line - 1] = change(lines[line - 1] ?? '');
  return lines.join('\n');
}
const put = (at: number, value: string) => (line: string) =>
  line.slice(0, at - 1) + value + line.slice(at - 1 + value.length);

describe('a bad file is rejected as a whole, with the line and the reason', () => {
  test.each([
    ['an empty file', '', 'Line 1: the file is empty.'],
    ['a web page', '<html>', 'Line 1: it has 6 characters, and a record has 94.'],
    [
      'the other controls',
      with_(5, put(2, '000002')),
      'Line 5: the number of batches is 1, but the file says 2.',
    ],
    [
      'the number of blocks',
      with_(5, put(8, '000002')),
      'Line 5: the number of blocks is 1, but the file says 2.',
    ],
    [
      'the entry hash',
      with_(4, put(11, '0011000001')),
      'Line 4: the entry hash of batch 1 is 11000000, but the file says 11000001.',
    ],
    [
      'another amount',
      with_(3, put(30, '0000041001')),
      'Line 4: the total of debits of batch 1 is 41001, but the file says 41000.',
    ],
    [
      'a negative amount',
      with_(3, put(30, '-000041000')),
      'Line 3: the amount must be 10 digits, in columns 30 to 39.',
    ],
    [
      'a count of entries',
      with_(5, put(14, '00000002')),
      'Line 5: the number of entries and addenda of the file is 1, but the file says 2.',
    ],
    [
      'a wrong check digit',
      with_(3, put(12, '1')),
      'Line 3: the check digit of the routing number 110000001 is wrong.',
    ],
    [
      'a credit among debits',
      with_(3, put(2, '22')),
      'Line 3: its code 22 does not fit into a batch 225.',
    ],
    [
      'a loan',
      with_(3, put(2, '52')),
      'Line 3: the transaction code 52 is none of those for deposit accounts.',
    ],
    [
      'a day that does not exist',
      with_(2, put(70, '260230')),
      'Line 2: the effective day "2026-02-30" is not a day such as 2026-03-02.',
    ],
    [
      'another encoding',
      with_(3, put(55, 'ADÄ')),
      'Line 3: it has a character that is not printable ASCII.',
    ],
    [
      'an entry before its batch',
      writeNacha(example).split('\n').toSpliced(1, 1).join('\n'),
      'Line 9: the file ends here, after 9 lines. It must have blocks of 10: it is cut off.',
    ],
    [
      'a file that is cut off at a block',
      [...writeNacha(example).split('\n').slice(0, 3), ...Array(7).fill('9'.repeat(94))].join('\n'),
      'Line 4: the last batch has no record 8.',
    ],
    ['another kind of file', with_(1, put(1, '5')), 'Line 1: a Nacha file begins with a record 1.'],
    [
      'international entries',
      with_(2, put(51, 'IAT')),
      'Line 2: the entry class "IAT" is none of PPD, WEB, CCD, TEL, COR.',
    ],
  ])('%s', (_, bad, message) => {
    expect(reject(bad)).toBe(message);
  });

  test('a huge file', () => {
    expect(reject(Buffer.alloc(largestNachaBytes + 1, '9'))).toMatch(
      /^Line 1: the file has more than \d+ bytes/,
    );
  });

  test('trace numbers that do not ascend', () => {
    const batches = [{ ...web, entries: [ada, ada] }];
    expect(reject(writeNacha({ ...example, batches }))).toBe(
      'Line 4: its trace number is not above that of the entry before it.',
    );
  });
});
