import { describe, expect, test } from 'vitest';
import { BadFile } from './bad-file.ts';
import { parseStatements } from './parse-statements.ts';

// Files as banks really write them. Each has a property of public sample files or bug reports; none is a copy.

/** Returns what is read: account, days, balances, then each line's day, cents, reference and description. */
function read(file: string | Uint8Array) {
  const { statements } = parseStatements(
    typeof file === 'string' ? new TextEncoder().encode(file) : file,
  );
  return statements.map((it) => [
    it.account,
    `${it.from}..${it.to}`,
    it.openingInCents,
    it.closingInCents,
    ...it.lines.map((one) =>
      [one.bookedOn, one.amountInCents, one.reference, one.description].join(' '),
    ),
  ]);
}

/** Returns the reason why the file, or its first statement that cannot be used, is not imported. */
function refused(file: string | Uint8Array): string {
  try {
    const { unusable } = parseStatements(
      typeof file === 'string' ? new TextEncoder().encode(file) : file,
    );
    return unusable.map((it) => `Line ${it.fileLine}: ${it.reason}`).join(' ');
  } catch (error) {
    if (error instanceof BadFile) return error.message;
    throw error;
  }
}

const notesOf = (file: string) =>
  parseStatements(new TextEncoder().encode(file)).statements.flatMap((it) => it.notes ?? []);

describe('BAI2', () => {
  const records = [
    '01,BANK,OPERATOR,260303,0600,1,80,,2/',
    '02,OPERATOR,BANK,1,260302,2359,USD,2/',
    '03,1234567890,USD,010,10000,,,015,12500,,/',
    '16,165,4000,Z,BR1,CR1,RENT',
    '16,455,1500,Z,BR2,,FEE/',
    '49,28000,4/',
    '98,28000,1,6/',
    '99,28000,1,8/',
  ];
  const usual = [
    [
      '1234567890',
      '2026-03-02..2026-03-02',
      10_000,
      12_500,
      '2026-03-02 4000 CR1 RENT',
      '2026-03-02 -1500 BR2 FEE',
    ],
  ];
  /** Returns the file with one record replaced, if needed by several. */
  const withRecord = (index: number, ...instead: readonly string[]) =>
    records.toSpliced(index, 1, ...instead).join('\n');

  test.each<[string, string]>([
    ['as it should be', records.join('\r\n')],
    ['with a blank first line', `\n\n${records.join('\n')}`],
    ['with blank lines between', records.join('\n\n')],
    ['with Ctrl-Z at its end', `${records.join('\r\n')}\r\n\x1a`],
    ['with zero bytes at its end', `${records.join('\n')}\n${'\0'.repeat(50)}`],
    ['filled with blanks to 80 characters', records.map((it) => it.padEnd(80)).join('\n')],
    ['with a blank after each slash', records.map((it) => `${it} `).join('\n')],
    ['with CR only', records.join('\r')],
    ['with a byte order mark', `\ufeff${records.join('\n')}`],
    ['without a slash at the end of 99', withRecord(7, '99,28000,1,8')],
    ['without slashes at the end of trailers', withRecord(5, '49,28000,4')],
    ['without a total of the account', withRecord(5, '49,,4/')],
    ['without any totals', records.with(5, '49,,/').with(6, '98,,,/').with(7, '99,,,/').join('\n')],
    ['with signs and zeros before totals', withRecord(7, '99,+00000000000028000,1,000008/')],
    ['with 18 digits in amounts', withRecord(3, '16,165,000000000000004000,Z,BR1,CR1,RENT')],
    [
      'with signs in balances',
      withRecord(2, '03,1234567890,USD,010,+000000010000,,,015,+12500,,/'),
    ],
    ['without a version', withRecord(0, '01,BANK,OPERATOR,260303,0600,1,80,,/')],
    ['with a time of seconds', withRecord(0, '01,BANK,OPERATOR,260303,06:00:35,1,80,,2/')],
    ['without currency and modifier', withRecord(1, '02,OPERATOR,BANK,1,260302,2359,,/')],
    ['with a year of four digits', withRecord(1, '02,OPERATOR,BANK,1,20260302,,USD,2/')],
    [
      'with an empty first summary',
      withRecord(2, '03,1234567890,USD,,,,,010,10000,,,015,12500,,/'),
    ],
    ['with commas at the end of 03', withRecord(2, '03,1234567890,USD,010,10000,,,015,12500,,,/')],
    ['with a balance twice', withRecord(2, '03,1234567890,USD,010,10000,,,015,12500,,/')],
    [
      'with a zero amount in words of digits',
      withRecord(2, '03,1234567890,,010,10000,,,015,12500,,,072,000,,,074,00,0,/'),
    ],
    [
      'with several records in a line',
      [
        `${records[0]}   ${records[1]}  ${records[2]}`,
        records[3],
        `${records[4]} ${records[5]}\t${records[6]} ${records[7]}`,
      ].join('\n'),
    ],
  ])('%s is read', (_, file) => {
    expect(read(file)).toEqual(usual);
  });

  test('continuations after a slash, an empty text and commas are joined', () => {
    const file = [
      ...records.slice(0, 2),
      '03,1234567890,USD,010,10000,,,/',
      '88,015,12500,,,/',
      '16,165,4000,V,260302,,,CR1/',
      '88,FR:ADA LANE',
      '88,MARCH',
      '16,455,1500,,,/',
      '88,FEE OF THE MONTH',
      '49,28000,8/',
      '98,28000,1,10/',
      '99,28000,1,12/',
    ];
    expect(read(file.join('\n'))).toEqual([
      [
        '1234567890',
        '2026-03-02..2026-03-02',
        10_000,
        12_500,
        '2026-03-02 4000 CR1 FR:ADA LANE MARCH',
        '2026-03-02 -1500  FEE OF THE MONTH',
      ],
    ]);
  });

  test('a text that was wrapped without a record 88 belongs to the line before', () => {
    const file = withRecord(3, '16,165,4000,Z,BR1,CR1,RENT OF', 'MARCH');
    expect(read(file)[0]?.[4]).toBe('2026-03-02 4000 CR1 RENT OF MARCH');
  });

  test('without 010 the opening balance is worked out, and a note says so', () => {
    const file = records
      .with(2, '03,1234567890,USD,015,12500,,/')
      .with(5, '49,18000,4/')
      .with(6, '98,18000,1,6/')
      .with(7, '99,18000,1,8/')
      .join('\n');
    expect(read(file)).toEqual(usual);
    expect(notesOf(file)).toEqual([
      'Line 3: the account has no opening balance. It was worked out from the closing balance and the lines.',
    ]);
    expect(refused(file.replace('2359,USD,2/', '2359,USD,1/'))).toContain('no opening (010)');
  });

  test('a transaction without money is left out, and a note says so', () => {
    const file = [...records];
    file.splice(4, 0, '16,142,0,Z,BR9,,NO MONEY/', '16,142,,Z,BR9,,NO MONEY/', '16,890,,,,,A NOTE');
    const text = file
      .join('\n')
      .replace('49,28000,4', '49,28000,7')
      .replace('1,6/', '1,9/')
      .replace('1,8/', '1,11/');
    expect(read(text)).toEqual(usual);
    expect(notesOf(text)).toEqual([
      'Line 5: its amount is zero. It was left out.',
      'Line 6: its amount is zero. It was left out.',
    ]);
  });

  test('types of the bank itself have a direction, which the balances confirm', () => {
    expect(
      read(records.join('\n').replace('16,165', '16,931').replace('16,455', '16,975')),
    ).toEqual(usual);
    expect(refused(records.join('\n').replace('16,165', '16,975'))).toContain(
      'but the closing balance is',
    );
    expect(refused(records.join('\n').replace('16,165', '16,910'))).toContain(
      'does not say its direction',
    );
  });

  test('accounts that cannot be used do not refuse the others', () => {
    const file = [
      ...records.slice(0, 2),
      '03,555,USD,,,,,060,777,,/',
      '49,777,2/',
      '03,666,USD,010,5,,,015,5,,/',
      '16,721,100,Z,,,LOAN/',
      '49,110,3/',
      ...records.slice(2, 6),
      '03,777,/',
      '49,,2/',
      '98,28887,4,13/',
      '99,28887,1,15/',
    ].join('\n');
    expect(read(file)).toEqual(usual);
    expect(refused(file)).toBe(
      'Line 3: the account has no closing (015) ledger balance, so its day may not be complete. Line 6: the type code 721 is about a loan, not a deposit account. Line 12: the account has no closing (015) ledger balance, so its day may not be complete.',
    );
  });

  test('two days of an account in one file are two statements', () => {
    const file = [
      records[0],
      ...records.slice(1, 7),
      '02,OPERATOR,BANK,1,260303,,USD,2/',
      '03,1234567890,USD,010,12500,,,015,12500,,/',
      '49,25000,2/',
      '98,25000,1,4/',
      '99,53000,2,12/',
    ].join('\n');
    expect(read(file).map((it) => it[1])).toEqual([
      '2026-03-02..2026-03-02',
      '2026-03-03..2026-03-03',
    ]);
  });

  test.each([
    [
      'interim figures',
      withRecord(1, '02,OPERATOR,BANK,1,260302,2359,USD,3/'),
      'interim figures of a day that has not ended',
    ],
    [
      'a deletion',
      withRecord(1, '02,OPERATOR,BANK,2,260302,2359,USD,2/'),
      'the bank deletes what it reported before',
    ],
    ['a test', withRecord(1, '02,OPERATOR,BANK,4,260302,2359,USD,2/'), 'it is a test of the bank'],
    [
      'two opening balances',
      withRecord(2, '03,1234567890,USD,010,10000,,,010,9000,,,015,12500,,/').replaceAll(
        '28000',
        '37000',
      ),
      'type 010 is there twice',
    ],
    [
      'a total that disagrees',
      withRecord(5, '49,28001,4/'),
      'the total of the account is 28000, but the file says 28001',
    ],
    [
      'a lost transaction',
      withRecord(4).replaceAll('28000', ''),
      'the number of records is 3, but the file says 4',
    ],
    [
      'a lost transaction without counts',
      withRecord(4).replaceAll(/28000,\d(,\d)?/g, ''),
      'but the closing balance is 12500',
    ],
    ['no trailer', records.slice(0, 7).join('\n'), 'there is no record 99: the file is cut off'],
    ['another first record', `00,x\n${records.join('\n')}`, 'the record "00" is not one of BAI2'],
  ])('a file with %s is refused', (_, file, reason) => {
    expect(refused(file)).toContain(reason);
  });
});

describe('camt.053', () => {
  const balance = (code: string, amount: string, day = '<Dt>2026-03-02</Dt>') =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt>${day}</Dt></Bal>`;
  const entry = (
    amount: string,
    direction: string,
    more = '',
    day = '<BookgDt><Dt>2026-03-02</Dt></BookgDt>',
  ) =>
    `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${day}${more}</Ntry>`;
  const about = (reference: string, text: string) =>
    `<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`;
  const opening = balance('OPBD', '100.00');
  const closing = balance('CLBD', '125.00');
  const rent = entry('40.00', 'CRDT', about('CR1', 'RENT'));
  const fee = entry('15.00', 'DBIT', `${about('NOTPROVIDED', '')}<AddtlNtryInf>FEE</AddtlNtryInf>`);
  const account = '<Acct><Id><Othr><Id>1234567890</Id></Othr></Id><Ccy>USD</Ccy></Acct>';
  const message = (...parts: readonly string[]) =>
    `<BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id>${parts.join('\n')}</Stmt></BkToCstmrStmt>`;
  const document = (...parts: readonly string[]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${message(...parts)}</Document>`;
  const file = document(account, opening, closing, rent, fee);
  const usual = [
    [
      '1234567890',
      '2026-03-02..2026-03-02',
      10_000,
      12_500,
      '2026-03-02 4000 CR1 RENT',
      '2026-03-02 -1500  FEE',
    ],
  ];
  const at = (time: string) => `<BookgDt><DtTm>${time}</DtTm></BookgDt>`;
  const rentAt = (time: string) => entry('40.00', 'CRDT', about('CR1', 'RENT'), at(time));
  const period = (from: string, to: string) =>
    `<FrToDt><FrDtTm>${from}</FrDtTm><ToDtTm>${to}</ToDtTm></FrToDt>`;

  test.each<[string, string | Uint8Array]>([
    ['as it should be', file],
    [
      'in an envelope',
      `<BizMsgEnvlp xmlns="urn:x"><AppHdr><Fr>BANK</Fr></AppHdr>${file.replace(/<\?.*\?>\n/, '')}</BizMsgEnvlp>`,
    ],
    [
      'in a SOAP envelope with prefixes',
      `<s:Envelope xmlns:s="urn:s"><s:Body>${file.replace(/<\?.*\?>\n/, '')}</s:Body></s:Envelope>`,
    ],
    ['with a line break before the declaration', `\r\n  ${file}`],
    ['with a byte order mark', `\ufeff${file}`],
    ['without a declaration', file.replace(/<\?.*\?>\n/, '')],
    [
      'in UTF-16 that it declares',
      Buffer.from(`\ufeff${file.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ],
    ['in UTF-16 without a mark', Buffer.from(file.replace('UTF-8', 'UTF-16'), 'utf16le')],
    ['in Latin-1 that it declares', Buffer.from(file.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['with Ctrl-Z at its end', `${file}\n\x1a`],
    [
      'with the opening balance of the day before and the period',
      document(
        account,
        period('2026-03-02T00:00:00', '2026-03-02T23:59:59'),
        balance('OPBD', '100.00', '<Dt>2026-03-01</Dt>'),
        closing,
        rent,
        fee,
      ),
    ],
    [
      'with a period that ends at midnight',
      document(
        account,
        period('2026-03-02T00:00:00', '2026-03-03T00:00:00'),
        opening,
        closing,
        rent,
        fee,
      ),
    ],
    [
      'with the previous closing balance of the day before',
      document(account, balance('PRCD', '100.00', '<Dt>2026-03-01</Dt>'), closing, rent, fee),
    ],
    [
      'with both opening balances',
      document(
        account,
        balance('PRCD', '100.00', '<Dt>2026-03-01</Dt>'),
        opening,
        closing,
        rent,
        fee,
      ),
    ],
    ['with the closing balance twice', document(account, opening, closing, closing, rent, fee)],
    [
      'with the closing balance of a page',
      document(account, opening, balance('CLBD', '140.00'), closing, rent, fee),
    ],
    [
      'with all kinds of balances',
      document(
        account,
        opening,
        balance('ITBD', '1.00'),
        closing,
        balance('CLAV', '5.00'),
        balance('FWAV', '6.00', '<Dt>2026-03-04</Dt>'),
        balance('OPAV', '7.00'),
        rent,
        fee,
      ),
    ],
    [
      'with days in UTC offsets',
      document(
        account,
        balance('OPBD', '100.00', '<Dt>2026-03-02+01:00</Dt>'),
        balance('CLBD', '125.00', '<DtTm>2026-03-02T23:59:59+01:00</DtTm>'),
        rent,
        fee,
      ),
    ],
    [
      'with a booking time of the night in UTC',
      document(account, opening, closing, rentAt('2026-03-03T04:30:00Z'), fee),
    ],
    [
      'with a booking time of the evening before in UTC',
      document(account, opening, closing, rentAt('2026-03-01T23:00:00.000Z'), fee),
    ],
    [
      'with a booking time of the day in UTC',
      document(account, opening, closing, rentAt('2026-03-02T15:00:00Z'), fee),
    ],
    [
      'with a booking time of the bank',
      document(account, opening, closing, rentAt('2026-03-02T00:10:00+02:00'), fee),
    ],
    [
      'with a booking time without a zone',
      document(account, opening, closing, rentAt('2026-03-02T23:50:00'), fee),
    ],
    [
      'with a booking time as a day',
      document(
        account,
        opening,
        closing,
        entry(
          '40.00',
          'CRDT',
          about('CR1', 'RENT'),
          '<BookgDt><Dt>2026-03-02T10:00:00</Dt></BookgDt>',
        ),
        fee,
      ),
    ],
    [
      'with the status of older versions',
      file.replaceAll('<Sts><Cd>BOOK</Cd></Sts>', '<Sts>BOOK</Sts>'),
    ],
    ['without a status', file.replaceAll('<Sts><Cd>BOOK</Cd></Sts>', '')],
    ['with five decimals', file.replaceAll('.00<', '.00000<')],
    ['with leading zeros', file.replace('>40.00<', '>000000000000040.00<')],
    ['without decimals', file.replace('>40.00<', '>40<').replace('>15.00<', '>15.<')],
    ['with a mark of direction in a name', file.replace('RENT', '\u202dRE\u2066NT\u202c')],
    [
      'with totals',
      document(
        account,
        opening,
        closing,
        '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries><Sum>55.00</Sum></TtlNtries><TtlCdtNtries><NbOfNtries>1</NbOfNtries><Sum>40</Sum></TtlCdtNtries></TxsSummry>',
        rent,
        fee,
      ),
    ],
    [
      'with elements that are not needed',
      document(
        account,
        '<Intrst><FrToDt><FrDtTm>2020-01-01T00:00:00</FrDtTm></FrToDt><Bal><Tp/></Bal></Intrst>',
        opening,
        closing,
        rent,
        fee,
      ),
    ],
    [
      'with a batch of many payments',
      document(
        account,
        opening,
        closing,
        rent,
        fee.replace(
          '</NtryDtls>',
          `${'<TxDtls><Refs><EndToEndId>X</EndToEndId></Refs></TxDtls>'.repeat(2_000)}</NtryDtls>`,
        ),
      ),
    ],
  ])('%s is read', (_, text) => {
    expect(read(text)).toEqual(usual);
  });

  test('an opening balance of the day before stays open without a period: the import knows the day', () => {
    const text = document(
      account,
      balance('OPBD', '100.00', '<Dt>2026-03-01</Dt>'),
      closing,
      rent,
      fee,
    );
    expect(read(text)[0]?.[1]).toBe('2026-03-01..2026-03-02');
  });

  test('a previous closing balance begins several days', () => {
    const text = document(
      account,
      balance('PRCD', '100.00', '<Dt>2026-02-27</Dt>'),
      closing,
      entry('40.00', 'CRDT', about('CR1', 'RENT'), '<BookgDt><Dt>2026-02-28</Dt></BookgDt>'),
      fee,
    );
    expect(read(text)[0]?.[1]).toBe('2026-02-28..2026-03-02');
  });

  test('what is left out, shortened or taken is noted', () => {
    const text = document(
      account,
      closing,
      entry('40.00', 'CRDT', about('CR1', 'x'.repeat(1_200)), ''),
      fee,
      entry('0.00', 'CRDT'),
      entry('9.00', 'DBIT').replace('BOOK', 'PDNG'),
    );
    expect(read(text)[0]?.slice(2)).toEqual([
      10_000,
      12_500,
      `2026-03-02 4000 CR1 ${'x'.repeat(1_000)}`,
      '2026-03-02 -1500  FEE',
    ]);
    expect(notesOf(text)).toEqual([
      'Line 2: the statement has no opening balance. It was worked out from the closing balance and the lines.',
      'Line 7: it is not booked. It was left out.',
      'Line 4: it has no booking day. 2026-03-02 was taken.',
      'Line 4: its description has 1200 characters. The first 1000 were kept.',
      'Line 6: its amount is zero. It was left out.',
    ]);
  });

  test('the statements of other accounts, also bad ones, do not refuse the file', () => {
    const other = message(account.replace('1234567890', '555'), opening, rent);
    const text = `<Document>${other}${message(account, opening, closing, rent, fee)}</Document>`;
    expect(read(text)).toEqual(usual);
    expect(refused(text)).toBe('Line 1: the statement has no balance CLBD.');
  });

  test.each([
    ['no account', document(opening, closing, rent, fee), 'Stmt has no Acct'],
    [
      'closing balances of which none fits',
      document(account, opening, balance('CLBD', '1.00'), balance('CLBD', '2.00'), rent, fee),
      'the balance CLBD is there twice',
    ],
    ['a lost entry', document(account, opening, closing, rent), 'but the closing balance is 12500'],
    ['a fraction of a cent', file.replace('>40.00<', '>40.001<'), 'has fractions of a cent'],
    ['an amount with a sign', file.replace('>40.00<', '>-40.00<'), 'the amount has a sign'],
    ['a comma', file.replace('>40.00<', '>40,00<'), 'is not an amount'],
    [
      'totals that disagree',
      document(
        account,
        opening,
        closing,
        '<TxsSummry><TtlNtries><Sum>56</Sum></TtlNtries></TxsSummry>',
        rent,
        fee,
      ),
      'sum to 5500 cents, but it says 56',
    ],
    [
      'an entry of another day',
      document(account, opening, closing, rentAt('2026-03-05T12:00:00'), fee),
      'outside of the statement',
    ],
    [
      'an entry without a day among several',
      document(
        account,
        balance('OPBD', '100.00', '<Dt>2026-03-01</Dt>'),
        closing,
        entry('40.00', 'CRDT', '', ''),
        fee,
      ),
      'it has no booking day',
    ],
    [
      'an unknown encoding',
      file.replace('UTF-8', 'KLINGON'),
      'the encoding "KLINGON" is not known',
    ],
    ['another message', file.replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt'), 'not a camt.053'],
  ])('a file with %s is refused', (_, text, reason) => {
    expect(refused(text)).toContain(reason);
  });
});

describe('CSV', () => {
  const rows = [
    'account,currency,date,kind,amount,reference,description',
    '1234567890,USD,2026-03-02,opening,100.00,,',
    '1234567890,USD,2026-03-02,entry,40.00,CR1,RENT',
    '1234567890,USD,2026-03-02,entry,-15.00,,FEE',
    '1234567890,USD,2026-03-02,closing,125.00,,',
  ];
  const file = rows.join('\n');
  const usual = [
    [
      '1234567890',
      '2026-03-02..2026-03-02',
      10_000,
      12_500,
      '2026-03-02 4000 CR1 RENT',
      '2026-03-02 -1500  FEE',
    ],
  ];
  const german = file
    .replaceAll(',', ';')
    .replaceAll('.00', ',00')
    .replaceAll('2026-03-02', '02.03.2026');
  /** With days that show which number is the month. */
  const dated = (first: string, last: string) =>
    file.replace('2026-03-02,opening', `${first},opening`).replaceAll(/2026-03-02/g, last);

  test.each<[string, string | Uint8Array]>([
    ['as it should be', file],
    ['separated by semicolons, with decimal commas and points in days', german],
    ['separated by tabs', file.replaceAll(',', '\t')],
    ['separated by bars', file.replaceAll(',', '|')],
    ['whose first line names the separator', `sep=;\r\n${german}`],
    ['with a byte order mark', `\ufeff${file}`],
    [
      'as a spreadsheet writes Unicode text',
      Buffer.from(`\ufeff${file.replaceAll(',', '\t')}`, 'utf16le'),
    ],
    ['with quotes around everything', file.replaceAll(/[^,\n]+/g, '"$&"')],
    ['with blanks around cells', file.replaceAll(',', ' , ')],
    ['with names in capitals', file.replace(rows[0] ?? '', (rows[0] ?? '').toUpperCase())],
    [
      'with names of a bank',
      file.replace(
        rows[0] ?? '',
        'Account Number,Ccy,Posting_Date,Type,Amount,Bank reference,Details',
      ),
    ],
    [
      'with kinds in words',
      file
        .replace('opening', 'Opening Balance')
        .replace('closing', 'Closing balance')
        .replaceAll('entry', 'Entry'),
    ],
    ['with a small currency', file.replaceAll('USD', 'usd')],
    ['with empty cells at the end of rows', file.replaceAll('\n', ',,,\n')],
    ['with empty rows', `${file}\n,,,,,,\n\n`],
    [
      'with dollar signs and brackets',
      file.replace('40.00', '$40.00').replace('-15.00', '($15.00)'),
    ],
    ['with the sign behind', file.replace('-15.00', '15.00-')],
    ['with a long minus', file.replace('-15.00', '\u221215.00')],
    ['with a plus', file.replace('40.00', '+40.00')],
    ['with one decimal', file.replace('40.00', '40.0')],
    ['without decimals', file.replaceAll('.00', '')],
    ['with years first and slashes', file.replaceAll('2026-03-02', '2026/03/02')],
    ['with days of eight digits', file.replaceAll('2026-03-02', '20260302')],
    ['with times', file.replaceAll('2026-03-02', '2026-03-02T10:00:00')],
    ['in Latin-1', Buffer.from(file.replace('RENT', 'RENT'), 'latin1')],
  ])('%s is read', (_, text) => {
    expect(read(text)).toEqual(usual);
  });

  test('a file in Windows-1252 keeps its letters', () => {
    expect(read(Buffer.from(file.replace('RENT', 'Caf\xe9'), 'latin1'))[0]?.[4]).toContain('Café');
  });

  test.each([
    ['1,234.50', '1,125.00', 123_450],
    ['1.234,50', '1.125,00', 123_450],
    ["1'234.50", '1125.00', 123_450],
    ['1 234,50', '1125,00', 123_450],
    ['1234.5', '1125.00', 123_450],
    ['1,234', '1,125.00', 123_400],
    ['1.234', '1.125,00', 123_400],
    ['1,234,567', '1125.00', 123_456_700],
  ])('the amount %s beside %s is read', (amount, closing, cents) => {
    const text = [
      'account;currency;date;kind;amount;reference;description',
      `A1;USD;2026-03-02;opening;${amount};;`,
      `A1;USD;2026-03-02;entry;${closing};;`,
      `A1;USD;2026-03-02;closing;${amount};;`,
    ].join('\n');
    // Only the amounts are of interest: the closing balance does not fit.
    expect(refused(text)).toContain(`the opening balance of ${cents} cents`);
  });

  test.each([
    [
      'day and month that can be exchanged',
      file.replaceAll('2026-03-02', '03/02/2026'),
      'Line 2: the date "03/02/2026" can mean two days. Write it like 2026-03-02.',
    ],
    [
      'an amount that can mean two',
      file.replace('100.00', '"1,000"').replaceAll('.00', ''),
      'Line 2: the amount "1,000" can mean two amounts.',
    ],
    [
      'two decimal separators',
      file.replace('100.00', '"100,00"'),
      'has another decimal separator than other amounts',
    ],
    ['both orders of days', dated('13/02/2026', '02/13/2026'), 'can mean two days'],
    [
      'groups of two digits',
      file.replace('100.00', '"1,00.50"'),
      'is not an amount such as 1234.50',
    ],
    ['two signs', file.replace('-15.00', '(-15.00)'), 'is not an amount such as 1234.50'],
    [
      'two columns for the day',
      file
        .replace('date,kind', 'posting date,kind')
        .replaceAll('\n', ',\n')
        .replace('description', 'description,booking date'),
      'which both can be date',
    ],
    [
      'a kind that is unknown',
      file.replace('entry', 'transfer'),
      'the kind "transfer" is not one of',
    ],
    ['no opening', file.replace(`${rows[1]}\n`, ''), 'there is no opening before it'],
    [
      'a day of two digits',
      file.replaceAll('2026-03-02', '3/2/26'),
      'is not a day such as 2026-03-02',
    ],
  ])('a file with %s is refused', (_, text, reason) => {
    expect(refused(text)).toContain(reason);
  });

  test.each([
    ['month first', '02/13/2026'],
    ['day first', '13/02/2026'],
    ['month first with dashes', '2-13-2026'],
  ])('a file whose days show %s is read', (_, day) => {
    expect(read(file.replaceAll('2026-03-02', day))[0]?.[1]).toBe('2026-02-13..2026-02-13');
  });
});
