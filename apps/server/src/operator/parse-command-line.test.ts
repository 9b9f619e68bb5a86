import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Field } from './command.ts';
import { commands } from './commands/index.ts';
import { type Call, parseCommandLine } from './parse-command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-terms-'));
const termsFile = join(folder, 'terms.json');
writeFileSync(termsFile, '{"fee_in_cents": 4500}');
const brokenFile = join(folder, 'broken.json');
writeFileSync(brokenFile, '{"fee_in_cents": }');
afterAll(() => rmSync(folder, { recursive: true }));

const read = (line: string) => parseCommandLine(line === '' ? [] : line.split(' '));
const helpOf = (line: string): string => {
  const found = read(line);
  if (!('help' in found)) throw new Error(`"${line}" is not about the help.`);
  return found.help;
};

test.each(['', 'help', '--help', '-h'])('"%s" lists every command', (line) => {
  const help = helpOf(line);
  for (const { name, summary } of commands) {
    const entry = help.split('\n').find((it) => it.startsWith(`  ${name} `));
    expect(entry).toMatch(/ {2}\S/);
    expect(entry?.endsWith(` ${summary}`)).toBe(true);
  }
});

test.each(['help payment refund', 'payment refund --help', 'payment refund pay_1 -h'])(
  '"%s" shows the options of one command',
  (line) => {
    const help = helpOf(line);
    expect(help).toContain('svc-admin payment refund <payment id> [options]');
    for (const option of ['--amount <cents>', '--all', '--reason <text>', '--dry-run', '--json']) {
      expect(help).toContain(option);
    }
    for (const other of ['--code', '--property', '--out']) expect(help).not.toContain(other);
  },
);

test('the help on a group lists its commands', () => {
  for (const line of ['collections --help', 'help collections', 'collections paus --help']) {
    expect(helpOf(line)).toMatch(/collections pause <pms> [\s\S]*resume [\s\S]*list /);
  }
});

test.each([
  ['partner create oak', { command: 'partner create', pms: 'oak' }],
  ['partner create oak --link', { command: 'partner create', pms: 'oak', link: true }],
  [
    'key create oak --scopes widget,tokens --link',
    { command: 'key create', pms: 'oak', scopes: ['widget', 'tokens'], link: true },
  ],
  ['partner list', { command: 'partner list' }],
  ['demo fill', { command: 'demo fill' }],
  ['report losses --csv', { command: 'report losses', csv: true }],
  ['report fees --from 2026-01', { command: 'report fees', from: '2026-01' }],
  ['demo fill --tenants 20', { command: 'demo fill', count: 20 }],
  ['key list', { command: 'key list' }],
  ['key list oak', { command: 'key list', pms: 'oak' }],
  ['money stop --reason outage', { command: 'money stop' }],
  [
    'collections pause oak --property P-1 --reason flood',
    { command: 'collections pause', pms: 'oak', property: 'P-1' },
  ],
  [
    'collections resume oak --tenant t-1 --reason done',
    { command: 'collections resume', pms: 'oak', tenant: 't-1' },
  ],
  ['key revoke key_1 --reason lost', { command: 'key revoke', key_id: 'key_1' }],
  [
    'key revoke key_1 --even-last --reason closed',
    { command: 'key revoke', key_id: 'key_1', even_last: true },
  ],
  [
    'operator invite Olga --role support --partners oak,elm --email olga@example.com',
    {
      command: 'operator invite',
      name: 'Olga',
      role: 'support',
      email: 'olga@example.com',
      partners: ['oak', 'elm'],
    },
  ],
  [
    `operator email opr_${'0'.repeat(26)} olga@example.com`,
    {
      command: 'operator email',
      operator_id: `opr_${'0'.repeat(26)}`,
      email: 'olga@example.com',
    },
  ],
  ['payment list oak --json', { command: 'payment list', pms: 'oak' }],
  ['operator list', { command: 'operator list' }],
  [
    `operator role opr_${'0'.repeat(26)} --role risk`,
    { command: 'operator role', operator_id: `opr_${'0'.repeat(26)}`, role: 'risk' },
  ],
  [
    `operator link opr_${'0'.repeat(26)} --reason x`,
    { command: 'operator link', operator_id: `opr_${'0'.repeat(26)}` },
  ],
  [
    `operator end opr_${'0'.repeat(26)} --reason x`,
    { command: 'operator end', operator_id: `opr_${'0'.repeat(26)}` },
  ],
  ['approval list --all', { command: 'approval list', all: true }],
  [
    `approval approve apr_${'0'.repeat(26)}`,
    { command: 'approval approve', approval_id: `apr_${'0'.repeat(26)}` },
  ],
  [
    `approval refuse apr_${'0'.repeat(26)} --reason x`,
    { command: 'approval refuse', approval_id: `apr_${'0'.repeat(26)}` },
  ],
  ['payment list oak --tenant t-1', { command: 'payment list', pms: 'oak', tenant: 't-1' }],
  [
    'payment refund pay_1 --all --reason x',
    { command: 'payment refund', payment_id: 'pay_1', all: true },
  ],
  [
    'payment refund pay_1 --amount 4100 --reason x',
    { command: 'payment refund', payment_id: 'pay_1', amount_in_cents: 4100 },
  ],
  [
    'plan move pln_1 --payment 2 --to 2026-03-02 --reason asked',
    { command: 'plan move', plan_id: 'pln_1', payment_number: 2, due_date: '2026-03-02' },
  ],
  ['plan cancel pln_1 --reason asked', { command: 'plan cancel', plan_id: 'pln_1' }],
  [
    'plan waive-fee pln_1 --all --reason outage',
    { command: 'plan waive-fee', plan_id: 'pln_1', all: true },
  ],
  [
    'plan waive-fee pln_1 --amount 1000 --reason outage',
    { command: 'plan waive-fee', plan_id: 'pln_1', amount_in_cents: 1000 },
  ],
  [
    'payment return pay_1 --code R01 --reason letter',
    { command: 'payment return', payment_id: 'pay_1', code: 'R01' },
  ],
  ['ach returns', { command: 'ach returns' }],
  ['ach returns oak --from 2026-01-01', { command: 'ach returns', pms: 'oak', from: '2026-01-01' }],
  [
    'ach returns --by-month --to 2026-12-31 --out ach.csv',
    { command: 'ach returns', to: '2026-12-31', by_month: true },
  ],
  ['risk list oak', { command: 'risk list', pms: 'oak' }],
  [
    'dispute book du_1 --amount 250.00 --reason x',
    { command: 'dispute book', dispute: 'du_1', amount_in_cents: 25_000 },
  ],
  [
    'settlement reopen stl_1 --reason paid',
    { command: 'settlement reopen', settlement_id: 'stl_1' },
  ],
  [
    'settlement list oak --status failed --stale',
    { command: 'settlement list', pms: 'oak', status: 'failed', stale: true },
  ],
  ['ledger verify', { command: 'ledger verify' }],
  ['tenant seal', { command: 'tenant seal' }],
  ['tenant index', { command: 'tenant index' }],
  ['tenant find t-1', { command: 'tenant find', query: 't-1' }],
  ['tenant show oak t-1', { command: 'tenant show', pms: 'oak', external_id: 't-1' }],
  [
    'tenant export oak t-1 --reason asked --out ada.json',
    { command: 'tenant export', pms: 'oak', external_id: 't-1' },
  ],
  [
    'tenant erase oak t-1 --reason asked',
    { command: 'tenant erase', pms: 'oak', external_id: 't-1' },
  ],
  [
    'tenant paper oak t-1 --reason asked',
    { command: 'tenant paper', pms: 'oak', external_id: 't-1' },
  ],
  ['ledger verify --full', { command: 'ledger verify', full: true }],
  ['migrate plan', { command: 'migrate plan' }],
  ['migrate apply --create-database', { command: 'migrate apply' }],
  ['migrate adopt', { command: 'migrate adopt' }],
  ['migrate partitions --reason monthly', { command: 'migrate partitions' }],
  ['migrate status --json', { command: 'migrate status' }],
  ['audit list', { command: 'audit list' }],
  [
    'audit list oak --since 2026-02-01 --action=key',
    { command: 'audit list', pms: 'oak', since: '2026-02-01T00:00:00.000Z', action: 'key' },
  ],
  [
    'audit list --since 2026-02-01T18:00Z --action key.revoked',
    { command: 'audit list', since: '2026-02-01T18:00:00.000Z', action: 'key.revoked' },
  ],
  ['terms list oak', { command: 'terms list', pms: 'oak' }],
  ['terms show default', { command: 'terms show', version: 'default' }],
  [
    `terms preview --file ${termsFile} --partner oak --state TX --amount 150000`,
    {
      command: 'terms preview',
      terms: { fee_in_cents: 4500 },
      pms: 'oak',
      state: 'TX',
      amount_in_cents: 150_000,
    },
  ],
  [
    `terms apply --file ${termsFile} --effective 2027-01-01 --reason x`,
    { command: 'terms apply', terms: { fee_in_cents: 4500 }, effective: '2027-01-01' },
  ],
  ['plan show pln_1', { command: 'plan show', plan_id: 'pln_1' }],
  ['plan agreement pln_1 --reason asked', { command: 'plan agreement', plan_id: 'pln_1' }],
  ['mail list --bounced', { command: 'mail list', bounced: true }],
  ['mail list oak --to-print', { command: 'mail list', pms: 'oak', to_print: true }],
  ['text list oak --given-up', { command: 'text list', pms: 'oak', given_up: true }],
  ['mail resend mal_1 --reason asked', { command: 'mail resend', mail_id: 'mal_1' }],
  ['mail resend --given-up --reason outage', { command: 'mail resend', given_up: true }],
  [
    `audit list oak --limit 2 --before aud_${'0'.repeat(26)}`,
    { command: 'audit list', pms: 'oak', limit: 2, before: `aud_${'0'.repeat(26)}` },
  ],
])('%s', (line, request) => {
  expect(read(line)).toMatchObject({ request });
  expect(Object.keys((read(line) as Call).request)).toEqual(Object.keys(request));
});

test('options are read wherever they stand', () => {
  expect(read('--json audit list')).toMatchObject({ json: true, createDatabase: false });
  expect(read('key create oak --create-database --reason rotation')).toMatchObject({
    reason: 'rotation',
    createDatabase: true,
  });
});

test.each([
  ['key', 'There is no command "key".'],
  ['key destroy x', 'There is no command "key destroy x".'],
  ['toString valueOf', 'There is no command'],
  ['key create', '"key create" needs <pms>: key create <pms>.'],
  [
    'key create oak --scopes widget,token',
    '--scopes must be one of widget, tokens, read, settlements, webhooks, simulation, everything, not "token".',
  ],
  ['key create oak elm', '"key create" does not take "elm".'],
  ['tenant erase', '"tenant erase" needs <pms>: tenant erase <pms> <external id>.'],
  ['tenant erase oak', '"tenant erase" needs <external id>: tenant erase <pms> <external id>.'],
  ['tenant erase oak t-1 t-2 --reason asked', '"tenant erase" does not take "t-2".'],
  ['tenant erase oak t-1', '"tenant erase" needs --reason "<why>", for the audit log.'],
  ['tenant export oak t-1', '"tenant export" needs --reason "<why>", for the audit log.'],
  ['tenant erase oak t-1 --reason asked --out x', '"tenant erase" takes no --out'],
  [
    'ach returns --from 2026-02-01 --to 2026-01-01',
    '"ach returns" needs a --from that is not after --to.',
  ],
  ['loss list oak', '"loss list" does not take "oak".'],
  ['report portfolio --to 2026-13', '"2026-13" is no month. Write one such as 2026-03.'],
  ['loss list --reason x', '"loss list" changes nothing, so it takes no --reason.'],
  ['money stop', '"money stop" needs --reason "<why>", for the audit log.'],
  ['collections pause oak', '"collections pause" needs --reason "<why>", for the audit log.'],
  ['collections pause --reason x', '"collections pause" needs <pms>'],
  [
    'collections pause oak --property P-1 --tenant t-1 --reason x',
    '"collections pause" takes --property or --tenant, not both.',
  ],
  ['key revoke key_1 --tenant t-1', '"key revoke" takes no --tenant; only "collections pause"'],
  ['payment refund --reason x', '"payment refund" needs <payment id>'],
  ['payment refund pay_1 --all', '"payment refund" needs --reason "<why>", for the audit log.'],
  ['payment refund pay_1 --reason x', '"payment refund" needs --amount <cents>, or --all'],
  ['plan waive-fee pln_1 --reason x', '"plan waive-fee" needs --amount <cents>, or --all'],
  ['plan move pln_1 --payment two --to 2026-03-02 --reason x', '--payment must be a number'],
  [
    'payment refund pay_1 --all --amount 5 --reason x',
    '"payment refund" needs --amount <cents>, or',
  ],
  ['payment return pay_1 --code R01 --all --reason x', '"payment return" takes no --all'],
  [
    'payment list --dry-run',
    '"payment list" takes no --dry-run; only commands that move money do.',
  ],
  ['money stop --reason x --yes', '"money stop" takes no --yes; only commands that move money do.'],
  ['payout list --idempotency-key t-1', '"payout list" takes no --idempotency-key'],
  ['key revoke key_1 --even-last', '"key revoke" needs --reason "<why>", for the audit log.'],
  ['key create oak --even-last', '"key create" takes no --even-last'],
  ['payment return pay_1 --code R01', '"payment return" needs --reason "<why>"'],
  ['demo fill --tenants 0', '--tenants must be a number from 1 to 2000, not "0".'],
  ['settlement list --status late', '--status must be one of unsettled, unverified, verified'],
  ['settlement reopen stl_1', '"settlement reopen" needs --reason "<why>"'],
  ['payment return pay_1 --reason x', '"payment return" needs --code <code>'],
  ['payment refund pay_1 --all --code R01 --reason x', '"payment refund" takes no --code'],
  ['payment return pay_1 --code R01 --amount 5.555 --reason x', '--amount must be cents, such as'],
  ...['0', '-5', '1.500', '1e3', '9999999999'].map((amount): [string, string] => [
    `payment refund pay_1 --amount=${amount} --reason x`,
    '--amount must be cents, such as --amount=4100',
  ]),
  ['key create oak --break-glass', '--break-glass needs --reason "<why>", for the audit log.'],
  [
    'payment list --break-glass',
    '"payment list" takes no --break-glass; only commands that a second person approves do.',
  ],
  ['payment list --tenant t-1', '"payment list" needs the partner of --tenant: payment list <pms>'],
  ['payment list oak --property P-1', '"payment list" takes no --property'],
  ['payment list --reason x', '"payment list" changes nothing, so it takes no --reason.'],
  ['collections list --tenant t-1', '"collections list" takes no --tenant'],
  ['outbox retry oak', '"outbox retry" needs --reason "<why>", for the audit log.'],
  ['outbox drop oak --reason x', '"outbox drop" needs --message <id>'],
  [
    'outbox drop oak --message x --reason x',
    '--message must be an id such as evt_…, which "outbox list" lists, not "x".',
  ],
  ['outbox list --reason x', '"outbox list" changes nothing, so it takes no --reason.'],
  ['key create oak --message x', '"key create" takes no --message; only "outbox retry" and'],
  ['terms preview --amount 5', '"terms preview" needs --file <terms.json>: the terms.'],
  [`terms preview --file ${termsFile}`, '"terms preview" needs --amount <cents>'],
  ['terms preview --file /nowhere.json --amount 5', 'cannot be read (ENOENT).'],
  [`terms preview --file ${brokenFile} --amount 5`, 'broken.json is not JSON: '],
  [`terms apply --file ${termsFile} --reason x`, '"terms apply" needs --effective <date>'],
  [`terms apply --file ${termsFile} --effective 2027-02-30 --reason x`, 'not "2027-02-30"'],
  [`terms apply --file ${termsFile} --effective 2027-02-01`, '"terms apply" needs --reason'],
  ['terms list --state TX', '"terms list" takes no --state; only "terms preview"'],
  ['plan agreement pln_1', '"plan agreement" needs --reason "<why>", for the audit log.'],
  ['key list --bounced', '"key list" takes no --bounced; only "mail list" does.'],
  ['mail list --bounced --to-print', '"mail list" takes either --bounced or --to-print.'],
  ['mail resend --reason x', '"mail resend" needs either the id of a mail or --given-up.'],
  ['mail resend mal_1', '"mail resend" needs --reason "<why>"'],
  ['key create oak --reason=', '--reason must be one line of 1 to 200 characters.'],
  ['mony stop', 'There is no command "mony stop". Did you mean "money stop"?'],
  ['collection pause oak', 'Did you mean "collections pause"?'],
  ['money halt', 'The commands on money are "money stop", "money start" and "money status".'],
  ['migrate', 'There is no command "migrate".'],
  ['migrate apply now', '"migrate apply" does not take "now".'],
  ['migrate partitions oak', '"migrate partitions" does not take "oak".'],
  ['migrate status --reason x', '"migrate status" changes nothing, so it takes no --reason.'],
  ['migrate grant Svc', 'The role must be 1 to 63 characters of a-z, 0-9 and _'],
  ['migrate plan --reason x', '"migrate plan" changes nothing, so it takes no --reason.'],
  ['key list --since 2026-02-01', '"key list" takes no --since; only "audit list" does.'],
  ['audit list --since 2026-02-30', '--since must be a date or an instant in UTC'],
  ['audit list --since yesterday', 'not "yesterday"'],
  ['audit list --action key.lost', '--action "key.lost" does not exist. Pass a group (endpoint, '],
  ['audit list --limit 0', '--limit must be a number from 1 to 500, not "0".'],
  ['audit list --limit 2.5', 'not "2.5"'],
  ['audit list --before yesterday', '--before must be an id such as aud_…'],
  ['loss list --full', '"loss list" takes no --full; only "ledger verify" does.'],
  ['loss list --limit 5', '"loss list" takes no --limit; only "audit list" does.'],
  ['key list --because x', 'There is no option --because.'],
  ['audit list --since', '--since needs a value: --since <time>.'],
])('%s is refused: %s', (line, message) => {
  expect(() => read(line)).toThrow(message);
});

test('an option that is almost spelled right is suggested', () => {
  expect(() => read('key list --jsn')).toThrow('There is no option --jsn. Did you mean --json?');
  expect(() => read('payment refund pay_1 --al')).toThrow('Did you mean --all?');
});

/** Values that the readers of arguments and options accept; all other fields accept `x1`. */
const samples: Readonly<Record<string, string>> = {
  '--role <role>': 'support',
  '<operator id>': `opr_${'0'.repeat(26)}`,
  '<request id>': `apr_${'0'.repeat(26)}`,
  '<application id>': `app_${'0'.repeat(26)}`,
  '<payout id>': `pyt_${'0'.repeat(26)}`,
  '<match id>': `mat_${'0'.repeat(26)}`,
  '<item>': `bln_${'0'.repeat(26)}`,
  '<items>': `bln_${'0'.repeat(26)}`,
  '<day>': '2026-03-02',
  '<address>': 'ops@bank.example',
  '--from <day>': '2026-03-02',
  '--to <day>': '2026-03-31',
  '--day <day>': '2026-03-02',
  '--effective <date>': '2027-01-01',
  '--amount <cents>': '4100',
  '--payment <number>': '2',
  '--message <id>': `evt_${'0'.repeat(26)}`,
  '--file <terms.json>': termsFile,
  '--method <method>': 'debit',
  '--account <account>': 'credit_loss',
  '--account-last4 <characters>': '6789',
  '--ledger-account <account>': 'cash',
};
/** Options without which these are refused, although each can be left out for another one. */
const alternatives: Readonly<Record<string, string>> = {
  'payment refund': '--all',
  'plan waive-fee': '--all',
  'mail resend': '--given-up',
  'lending set': '--offered no',
  'review decide': '--amount 4100',
};

test.each(commands.filter(({ name }) => !name.startsWith('statement ')))(
  '$name takes a reason for the audit log, unless it only reads',
  ({ name, input, effect }) => {
    const fields: readonly Field[] = Object.values(input);
    const values = fields
      .filter(({ isRequired }) => isRequired)
      .flatMap(({ syntax }) => {
        const value = samples[syntax] ?? 'x1';
        return syntax.startsWith('--') ? [syntax.split(' ')[0], value] : [value];
      });
    const line = [name, ...values, alternatives[name], '--reason why'].filter(Boolean).join(' ');
    if (effect === 'report') {
      expect(() => read(line)).toThrow('changes nothing, so it takes no --reason');
    } else {
      expect(read(line)).toMatchObject({ reason: 'why' });
    }
  },
);
