import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineKinds, type Statement, type StatementLine } from '../domain/books/statement.ts';
import { BadFile } from './bad-file.ts';
import { parseStatements, type StatementFormat, statementFormats } from './parse-statements.ts';
import { writeStatements } from './write-statements.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const day = '2026-03-02';

/** The message with which the file, or its first statement that cannot be used, is rejected. */
function reject(file: string | Uint8Array): string {
  try {
    const [bad] = parseStatements(typeof file === 'string' ? bytes(file) : file).unusable;
    if (bad) return `Line ${bad.fileLine}: ${bad.reason}`;
  } catch (error) {
    if (error instanceof BadFile) return error.message;
    throw error;
  }
  throw new Error('The file was accepted.');
}

/** The content of a file without its line numbers. */
const withoutPlaces = (statements: readonly Statement[]) =>
  statements.map((it) => ({
    ...it,
    fileLine: 0,
    lines: it.lines.map((line) => ({ ...line, fileLine: 0 })),
  }));

const cents = fc.integer({ min: -9_999_999_99, max: 9_999_999_99 }).filter((it) => it !== 0);
const referenceText = fc.stringMatching(/^[A-Za-z0-9_#.-]{0,35}$/);
const descriptionText = fc
  .stringMatching(/^[A-Za-z0-9&<>"'.,;:/ é-]{0,160}$/)
  // A text that ends with a slash looks like the end of a BAI2 record.
  .map((it) =>
    it
      .replace(/\s+/g, ' ')
      .replace(/[\s/]+$/, '')
      .trim(),
  );

function statementsOf(format: StatementFormat): fc.Arbitrary<Statement[]> {
  const line = fc.record({
    kind: format === 'csv' ? fc.constantFrom(...lineKinds) : fc.constant('entry' as const),
    amountInCents: cents,
    reference: referenceText,
    description: descriptionText,
  });
  const one = fc.record({
    account: fc.stringMatching(/^[A-Z0-9]{4,20}$/),
    currency: fc.constantFrom('USD', 'CAD', 'EUR'),
    date: fc.integer({ min: 0, max: 3_000 }),
    openingInCents: fc.integer({ min: -1e12, max: 1e12 }),
    drafts: fc.array(line, { maxLength: 12 }),
  });
  return fc.array(one, { minLength: 1, maxLength: 4 }).map((all) =>
    all.map(({ date, drafts, openingInCents, ...it }) => {
      const from = new Date(Date.UTC(2024, 0, 1 + date)).toISOString().slice(0, 10);
      const lines: StatementLine[] = drafts.map((draft) => ({
        ...draft,
        fileLine: 0,
        bookedOn: from,
      }));
      const closingInCents = lines.reduce((sum, one) => sum + one.amountInCents, openingInCents);
      return { ...it, fileLine: 0, from, to: from, openingInCents, closingInCents, lines };
    }),
  );
}

describe.each(statementFormats)('%s', (format) => {
  test('reads what was written, with its control totals', () => {
    fc.assert(
      fc.property(statementsOf(format), (statements) => {
        const read = parseStatements(bytes(writeStatements({ format, statements })));
        expect(read.format).toBe(format);
        expect(withoutPlaces(read.statements)).toEqual(withoutPlaces(statements));
      }),
      { numRuns: 200 },
    );
  });

  test('a file with one changed digit, a lost line or a doubled line is rejected', () => {
    fc.assert(
      fc.property(
        statementsOf(format).filter((all) => all.some((it) => it.lines.length > 0)),
        fc.nat(),
        fc.constantFrom('lost', 'doubled', 'changed'),
        (statements, seed, damage) => {
          const owners = statements.filter((it) => it.lines.length > 0);
          const victim = owners[seed % owners.length] as Statement;
          const place = seed % victim.lines.length;
          const lines = victim.lines.flatMap((it, index) => {
            if (index !== place) return [it];
            if (damage === 'lost') return [];
            if (damage === 'doubled') return [it, it];
            const amountInCents = it.amountInCents + (it.amountInCents === -1 ? -1 : 1);
            return [{ ...it, amountInCents }];
          });
          const damaged = statements.map((it) => (it === victim ? { ...it, lines } : it));
          expect(reject(writeStatements({ format, statements: damaged }))).toMatch(
            /^Line \d+: .*closing balance/,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  test('a file that is cut anywhere before its end is rejected, or has fewer whole statements', () => {
    fc.assert(
      fc.property(
        statementsOf(format),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (statements, part) => {
          const text = writeStatements({ format, statements });
          const cut = text.slice(0, Math.floor(part * (text.trimEnd().length - 2)));
          try {
            const read = parseStatements(bytes(cut));
            // The last record of BAI2 has nothing but totals.
            expect(format).not.toBe('camt053');
            expect(withoutPlaces(read.statements)).toEqual(
              withoutPlaces(statements.slice(0, read.statements.length)),
            );
          } catch (error) {
            expect(error).toBeInstanceOf(BadFile);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('bytes at random are rejected with a line, and nothing else is thrown', () => {
    const start = { csv: 'account,currency,date\n', bai2: '01,', camt053: '<Document>' }[format];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        expect(reject(Buffer.concat([bytes(start), noise]))).toMatch(/^Line \d+: /);
      }),
      { numRuns: 300 },
    );
  });
});

const line = (it: Partial<StatementLine> = {}): StatementLine => ({
  fileLine: 0,
  kind: 'entry',
  bookedOn: day,
  amountInCents: 12_50,
  reference: 'R1',
  description: 'Deposit',
  ...it,
});
const sample: Statement = {
  fileLine: 0,
  account: '00012345',
  currency: 'USD',
  from: day,
  to: day,
  openingInCents: 100_00,
  closingInCents: 102_50,
  lines: [line(), line({ amountInCents: -10_00, reference: 'R2' })],
};
const written = (format: StatementFormat) => writeStatements({ format, statements: [sample] });

describe('CSV', () => {
  const header = 'account,currency,date,kind,amount,reference,description\n';
  test.each([
    [
      'an amount with fractions of a cent',
      'A1,USD,2026-03-02,opening,1.005,,\n',
      'Line 2: the amount "1.005" can mean two amounts. Write it with two decimals, like 1234.50.',
    ],
    [
      'an amount in words',
      'A1,USD,2026-03-02,opening,"1,000",,\n',
      'Line 2: the amount "1,000" can mean two amounts. Write it with two decimals, like 1234.50.',
    ],
    [
      'an amount in exponents',
      'A1,USD,2026-03-02,opening,1e9,,\n',
      'Line 2: the amount "1e9" is not an amount such as 1234.50.',
    ],
    [
      'a huge number',
      `A1,USD,2026-03-02,opening,${'9'.repeat(5_000)},,\n`,
      `Line 2: the amount "${'9'.repeat(40)}…" is not an amount such as 1234.50.`,
    ],
    [
      'a day that does not exist',
      'A1,USD,2026-02-30,opening,1,,\n',
      'Line 2: the date "2026-02-30" is not a day such as 2026-03-02.',
    ],
    [
      'another account inside',
      'A1,USD,2026-03-02,opening,1,,\nA2,USD,2026-03-02,entry,1,,\n',
      'Line 3: it is in USD for account "A2", in a statement in USD for "A1".',
    ],
    [
      'another currency inside',
      'A1,USD,2026-03-02,opening,1,,\nA1,CAD,2026-03-02,entry,1,,\n',
      'Line 3: it is in CAD for account "A1", in a statement in USD for "A1".',
    ],
    [
      'an unknown kind',
      'A1,USD,2026-03-02,transfer,1,,\n',
      'Line 2: the kind "transfer" is not one of opening, closing, entry, charge, refund, return, fee, deposit.',
    ],
    ['a missing cell', 'A1,USD,2026-03-02,opening,1,\n', 'Line 2: has 6 cells, but the header 7.'],
    [
      'a line before the opening',
      'A1,USD,2026-03-02,entry,1,,\n',
      'Line 2: there is no opening before it.',
    ],
    [
      'a second opening',
      'A1,USD,2026-03-02,opening,1,,\nA1,USD,2026-03-02,opening,1,,\n',
      'Line 3: the statement from line 2 has no closing.',
    ],
    [
      'a line of another day',
      'A1,USD,2026-03-02,opening,1,,\nA1,USD,2026-03-03,entry,1,,\nA1,USD,2026-03-02,closing,2,,\n',
      'Line 3: it was booked on 2026-03-03, outside of the statement from 2026-03-02 to 2026-03-02.',
    ],
  ])('%s is named', (_, rows, message) => {
    expect(reject(header + rows)).toBe(message);
  });

  test('a missing column, and a quote that stays open, are named', () => {
    expect(reject('account,currency,date,kind,amount\n')).toContain(
      'Line 1: the header lacks reference, description.',
    );
    expect(reject(`${header}"A1,USD\n`)).toMatch(/^Line \d: it is not CSV\. Quote Not Closed/);
    expect(reject('')).toBe('Line 1: the file is empty.');
  });

  test('the line of a fault is right after a cell with line breaks', () => {
    const rows = `A1,USD,${day},opening,1,,\nA1,USD,${day},entry,1,"a\nb\nc",\nA1,USD,${day},entry,x,,\n`;
    expect(reject(header + rows)).toContain('Line 6: the amount "x"');
  });

  test('columns in another order and others between them are read, and real doubles stay', () => {
    const rows = [
      'description,balance,reference,amount,kind,date,currency,account',
      `,,,0,opening,${day},USD,A1`,
      `Rent,5,R1,5.00,entry,${day},USD,A1`,
      `Rent,10,R1,5.00,entry,${day},USD,A1`,
      `,,,10,closing,${day},USD,A1`,
    ];
    const { statements } = parseStatements(bytes(`\ufeff${rows.join('\r\n')}`));
    expect(statements[0]?.lines.map((it) => [it.fileLine, it.reference, it.amountInCents])).toEqual(
      [
        [3, 'R1', 500],
        [4, 'R1', 500],
      ],
    );
  });
});

describe('BAI2', () => {
  const file = written('bai2');
  const change = (from: string, to: string) => {
    expect(file).toContain(from);
    return reject(file.replace(from, to));
  };

  test('each control total is compared', () => {
    expect(change('49,22500,5/', '49,22501,5/')).toBe(
      'Line 7: the total of the account is 22500, but the file says 22501.',
    );
    expect(change('49,22500,5/', '49,22500,4/')).toContain('Line 7: the number of records is 5');
    expect(change('98,22500,1,7/', '98,1,1,7/')).toContain(
      'Line 8: the total of the group is 22500',
    );
    expect(change('98,22500,1,7/', '98,22500,2,7/')).toContain(
      'Line 8: the number of accounts is 1',
    );
    expect(change('99,22500,1,9/', '99,22500,2,9/')).toContain('Line 9: the number of groups is 1');
    expect(change('99,22500,1,9/', '99,22500,1,8/')).toContain(
      'Line 9: the number of records is 9',
    );
  });

  test('misplaced and unknown records, versions and types are named', () => {
    expect(change(',,2/\r\n02', ',,3/\r\n02')).toBe(
      'Line 1: the version is "3", and only 2 is read.',
    );
    expect(change('16,165', '17,165')).toBe('Line 5: the record "17" is not one of BAI2.');
    expect(change('16,165', '16,xyz')).toContain('Line 5: the type code "xyz"');
    expect(change('16,165', '16,905')).toContain('does not say its direction');
    expect(change('16,165', '16,721')).toContain('is about a loan');
    expect(change('16,165,1250,Z', '16,165,1250,Q')).toContain('the funds type "Q"');
    expect(change('16,165,1250', '16,165,-1250')).toContain('the amount has a sign');
    expect(change('03,00012345', '16,00012345')).toContain('Line 3: a record 16 cannot stand here');
    expect(change('015,10250', '020,10250')).toContain(
      'the account has no closing (015) ledger balance',
    );
    expect(change('260302,,USD', '260231,,USD')).toContain('is not a day');
    expect(reject(`${file}02,A,B,1,260303,,USD,2/`)).toContain('continues after its record 99');
  });

  test('continuations, funds types, notes and texts with commas are read', () => {
    const records = [
      '01,BANK,US,260302,0600,1,80,,2/',
      '02,US,BANK,1,260302,,,2/',
      '03,00012345,,010,10000,,V,260303,0600/',
      '88,015,12500,,D,2,1,100,2,200,100,2500,2,0/',
      '16,165,1000,S,100,200,700,BANKREF,CUSTREF,Rent, for',
      '88,March/April',
      '16,195,1500,V,260304,,BANKREF2,,/',
      '16,890,,,,,A note',
      '49,27500,7/',
      '98,27500,1,9/',
      '99,27500,1,11/',
    ];
    const { statements } = parseStatements(bytes(records.join('\n')));
    expect(withoutPlaces(statements)).toEqual([
      {
        fileLine: 0,
        account: '00012345',
        currency: 'USD',
        from: day,
        to: day,
        openingInCents: 10_000,
        closingInCents: 12_500,
        lines: [
          {
            fileLine: 0,
            kind: 'entry',
            bookedOn: day,
            amountInCents: 1_000,
            reference: 'CUSTREF',
            description: 'Rent, for March/April',
          },
          {
            fileLine: 0,
            kind: 'entry',
            bookedOn: day,
            amountInCents: 1_500,
            reference: 'BANKREF2',
            description: '',
          },
        ],
      },
    ]);
  });
});

describe('camt.053', () => {
  const file = written('camt053');
  const change = (from: string | RegExp, to: string) => {
    expect(file).toMatch(from);
    return reject(file.replace(from, to));
  };

  test('its own totals, currencies, directions and states are checked', () => {
    expect(change('<NbOfNtries>2', '<NbOfNtries>3')).toBe(
      'Line 10: TtlNtries counts 3 entries, but there are 2.',
    );
    expect(change('<Sum>22.50', '<Sum>22.51')).toContain('sum to 2250 cents, but it says 22.51');
    expect(change('<Ntry><Amt Ccy="USD">', '<Ntry><Amt Ccy="CAD">')).toContain(
      'Line 11: the entry is in CAD, in a statement in USD.',
    );
    expect(change('<Ccy>USD', '<Ccy>EUR')).toContain('different currencies');
    expect(change('<Cd>BOOK', '<Cd>XXXX')).toContain('Line 11: the entry is "XXXX"');
    expect(change('<Cd>BOOK', '<Cd>PDNG')).toContain('but the closing balance is');
    expect(change('DBIT', 'OUT')).toContain('neither CRDT nor DBIT');
    expect(change('<Cd>CLBD', '<Cd>ITBD')).toContain('the statement has no balance CLBD');
    expect(change('<Cd>CLBD', '<Cd>OPBD')).toContain('the statement has no balance CLBD');
  });

  test('external entities, own entities and document types are refused', () => {
    const external = `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
    expect(change('<Document', `${external}<Document`)).toContain(
      'a document type (DTD) is not allowed',
    );
    const laughs = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>`;
    expect(change('<Document', `${laughs}<Document`)).toContain(
      'a document type (DTD) is not allowed',
    );
    expect(change('R1', '&x;')).toContain('it is not well-formed XML');
  });

  test('deep nesting, broken XML and other messages are refused', () => {
    const started = performance.now();
    expect(reject('<a>'.repeat(1_000_000))).toBe('Line 1: more than 40 elements are nested.');
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(change('</Stmt>', '')).toContain('it is not well-formed XML');
    expect(reject('<Document><CstmrCdtTrfInitn/></Document>')).toContain('not a camt.053');
    expect(reject('<Document><BkToCstmrStmt/></Document>')).toContain('there is no statement');
    expect(change('<Amt Ccy="USD">12.50', `<Amt Ccy="USD">${'1'.repeat(100_000)}`)).toContain(
      'is not an amount',
    );
  });

  test('prefixes, the older status, a previous closing balance and CDATA are read', () => {
    const older = file
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1n:')
      .replace('xmlns=', 'xmlns:n=')
      .replaceAll('<n:Cd>BOOK</n:Cd>', 'BOOK')
      .replace('>OPBD<', '>PRCD<')
      .replace('<n:EndToEndId>R1<', '<n:EndToEndId><![CDATA[R1]]><');
    expect(withoutPlaces(parseStatements(bytes(older)).statements)).toEqual(
      withoutPlaces([sample]),
    );
  });
});

test('characters that control a terminal, or the direction of text, are not stored', () => {
  const descriptions = (file: string) =>
    parseStatements(bytes(file)).statements[0]?.lines.map((it) => it.description);
  for (const format of statementFormats) {
    const file = written(format).replace('Deposit', 'De\u202epo\u0007sit\u2069');
    expect(descriptions(file)).toEqual(['Depo sit', 'Deposit']);
  }
});

test('a file beyond the limit is refused before it is read', () => {
  expect(reject(new Uint8Array(64 * 1024 * 1024 + 1))).toContain('the limit is 67108864');
});
