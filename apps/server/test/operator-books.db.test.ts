import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { useService } from './harness.ts';
import { signInOperator } from './support/sign-in-operator.ts';

// The books in the operator's console: statements by upload, and the days that they close.

const svc = await useService({}, '2026-01-27T15:00:00Z');
const { pms } = await svc.newPartner();
const finance = await signInOperator(svc, { role: 'finance' });
const limited = await signInOperator(svc, { role: 'finance', partners: [pms] });

type Sent = Parameters<typeof finance.call>[2];

async function upload(
  path: string,
  body: string | Uint8Array,
  { who = finance, ...options }: Sent & { readonly who?: typeof finance } = {},
) {
  const headers = { 'content-type': 'application/octet-stream', ...options.headers };
  return who.call('POST', `/books/statements${path}`, { body, headers });
}

/** A statement of one day whose balance moves from 0 to the sum of its lines. */
function statementOf(day: string, amounts: readonly number[], account = '6789'): string {
  const cells = (kind: string, amount: number, reference = '') =>
    `${account},USD,${day},${kind},${amount.toFixed(2)},${reference},`;
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return [
    'account,currency,date,kind,amount,reference,description',
    cells('opening', 0),
    ...amounts.map((amount, index) => cells('entry', amount, `ref-${index}`)),
    cells('closing', sum),
    '',
  ].join('\n');
}

const banks = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;
beforeAll(async () => {
  for (const name of banks) {
    const input = { name, currency: 'USD', account_last4: '6789', starts_on: '2026-01-26' };
    const request = { command: 'bank add', ...input, ledger_account: 'cash' } as const;
    const added = await svc.administer(request);
    if (!added.ok) throw new Error(added.message);
  }
});

async function csv(path: string): Promise<string[]> {
  const answer = await fetch(`${svc.url}/operator/v1${path}`, { headers: finance.headers });
  return (await answer.text()).trimEnd().split('\r\n');
}

const linesOf = async (bank: string) =>
  (await finance.call('GET', `/books/lines?bank=${bank}&day=2026-01-26`)).data.items;

test('a file is imported in the name of the person, and a repeat changes nothing', async () => {
  const file = statementOf('2026-01-26', [12.5, -2]);
  const imported = await upload('?bank=first&file=january.csv', file);
  expect([imported.status, imported.error]).toEqual([200, null]);
  expect(imported.data).toMatchObject({
    result: { imported: 1, lines: 2, known: 0, imported_through: '2026-01-26' },
    text: expect.stringContaining('Imported 1 statement of first with 2 lines.'),
    approval_id: null,
  });
  const again = await upload('?bank=first&file=january.csv', file);
  expect(again.data.result).toMatchObject({ imported: 0, known: 1 });
  expect(await linesOf('first')).toHaveLength(2);
  const entries = await rowsOf(
    svc.db,
    sql`
    select credential_id, via, details ->> 'file' as file from audit_entry
    where action = 'statement.imported' and subject_id = 'first'`,
  );
  expect(entries).toEqual([
    { credential_id: finance.operatorId, via: 'operator', file: 'january.csv' },
  ]);
});

test('two uploads of one file at once are stored once', async () => {
  const file = statementOf('2026-01-26', [1, 2, 3]);
  const answers = await Promise.all([
    upload('?bank=second&file=a.csv', file),
    upload('?bank=second&file=b.csv', file),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(answers.map(({ data }) => data.result.imported))).toEqual(new Set([0, 1]));
  expect(await linesOf('second')).toHaveLength(3);
});

test('a corrected statement is previewed, and replaces the first one with a reason', async () => {
  await upload('?bank=third&file=a.csv', statementOf('2026-01-26', [1, 2]));
  const corrected = statementOf('2026-01-26', [1, 2.5]);
  const refused = await upload('?bank=third&file=b.csv', corrected);
  expect(refused).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
  expect(refused.error?.message).toMatch(/^Line 2: the statement .* was imported before/);
  const silent = await upload('/replace?bank=third&file=b.csv', corrected);
  expect(silent.error?.errors).toMatchObject([{ param: 'reason' }]);
  const headers = { 'svc-reason': encodeURIComponent('Die Bank schickte Änderungen') };
  const preview = await upload('/replace?bank=third&file=b.csv&dry_run=true', corrected, {
    headers,
  });
  expect(preview.data.text).toContain('Removed from third: Jan 26, 2026, 2 lines');
  const amounts = async () =>
    (await linesOf('third')).map((it: { amount_in_cents: number }) => it.amount_in_cents);
  expect(await amounts()).toEqual([100, 200]);
  const replaced = await upload('/replace?bank=third&file=b.csv', corrected, { headers });
  expect([replaced.status, replaced.error]).toEqual([200, null]);
  expect(await amounts()).toEqual([100, 250]);
  const [entry] = await rowsOf<{ reason: string }>(
    svc.db,
    sql`
    select details ->> 'reason' as reason from audit_entry
    where action = 'statement.replaced' and subject_id = 'third'`,
  );
  expect(entry).toEqual({ reason: 'Die Bank schickte Änderungen' });
});

describe('a file that is no statement is refused with the line and what to do', () => {
  test.each([
    ['nothing', '', 'Line 1: the file is empty'],
    ['white space', ' \n', 'Line 1:'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'Line 1:'],
    [
      'XML with a document type',
      '<!DOCTYPE a [<!ENTITY b "c">]><Document>&b;</Document>',
      'Line 1:',
    ],
    ['XML of another kind', '<html><body/></html>', 'Line 1:'],
    [
      'balances that do not add up',
      statementOf('2026-01-26', [5]).replace('5.00,,', '6.00,,'),
      'Line 2:',
    ],
    [
      'a file that is cut off',
      statementOf('2026-01-26', [5]).split('\n').slice(0, 3).join('\n'),
      'Line 2:',
    ],
    [
      'another account',
      statementOf('2026-01-26', [5], '1234'),
      'ends with 1234, but fourth ends with 6789',
    ],
    ['a later day', statementOf('2026-01-28', [5]), 'the statement of 2026-01-26 is missing'],
  ])('%s', async (_, body, words) => {
    const answer = await upload('?bank=fourth&file=bad.csv', body);
    expect([answer.status, answer.data]).toEqual([422, null]);
    expect(JSON.stringify(answer.error)).toContain(words);
    expect(await linesOf('fourth')).toEqual([]);
  });

  test('an account that does not exist', async () => {
    const answer = await upload('?bank=none&file=a.csv', statementOf('2026-01-26', [5]));
    expect(answer).toMatchObject({ status: 404 });
    expect(answer.error?.message).toContain('There is no account none. There are: ');
  });

  test('JSON or a form instead of the file', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=a', 'text/csv']) {
      const headers = { 'content-type': type };
      const answer = await upload('?bank=fourth&file=a.csv', '{"a":1}', { headers });
      expect([type, answer.status]).toEqual([type, 415]);
    }
  });
});

test('a file that is too large is refused before it is read', async () => {
  const answer = await upload('?bank=fifth&file=a.csv', Buffer.alloc(32 * 1024 * 1024 + 1, 'a'));
  expect(answer).toMatchObject({ status: 413, error: { code: 'payload_too_large' } });
  expect(answer.error?.message).toContain('larger than 32 MiB');
});

test('a file of more than a JSON body, with thousands of lines, is read', async () => {
  const amounts = Array.from({ length: 8_000 }, (_, index) => index + 1);
  const file = statementOf('2026-01-26', amounts);
  expect(file.length).toBeGreaterThan(256 * 1024);
  const answer = await upload('?bank=fifth&file=a.csv', file);
  expect(answer.data.result).toMatchObject({ imported: 1, lines: 8_000 });
});

test('the books are about all portals, so a person who is limited to some imports nothing', async () => {
  const file = statementOf('2026-01-26', [5]);
  for (const path of ['', '/replace']) {
    const headers = { 'svc-reason': 'why' };
    const answer = await upload(`${path}?bank=fourth&file=a.csv`, file, { who: limited, headers });
    expect(answer).toMatchObject({ status: 403, error: { code: 'permission_required' } });
  }
  for (const path of ['/books/days/2026-01-26', '/books/exceptions']) {
    expect((await limited.call('GET', path)).status).toBe(403);
  }
});

test('a day says what keeps it from being closed, and what was open when it was closed', async () => {
  const day = async (of: string) => {
    const { data, error } = await finance.call('GET', `/books/days/${of}`);
    expect(error).toBeNull();
    return data;
  };
  const close = (of: string) => svc.administer({ command: 'books close', day: of });
  expect(await day('2026-01-26')).toMatchObject({
    state: 'missing',
    missing: ['fourth', 'sixth'],
    can_reopen: false,
  });
  for (const name of ['fourth', 'sixth']) {
    await upload(`?bank=${name}&file=a.csv`, statementOf('2026-01-26', [7]));
  }
  const ready = await day('2026-01-26');
  expect(ready).toMatchObject({ state: 'ready', missing: [], close_first: null });
  expect(ready.statements).toHaveLength(6);
  expect(ready.statements[0]).toEqual({
    bank: 'fifth',
    ledger_account: 'cash',
    from: '2026-01-26',
    to: '2026-01-26',
    format: 'csv',
    opening_in_cents: 0,
    closing_in_cents: 3_200_400_000,
    lines: 8_000,
    matched: 0,
  });
  const open = (await finance.call('GET', '/books/exceptions?bank=fourth&until=2026-01-26')).data;
  expect(open).toMatchObject({ count: 1, total_in_cents: 700 });
  expect(open.items[0]).toMatchObject({ bank: 'fourth', partner: null, amount_in_cents: 700 });
  // The pages list 1,000 lines and 500 exceptions, the files all.
  expect(await linesOf('fifth')).toHaveLength(1_000);
  expect(await csv('/books/lines.csv?bank=fifth&day=2026-01-26')).toHaveLength(1 + 8_000);
  const exceptions = await csv('/books/exceptions.csv?bank=fifth');
  expect(exceptions).toHaveLength(1 + 8_000);
  expect(exceptions[0]).toMatch(/^item,bank,ledger_account,day,age_in_days,amount,/);
  expect(await close('2026-01-26')).toMatchObject({ ok: true });
  expect(await day('2026-01-26')).toMatchObject({ state: 'closed', can_reopen: true });
  expect(await day('2026-01-28')).toMatchObject({ state: 'not_ended' });
  const { data } = await finance.call('GET', '/books/days');
  const unmatched = 2 + 3 + 2 + 8_000 + 1 + 1;
  expect(data).toMatchObject({
    closed_through: '2026-01-26',
    days: [
      { day: '2026-01-27', state: 'not_ended' },
      { day: '2026-01-26', state: 'closed', unmatched, missing: [] },
    ],
  });
});

test('an installation without ACH files has none to download, and offers no command about them', async () => {
  for (const answer of [
    await finance.call('GET', '/bank_files/ach_1'),
    await finance.call('POST', '/bank_files?name=a.txt', {
      body: 'x',
      headers: { 'content-type': 'application/octet-stream' },
    }),
  ]) {
    expect(answer).toMatchObject({ status: 404, error: { code: 'not_found' } });
    expect(answer.error?.message).toBe('There are no files: the processor is simulator.');
  }
  const { items } = (await finance.call('GET', '/commands')).data;
  const names = items.map(({ name }: { name: string }) => name);
  expect(names).toContain('books-close');
  expect(names).not.toContain('ach-list');
});
