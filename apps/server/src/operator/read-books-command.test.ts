import { expect, test } from 'vitest';
import { readCommand } from './read-command.ts';

const line = `bln_${'0'.repeat(26)}`;
const entry = `trf_${'0'.repeat(26)}/cash`;
const match = `mat_${'0'.repeat(26)}`;
const read = (text: string) => readCommand(text.split(' '))?.request;

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
  ['statement import a.csv --bank operating', { file: 'a.csv', bank: 'operating', content: null }],
  [
    'statement replace a.csv --bank operating --reason x',
    { file: 'a.csv', bank: 'operating', content: null },
  ],
  [
    'statement simulate operating --day 2026-03-02 --out a.csv',
    { bank: 'operating', day: '2026-03-02', format: 'csv' },
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
    { item: line, account: 'processing_cost', partner: 'maple' },
  ],
  [`books write-off ${entry} --reason x`, { item: entry }],
  ['books close 2026-03-02 --reason x', { day: '2026-03-02' }],
  ['books trial-balance --as-of 2026-03-02', { as_of: '2026-03-02' }],
  ['books export --from 2026-03-01 --to 2026-03-31', { from: '2026-03-01', to: '2026-03-31' }],
  ['books verify --json', {}],
])('%s', (text, expected) => {
  const command = text.split(' ').slice(0, 2).join(' ');
  expect(read(text)).toEqual({ command, ...expected });
});

test.each([
  ['books close 2026-03-02', '"books close" needs --reason "<text>", for the audit log.'],
  [
    'books close 2026-02-30 --reason x',
    'The day must be a day such as 2026-03-02, not "2026-02-30".',
  ],
  [
    'books match x --reason x',
    '"x" is no item. Copy it from "svc books exceptions": bln_… or trf_…/cash.',
  ],
  [`books adjust ${line} --reason x`, '"books adjust" needs --account.'],
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
    '"books verify" takes no --out; only tenant export, books export, statement simulate, payout statement, payout send do.',
  ],
  ['books verify --full', '"books verify" takes no --full; only "ledger verify" does.'],
  ['bank add ops', '"bank add" needs --currency.'],
  ['bank add OPS --currency USD', 'The name must be 2 to 63 characters'],
  [
    'statement simulate operating --day 2026-03-02 --format mt940',
    '--format must be one of csv, bai2, camt053, not "mt940".',
  ],
])('%s is refused', (text, message) => {
  expect(() => read(text)).toThrow(message);
});
