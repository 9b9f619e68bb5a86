import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeStatements } from '../statements/write-statements.ts';
import { parseCommandLine } from './parse-command-line.ts';

const line = `bln_${'0'.repeat(26)}`;
const entry = `trf_${'0'.repeat(26)}/cash`;
const match = `mat_${'0'.repeat(26)}`;
const read = (text: string) => parseCommandLine(text.split(' '));

test.each<[string, object]>([
  [
    'bank add operating --currency USD --account-last4 6789 --ledger-account cash --from 2026-03-02',
    {
      name: 'operating',
      currency: 'USD',
      account_last4: '6789',
      ledger_account: 'cash',
      starts_on: '2026-03-02',
    },
  ],
  [
    'statement simulate operating --day 2026-03-02 --out a.csv',
    { bank: 'operating', day: '2026-03-02' },
  ],
  ['books exceptions', {}],
  ['books exceptions operating --json', { bank: 'operating' }],
  [`books match ${line},${entry} --reason x`, { items: [line, entry] }],
  [
    `books match ${line},${entry} --account processing_cost --reason x`,
    { items: [line, entry], account: 'processing_cost' },
  ],
  [`books unmatch ${match} --reason x`, { match_id: match }],
  [`books assign ${entry} --owner ben --reason x`, { item: entry, owner: 'ben' }],
  [
    `books adjust ${line} --account processing_cost --partner maple --reason x`,
    { item: line, account: 'processing_cost', pms: 'maple' },
  ],
  [`books write-off ${entry} --reason x`, { item: entry }],
  ['books close 2026-03-02 --reason x', { day: '2026-03-02' }],
  ['books trial-balance --as-of 2026-03-02', { as_of: '2026-03-02' }],
  ['books export --from 2026-03-01 --to 2026-03-31', { from: '2026-03-01', to: '2026-03-31' }],
  ['books verify --json', {}],
])('%s', (text, expected) => {
  const command = text.split(' ').slice(0, 2).join(' ');
  expect(read(text)).toMatchObject({ request: { command, ...expected } });
});

test.each(['statement import', 'statement replace'])(
  '"%s" reads the file itself, so that a hostile one costs the running service nothing',
  (command) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-books-'));
    const file = join(folder, 'a.csv');
    const statement = {
      fileLine: 0,
      account: '6789',
      currency: 'USD',
      from: '2026-03-02',
      to: '2026-03-02',
      openingInCents: 0,
      closingInCents: 100,
      lines: [
        {
          fileLine: 1,
          kind: 'entry' as const,
          bookedOn: '2026-03-02',
          amountInCents: 100,
          reference: 'A',
          description: '',
        },
      ],
    };
    writeFileSync(file, writeStatements({ format: 'csv', statements: [statement] }));
    const call = [...command.split(' '), file, '--bank', 'operating'];
    const replaces = command === 'statement replace' ? ['--reason', 'x'] : [];
    expect(parseCommandLine([...call, ...replaces])).toMatchObject({
      input: { bank: 'operating', statements: { file, format: 'csv', statements: [{}] } },
    });
    writeFileSync(file, 'no statement');
    expect(() => parseCommandLine([...call, ...replaces])).toThrow('was not imported.');
    rmSync(folder, { recursive: true });
    expect(() => parseCommandLine([...call, ...replaces])).toThrow('cannot be read (ENOENT).');
  },
);

test.each([
  ['books close 2026-03-02', '"books close" needs --reason "<why>", for the audit log.'],
  [
    'books close 2026-02-30 --reason x',
    'The day must be a day such as 2026-03-02, not "2026-02-30".',
  ],
  [
    'books match x --reason x',
    '"x" is no item. Copy it from "svc-admin books exceptions": bln_… or trf_…/cash.',
  ],
  [
    `books adjust ${line} --reason x`,
    '"books adjust" needs --account <account>: the other account of the chart.',
  ],
  [
    `books adjust ${line} --account rent --reason x`,
    '--account must be one of cash, processor_clearing,',
  ],
  ['books verify --owner ben', '"books verify" takes no --owner; only "books assign" does.'],
  [
    'money status --bank operating',
    '"money status" takes no --bank; only "statement import" and "statement replace" do.',
  ],
  ['books verify --reason x', '"books verify" changes nothing, so it takes no --reason.'],
  [
    'books verify --out a',
    '"books verify" takes no --out; only "ach returns", "report delinquency", "report losses", "report fees", "report portfolio" and 5 others do.',
  ],
  ['books verify --full', '"books verify" takes no --full; only "ledger verify" does.'],
  ['bank add ops', '"bank add" needs --currency <code>: the account’s currency, such as USD.'],
  ['bank add OPS --currency USD', 'The name must be 2 to 63 characters'],
  [
    'statement simulate operating --day 2026-03-02 --format mt940',
    '--format must be one of csv, bai2, camt053, not "mt940".',
  ],
])('%s is refused', (text, message) => {
  expect(() => read(text)).toThrow(message);
});
