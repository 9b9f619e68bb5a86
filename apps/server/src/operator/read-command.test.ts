import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { help, helpOn, readCommand } from './read-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-terms-'));
const termsFile = join(folder, 'terms.json');
writeFileSync(termsFile, '{"fee_in_cents": 4500}');
const brokenFile = join(folder, 'broken.json');
writeFileSync(brokenFile, '{"fee_in_cents": }');
afterAll(() => rmSync(folder, { recursive: true }));

const read = (line: string) => readCommand(line === '' ? [] : line.split(' '));

test.each(['', 'help', '--help', 'key list -h'])('"%s" shows the help', (line) => {
  expect(read(line)).toBeUndefined();
  expect(help).toContain('  audit list [<pms>] ');
});

test('the help on a group or a command has its lines and its options', () => {
  expect(helpOn(['collections', '--help'])).toMatch(
    /collections pause[\s\S]*collections resume[\s\S]*--property <id>/,
  );
  const refund = helpOn(['help', 'payment', 'refund']);
  expect(refund).toContain('  payment refund <payment id> ');
  expect(refund).toContain('--amount <cents>');
  expect(refund).toContain('--dry-run');
  expect(refund).not.toContain('payment return <payment id>');
  expect(refund).not.toContain('--property');
  expect(helpOn(['migrate', 'applly'])).toContain('  migrate apply ');
  for (const all of [[], ['help'], ['--help'], ['nothing']]) expect(helpOn(all)).toBe(help);
});

test.each([
  ['partner create oak', { command: 'partner create', pms: 'oak' }],
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
  ['payment list oak --json', { command: 'payment list', pms: 'oak' }],
  ['payment list oak --tenant t-1', { command: 'payment list', pms: 'oak', tenant: 't-1' }],
  ['payment refund pay_1 --all --reason x', { command: 'payment refund', payment_id: 'pay_1' }],
  [
    'payment refund pay_1 --amount 4100 --reason x',
    { command: 'payment refund', payment_id: 'pay_1', amount_in_cents: 4100 },
  ],
  [
    'payment return pay_1 --code R01 --reason letter',
    { command: 'payment return', payment_id: 'pay_1', code: 'R01' },
  ],
  [
    'dispute book du_1 --amount 250.00 --reason x',
    { command: 'dispute book', dispute: 'du_1', amount_in_cents: 25_000 },
  ],
  [
    'settlement reopen stl_1 --reason paid',
    { command: 'settlement reopen', settlement_id: 'stl_1' },
  ],
  ['ledger verify', { command: 'ledger verify' }],
  ['tenant seal', { command: 'tenant seal' }],
  [
    'tenant export oak t-1 --reason asked --out ada.json',
    { command: 'tenant export', pms: 'oak', external_id: 't-1' },
  ],
  [
    'tenant erase oak t-1 --reason asked',
    { command: 'tenant erase', pms: 'oak', external_id: 't-1' },
  ],
  ['ledger verify --full', { command: 'ledger verify', full: true }],
  ['migrate plan', { command: 'migrate plan' }],
  ['migrate apply --create-database', { command: 'migrate apply' }],
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
  ['plan agreement pln_1 --reason asked', { command: 'plan agreement', plan_id: 'pln_1' }],
  ['mail list --bounced', { command: 'mail list', only: 'bounced' }],
  ['mail list oak --to-print', { command: 'mail list', pms: 'oak', only: 'to_print' }],
  ['mail resend mal_1 --reason asked', { command: 'mail resend', mail_id: 'mal_1' }],
  ['mail resend --given-up --reason outage', { command: 'mail resend' }],
  [
    `audit list oak --limit 2 --before aud_${'0'.repeat(26)}`,
    { command: 'audit list', pms: 'oak', limit: 2, before: `aud_${'0'.repeat(26)}` },
  ],
])('%s', (line, request) => {
  expect(read(line)?.request).toEqual(request);
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
  ['key create', '"key create" needs an argument: key create <pms>.'],
  ['key create oak elm', '"key create" does not take "elm".'],
  ['tenant erase', '"tenant erase" needs an argument: tenant erase <pms> <external id>.'],
  ['tenant erase oak', '"tenant erase" needs two arguments: tenant erase <pms> <external id>.'],
  ['tenant erase oak t-1 t-2 --reason asked', '"tenant erase" does not take "t-2".'],
  ['tenant erase oak t-1', '"tenant erase" needs --reason "<why>", for the audit log.'],
  ['tenant export oak t-1', '"tenant export" needs --reason "<why>", for the audit log.'],
  ['tenant erase oak t-1 --reason asked --out x', '"tenant erase" takes no --out'],
  ['loss list oak', '"loss list" does not take "oak".'],
  ['loss list --reason x', '"loss list" changes nothing, so it takes no --reason.'],
  ['money stop', '"money stop" needs --reason "<text>", for the audit log.'],
  ['collections pause oak', '"collections pause" needs --reason "<text>", for the audit log.'],
  ['collections pause --reason x', '"collections pause" needs an argument'],
  [
    'collections pause oak --property P-1 --tenant t-1 --reason x',
    'Pass --property or --tenant, not both.',
  ],
  ['key revoke key_1 --tenant t-1', '"key revoke" takes no --tenant; only "collections pause"'],
  ['payment refund --reason x', '"payment refund" needs an argument'],
  ['payment refund pay_1 --all', '"payment refund" needs --reason "<text>", for the audit log.'],
  ['payment refund pay_1 --reason x', '"payment refund" needs --amount <cents>, or --all'],
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
  ['key revoke key_1 --even-last', '--even-last needs --reason "<why>", for the audit log.'],
  ['key create oak --even-last', '"key create" takes no --even-last'],
  ['payment return pay_1 --code R01', '"payment return" needs --reason "<text>"'],
  ['settlement reopen stl_1', '"settlement reopen" needs --reason "<text>"'],
  ['payment return pay_1 --reason x', '"payment return" needs --code <code>'],
  ['payment refund pay_1 --all --code R01 --reason x', '"payment refund" takes no --code'],
  ['payment return pay_1 --code R01 --amount 5.555 --reason x', '--amount must be cents, such as'],
  ...['0', '-5', '1.500', '1e3', '9999999999'].map((amount): [string, string] => [
    `payment refund pay_1 --amount=${amount} --reason x`,
    '--amount must be cents, such as --amount=4100',
  ]),
  ['payment list --tenant t-1', '--tenant needs the partner: payment list <pms>'],
  ['payment list oak --property P-1', '"payment list" takes no --property'],
  ['payment list --reason x', '"payment list" changes nothing, so it takes no --reason.'],
  ['collections list --tenant t-1', '"collections list" takes no --tenant'],
  ['outbox retry oak', '"outbox retry" needs --reason "<why>", for the audit log.'],
  ['outbox drop oak --reason x', '"outbox drop" needs --message <id>'],
  ['outbox drop oak --message x --reason x', '--message must be the id of a message, evt_ and 26'],
  ['outbox list --reason x', '"outbox list" changes nothing, so it takes no --reason.'],
  ['key create oak --message x', '"key create" takes no --message; only "outbox retry" and'],
  ['terms preview --amount 5', '"terms preview" needs --file <terms.json>.'],
  [`terms preview --file ${termsFile}`, '"terms preview" needs --amount <cents>'],
  ['terms preview --file /nowhere.json --amount 5', 'cannot be read (ENOENT).'],
  [`terms preview --file ${brokenFile} --amount 5`, 'broken.json is not JSON: '],
  [`terms apply --file ${termsFile} --reason x`, '"terms apply" needs --effective <date>'],
  [`terms apply --file ${termsFile} --effective 2027-02-30 --reason x`, 'not "2027-02-30"'],
  [`terms apply --file ${termsFile} --effective 2027-02-01`, '"terms apply" needs --reason'],
  ['terms list --state TX', '"terms list" takes no --state; only "terms preview"'],
  ['plan agreement pln_1', '"plan agreement" needs --reason "<why>", for the audit log.'],
  ['key list --bounced', '"key list" takes no --bounced; only "mail list" does.'],
  ['mail list --bounced --to-print', 'Pass either --bounced or --to-print.'],
  ['mail resend --reason x', '"mail resend" needs either the id of a mail or --given-up.'],
  ['mail resend mal_1', '"mail resend" needs --reason "<text>"'],
  ['key create oak --reason=', '--reason must be one line of at most 200 characters.'],
  ['mony stop', 'There is no command "mony stop". Did you mean "money stop"?'],
  ['collection pause oak', 'Did you mean "collections pause"?'],
  ['money halt', 'The commands on money are "money stop", "money start" and "money status".'],
  ['migrate', 'There is no command "migrate".'],
  ['migrate apply now', '"migrate apply" does not take "now".'],
  ['migrate apply --json', '"migrate apply" takes no --json, because its output is text.'],
  ['migrate partitions oak', '"migrate partitions" does not take "oak".'],
  ['migrate partitions --json', '"migrate partitions" takes no --json'],
  ['migrate status --reason x', '"migrate status" changes nothing, so it takes no --reason.'],
  ['migrate grant Svc', 'The role must be 1 to 63 characters of a-z, 0-9 and _'],
  ['migrate plan --reason x', '"migrate plan" changes nothing, so it takes no --reason.'],
  ['key list --since 2026-02-01', '"key list" takes no --since; only "audit list" does.'],
  ['audit list --since 2026-02-30', '--since must be a date or an instant in UTC'],
  ['audit list --since yesterday', 'not "yesterday"'],
  ['audit list --action key.lost', '--action "key.lost" does not exist. Pass a group (endpoint, '],
  ['audit list --limit 0', '--limit must be a number from 1 to 500, not "0".'],
  ['audit list --limit 2.5', 'not "2.5"'],
  ['audit list --before yesterday', '--before must be the id of an entry'],
  ['loss list --full', '"loss list" takes no --full; only "ledger verify" does.'],
  ['loss list --limit 5', '"loss list" takes no --limit; only "audit list" does.'],
  ['key list --because x', "Unknown option '--because'"],
  ['audit list --since', "Option '--since <value>' argument missing"],
])('%s is refused: %s', (line, message) => {
  expect(() => read(line)).toThrow(message);
});

/** Options without which a command is refused. */
test('"db distribute" takes an action, and a reason only to apply it', () => {
  const apply = { command: 'db distribute', action: 'apply' };
  expect(read('db distribute apply --reason more-disk')).toMatchObject({ request: apply });
  expect(() => read('db distribute status --reason x')).toThrow('it takes no --reason');
  expect(() => read('db distribute all')).toThrow('takes plan, apply or status, not "all"');
});

test('every command takes a reason for the audit log, unless it only reads', () => {
  const names = [...help.matchAll(/^ {2}([a-z]+) ([a-z]+)(?: (<[^>]+>(?: <[^>]+>)?))?/gm)].map(
    ([, noun = '', verb = '', argument]) => ({ noun, verb, argument }),
  );
  expect(names.length).toBeGreaterThan(15);
  const required: Readonly<Record<string, string>> = {
    'payment refund': '--all',
    'payment return': '--code R01',
    'dispute book': '--amount 4100',
    'mail resend': '--given-up',
    'outbox drop': '--message evt_00000000000000000000000001',
    'terms preview': `--file ${termsFile} --amount 100`,
    'terms apply': `--file ${termsFile} --effective 2027-01-01`,
  };
  for (const { noun, verb, argument } of names) {
    // Their arguments have own tests, in read-books-command.test.ts and read-payout-command.test.ts.
    if (['bank', 'books', 'statement', 'payout', 'db'].includes(noun)) continue;
    // It sends a mail, without the database.
    if (`${noun} ${verb}` === 'mail test') continue;
    const option = required[`${noun} ${verb}`];
    const line = [noun, verb, argument?.replaceAll(/<[^>]+>/g, 'x1'), option, '--reason why']
      .filter((part) => part !== undefined)
      .join(' ');
    // "backup record" changes nothing that the audit log is about.
    if (
      ['list', 'verify', 'status', 'plan', 'show', 'preview', 'failures', 'record'].includes(verb)
    ) {
      expect(() => read(line), line).toThrow('changes nothing, so it takes no --reason');
    } else {
      expect(read(line), line).toMatchObject({ reason: 'why' });
    }
  }
});
