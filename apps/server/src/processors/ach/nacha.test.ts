import { isRoutingNumber } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadFile } from '../../statements/bad-file.ts';
import {
  isDebit,
  type NachaBatch,
  type NachaEntry,
  type NachaFile,
  transactionCodeOf,
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

function withoutLines({ unreadable, ...file }: ParsedFile): NachaFile {
  expect(unreadable).toEqual([]);
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
const plain = {
  code: transactionCodeOf('checking', 'debit'),
  trace: '0'.repeat(15),
  addenda: null,
};
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
  .map(
    ({ type, ...it }): NachaEntry => ({ ...plain, ...it, code: transactionCodeOf(type, 'debit') }),
  );
const credit = debit.map(
  (it): NachaEntry => ({ ...it, code: transactionCodeOf('checking', 'credit') }),
);
const prenote = debit.map(
  (it): NachaEntry => ({
    ...it,
    code: transactionCodeOf('savings', 'prenote_debit'),
    amountInCents: 0,
  }),
);
const returned = fc.tuple(debit, fc.record({ ...original, information: text(44) })).map(
  ([entry, it]): NachaEntry => ({
    ...entry,
    code: transactionCodeOf('checking', 'returned_debit'),
    addenda: { kind: 'return', ...it, dateOfDeath: '' },
  }),
);
const change = fc.tuple(debit, fc.record({ ...original, corrected: text(29) })).map(
  ([entry, it]): NachaEntry => ({
    ...entry,
    code: transactionCodeOf('checking', 'returned_debit'),
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

/** What the entries move. */
function money(it: ParsedFile): string[] {
  const entries = it.batches.flatMap(({ entries }) => entries);
  return entries.map(
    ({ amountInCents, routingNumber, code }) =>
      `${amountInCents} ${routingNumber.slice(0, 8)} ${isDebit(code)}`,
  );
}

test('a file with a changed byte is rejected, or moves the same money, or lists what it does not move', () => {
  let rejected = 0;
  let listed = 0;
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
        const before = money(parseNacha(written));
        const after = money(parsed);
        if (parsed.unreadable.length > 0) listed += 1;
        else expect(after).toHaveLength(before.length);
        for (const moved of after) {
          expect(before).toContain(moved);
          before.splice(before.indexOf(moved), 1);
        }
      },
    ),
    { numRuns: 300 },
  );
  // Both happen in about a sixth of 300 files. Fewer than 15 would mean that the property tests nothing.
  expect(rejected).toBeGreaterThan(15);
  expect(listed).toBeGreaterThan(15);
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
function withLine(line: number, change: (text: string) => string): string {
  const lines = writeNacha(example).trimEnd().split('\n');
  lines[line - 1] = change(lines[line - 1] ?? '');
  return lines.join('\n');
}
const put = (at: number, value: string) => (line: string) =>
  line.slice(0, at - 1) + value + line.slice(at - 1 + value.length);

describe('a bad file is rejected as a whole, with the line and the reason', () => {
  test.each([
    ['an empty file', '', 'Line 1: the file is empty.'],
    ['a web page', '<html>', 'Line 1: a Nacha file begins with a record 1.'],
    [
      'the other controls',
      withLine(5, put(2, '000002')),
      'Line 5: the number of batches is 1, but the file says 2.',
    ],
    [
      'the number of blocks',
      withLine(5, put(8, '000002')),
      'Line 5: the number of blocks is 1, but the file says 2.',
    ],
    [
      'the entry hash',
      withLine(4, put(11, '0011000001')),
      'Line 4: the entry hash of the batch of line 2 is 11000000, but the file says 11000001.',
    ],
    [
      'another amount',
      withLine(3, put(30, '0000041001')),
      'Line 4: the total of debits of the batch of line 2 is 41001, but the file says 41000.',
    ],
    [
      'a count of entries',
      withLine(5, put(14, '00000002')),
      'Line 5: the number of entries and addenda of the file is 1, but the file says 2.',
    ],
    [
      'a file without its control',
      writeNacha(example).split('\n').slice(0, 4).join('\n'),
      'Line 4: there is no record 9: the file is cut off.',
    ],
    [
      'a file that is cut off at a block',
      [...writeNacha(example).split('\n').slice(0, 3), ...Array(7).fill('9'.repeat(94))].join('\n'),
      'Line 10: there is no record 9: the file is cut off.',
    ],
    [
      'an entry that is lost',
      withLine(3, () => ''),
      'Line 4: the number of entries and addenda of the batch of line 2 is 0, but the file says 1.',
    ],
    [
      'another kind of file',
      withLine(1, put(1, '5')),
      'Line 1: a Nacha file begins with a record 1.',
    ],
    [
      'a credit that the controls count as a debit',
      withLine(3, put(2, '22')),
      'Line 4: the total of debits of the batch of line 2 is 0, but the file says 41000.',
    ],
    [
      'text after the control',
      `${writeNacha(example)}EOF`,
      'Line 11: after the record 9 only lines of nines or another file may follow.',
    ],
  ])('%s', (_, bad, message) => {
    expect(reject(bad)).toBe(message);
  });

  test('a huge file', () => {
    expect(reject(Buffer.alloc(largestNachaBytes + 1, '9'))).toMatch(
      /^Line 1: the file has more than \d+ bytes/,
    );
  });
});

/** A file of the bank: two returns of two batches and a notification of change. */
const returnEntry = (number: number, amountInCents: number, name = 'ADA LANE'): NachaEntry => ({
  ...ada,
  code: '26',
  routingNumber: '021000021',
  amountInCents,
  individualName: name,
  trace: `11000000000000${number}`,
  addenda: {
    kind: 'return',
    reason: 'R01',
    originalTrace: `02100002000000${number}`,
    originalBank: '11000000',
    dateOfDeath: '',
    information: '',
  },
});
const correction: NachaEntry = {
  ...returnEntry(3, 0),
  addenda: {
    kind: 'change',
    reason: 'C01',
    originalTrace: '021000020000003',
    originalBank: '11000000',
    corrected: '000111110000',
  },
};
const bankFile: NachaFile = {
  ...example,
  batches: [
    { ...web, serviceClass: '200', entries: [returnEntry(1, 41_000)] },
    { ...web, serviceClass: '200', entries: [returnEntry(2, 5_000, 'JOSE PENA')] },
    { ...web, serviceClass: '200', entryClass: 'COR', entries: [correction] },
  ],
};
const bankText = writeNacha(bankFile);
const bankLines = bankText.trimEnd().split('\n');
/** The lines: 1 header, 2 to 5 the first batch, 6 to 9 the second, 10 to 13 the third, 14 control, nines. */
const records = bankLines.slice(0, 14);
const atLine = (line: number, change: (text: string) => string) =>
  bankLines.map((text, index) => (index === line - 1 ? change(text) : text)).join('\n');
const joined = (...lines: readonly string[]) => lines.join('\n');
/** The entries that are to be read from each variant. */
const found = (file: string | Uint8Array) => {
  const { batches, unreadable } = parseNacha(typeof file === 'string' ? bytes(file) : file);
  const entries = batches.flatMap((it) => it.entries);
  return {
    entries: entries.map(({ addenda, amountInCents }) => [
      addenda?.reason,
      addenda?.originalTrace,
      amountInCents,
    ]),
    unreadable,
  };
};
const three = {
  entries: [
    ['R01', '021000020000001', 41_000],
    ['R01', '021000020000002', 5_000],
    ['C01', '021000020000003', 0],
  ],
  unreadable: [],
};
const trimmed = bankLines.map((it) => it.trimEnd());

test.each<[string, string | Uint8Array]>([
  ['lines as Windows ends them', bankText.replaceAll('\n', '\r\n')],
  ['lines as old Macs end them', bankText.replaceAll('\n', '\r')],
  ['lines without trailing blanks', joined(...trimmed)],
  ['a blank last line', `${bankText}\n \r\n`],
  ['blank lines between records', bankText.replaceAll('\n', '\n\n')],
  ['a blank first line', `\r\n${bankText}`],
  ['no lines of nines', joined(...records)],
  ['no line break at the end', joined(...records)],
  ['too many lines of nines', joined(...bankLines, ...Array(10).fill('9'.repeat(94)))],
  ['short lines of nines', joined(...records, ...Array(6).fill('9'.repeat(30)))],
  ['no line breaks', bankLines.join('')],
  ['no line breaks but a last one', `${bankLines.join('')}\r\n`],
  ['no line breaks and no nines', records.join('').trimEnd()],
  ['lines of a block each', joined(bankLines.slice(0, 10).join(''), bankLines.slice(10).join(''))],
  ['Ctrl-Z at the end', `${bankText}\x1a`],
  ['Ctrl-Z and zero bytes at the end', `${bankText}\x1a${'\0'.repeat(200)}`],
  ['a byte order mark', Buffer.from(`\ufeff${bankText}`)],
  ['UTF-16', Buffer.from(`\ufeff${bankText}`, 'utf16le')],
  ['UTF-16 with the first byte first', Buffer.from(`\ufeff${bankText}`, 'utf16le').swap16()],
  ['a Latin-1 letter in a name', bankText.replace('JOSE PENA', 'JOS\xc9 PE\xd1A')],
  ['a UTF-8 letter in a name', Buffer.from(bankText.replace('JOSE PENA', 'JOSÉ PEÑA'))],
  ['a control character in a name', bankText.replace('JOSE PENA', 'JOSE\x07PENA')],
  ['batch numbers of the files that were merged', atLine(6, put(88, '0000412'))],
  ['another batch number in a control', atLine(9, put(88, '0000001'))],
  ['a blank batch number', atLine(9, put(88, '       '))],
  ['traces that do not ascend', atLine(3, put(80, '110000009999999'))],
  ['no effective day', atLine(2, put(70, '      '))],
  ['the effective day 000000', atLine(2, put(70, '000000'))],
  ['an effective day that does not exist', atLine(2, put(70, '260230'))],
  ['no day of creation and no modifier', atLine(1, put(24, '           '))],
  ['a header with other constants', atLine(1, put(2, '  '))],
  ['an addenda with another trace', atLine(4, put(80, '999999999999999'))],
  ['an addenda without a trace', atLine(4, (it) => it.slice(0, 79))],
  ['a company id on the right in the control', atLine(5, put(45, ' 123456789'))],
  ['another service class in the control', atLine(5, put(2, '225'))],
  ['a debit code in a batch of credits', atLine(10, put(2, '220'))],
  ['another class of entries', atLine(2, put(51, 'XCK'))],
  ['a small code', atLine(4, put(4, 'r'))],
  ['a wrong check digit', atLine(3, put(12, '7'))],
  ['no account number', atLine(3, put(13, ' '.repeat(17)))],
  ['another addenda indicator', atLine(3, put(79, '0'))],
  ['blank totals', atLine(5, put(11, ' '.repeat(34)))],
  ['blank counts', atLine(14, put(2, ' '.repeat(12)))],
  [
    'a control that ends after its counts',
    joined(...bankLines.slice(0, 13), records[13]?.slice(0, 21) ?? ''),
  ],
  ['a record 8 that is missing', joined(...bankLines.filter((_, index) => index !== 4))],
  ['a record 5 that is missing', joined(...bankLines.filter((_, index) => index !== 5))],
])('a file of the bank with %s is read', (_, variant) => {
  expect(found(variant)).toEqual(three);
});

test('files that the bank puts into one are read as one', () => {
  const empty = writeNacha({ ...bankFile, batches: [] });
  expect(found(empty + bankText + empty)).toEqual(three);
  expect(found(bankLines.join('') + empty.replaceAll('\n', ''))).toEqual(three);
  expect(found(empty)).toEqual({ entries: [], unreadable: [] });
  expect(
    reject(
      bankText +
        bankText.replace('0000005000JOSE', '0000005001JOSE').replace('0000005000', '0000005001'),
    ),
  ).toMatch(/^Line 29: /);
});

test('an addenda with remittance information before the return is counted, and not read', () => {
  const remittance = `705${'RENT FOR MARCH'.padEnd(80)}00010000001`;
  const counted = (line: number, from: number, value: string) =>
    [line - 1, put(from, value)] as const;
  const changes = new Map([counted(5, 5, '000003'), counted(14, 14, '00000007')]);
  const lines = bankLines.map((text, index) => changes.get(index)?.(text) ?? text);
  const variant = joined(...lines.slice(0, 3), remittance, ...lines.slice(3, 14));
  expect(found(variant)).toEqual(three);
});

test.each([
  ['R97, which only this bank knows', 4, put(4, 'R97'), 'R97'],
  ['R85', 4, put(4, 'R85'), 'R85'],
])('a return with %s is read', (_, line, change, reason) => {
  expect(found(atLine(line, change)).entries[0]?.[0]).toBe(reason);
});

test.each(['C04', 'C14', 'C61', 'C69'])('a notification of change %s is read', (code) => {
  expect(found(atLine(12, put(4, code))).entries[2]?.[0]).toBe(code);
});

const first = '021000020000001';
test.each<[string, string, { line: number; reason: string; originalTrace: string | null }]>([
  [
    'an amount with a letter',
    atLine(3, put(33, 'O')),
    { line: 3, reason: 'the amount is not a number.', originalTrace: first },
  ],
  [
    'a negative amount',
    atLine(3, put(30, '-')),
    { line: 3, reason: 'the amount is not a number.', originalTrace: first },
  ],
  [
    'a trace that is blank',
    atLine(3, (it) => it.slice(0, 79)),
    { line: 3, reason: 'it has 79 characters, and an entry has 94.', originalTrace: first },
  ],
  [
    'a character too much',
    atLine(3, (it) => `${it.slice(0, 20)}0${it.slice(20)}`),
    { line: 3, reason: 'it has 95 characters, and an entry has 94.', originalTrace: first },
  ],
  [
    'the code of a loan',
    atLine(3, put(2, '56')),
    {
      line: 3,
      reason: 'the transaction code "56" is not for deposit accounts.',
      originalTrace: first,
    },
  ],
  [
    'a code that is no number',
    atLine(3, put(2, '2?')),
    {
      line: 3,
      reason: 'the transaction code "2?" is not for deposit accounts.',
      originalTrace: first,
    },
  ],
  [
    'a bank that is no number',
    atLine(3, put(4, 'X')),
    { line: 3, reason: 'the routing number is not a number.', originalTrace: first },
  ],
  [
    'a return code of letters',
    atLine(4, put(4, 'RXX')),
    { line: 4, reason: '"RXX" is not a return code such as R01.', originalTrace: first },
  ],
  [
    'R00',
    atLine(4, put(4, 'R00')),
    { line: 4, reason: '"R00" is not a return code such as R01.', originalTrace: first },
  ],
  [
    'a contested return',
    atLine(4, put(4, 'R72')),
    {
      line: 4,
      reason:
        'R72 dishonors or contests an earlier return. Ask the bank what it did with the money.',
      originalTrace: first,
    },
  ],
  [
    'an original trace that is cut',
    atLine(4, put(12, ' ')),
    { line: 4, reason: 'the original trace number is not one of 15 digits.', originalTrace: null },
  ],
  [
    'an unknown addenda',
    atLine(4, put(2, '10')),
    { line: 3, reason: 'its addenda "10" is neither 98 nor 99.', originalTrace: null },
  ],
  [
    'another first character',
    atLine(3, put(1, '\xb6')),
    { line: 3, reason: 'a record cannot begin with "\xb6".', originalTrace: first },
  ],
])('an entry with %s is listed, and the others are read', (_, variant, expected) => {
  const { entries, unreadable } = found(variant);
  expect(unreadable).toEqual([expected]);
  expect(entries).toEqual(three.entries.slice(1));
});

test('a damaged addenda is listed with the trace that it names, and so is its entry', () => {
  const { entries, unreadable } = found(atLine(4, put(1, '?')));
  expect(unreadable).toEqual([
    { line: 4, reason: 'a record cannot begin with "?".', originalTrace: first },
  ]);
  // The entry has no addenda, so the receiver of the file finds it neither a return nor a change.
  expect(entries[0]).toEqual([undefined, undefined, 41_000]);
});

test('a batch total that cannot be read is listed', () => {
  const { entries, unreadable } = found(atLine(5, put(30, 'X')));
  expect(entries).toEqual(three.entries);
  expect(unreadable).toEqual([
    {
      line: 5,
      reason:
        'the total of debits of the batch of line 2 is "000000041X00", which is not a number.',
      originalTrace: null,
    },
  ]);
});

test('a change with an amount and an entry with two reasons are listed', () => {
  expect(found(atLine(4, (it) => it).replace('0000005000', '0000005000')).unreadable).toEqual([]);
  const twice = joined(...bankLines.slice(0, 4), bankLines[3] ?? '', ...bankLines.slice(4, 14))
    .replace('8200000002', '8200000003')
    .replace('900000300000200000006', '900000300000200000007');
  expect(found(twice).unreadable).toEqual([
    { line: 5, reason: 'the entry has two addenda 98 or 99.', originalTrace: first },
  ]);
});
