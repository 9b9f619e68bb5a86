import { copyFile, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openAchFolder } from '../ach/folder.ts';
import { dismissFile, listEntries, listFiles, resendFile } from '../ach/manage-files.ts';
import type { NachaEntry } from '../ach/nacha.ts';
import { largestNachaBytes, parseNacha } from '../ach/parse-nacha.ts';
import { stopMoney } from '../domain/controls/money-switch.ts';
import { findPaymentMethod, openInstrument } from '../domain/payments/payment-methods.ts';
import type { BankAnswer } from '../simulator/ach-bank.ts';
import { type AchStage, openAchStage } from '../testing/ach-stage.ts';
import type { Chargeable } from '../testing/processor-contract.ts';

// 2 February 2026 is a Monday. Cut-off is 17:00 in New York, which is 22:00 UTC.

let stage: AchStage;
let payments = 0;
beforeAll(async () => {
  stage = await openAchStage();
});
beforeEach(() => stage.reset());
afterAll(() => stage.close());

async function charge(from?: Chargeable, amountInCents = 41_000, on = stage) {
  payments += 1;
  const key = `pay_${payments}`;
  const payer = from ?? (await on.open('000111110000'));
  const returnUrl = 'https://svc.example/setup/return';
  const request = { ...payer, key, amountInCents, returnUrl, occasion: 'first' } as const;
  const outcome = await on.processor.charge(request);
  const find = async () => {
    const name = { key, ref: null, kind: 'charge', of: null } as const;
    const call = { ...name, sentAt: on.now(), instrument: payer.instrument };
    return on.processor.find(call, payer.payer);
  };
  return { key, request, outcome, find };
}

const files = async (part: string) => (await readdir(join(stage.folder, part))).sort();

const resend = (id: string) =>
  stage.db.transaction((tx) =>
    resendFile({ tx, now: stage.now(), service: { cluster: false } }, id),
  );

/** The entries of the only file in the outbox, which the bank takes. */
async function collectOne(): Promise<NachaEntry> {
  const entries = await stage.bank.collect();
  expect(entries).toHaveLength(1);
  const [entry] = entries;
  if (!entry) throw new Error('no entry');
  return entry;
}

/** Puts a file into the inbox and lets two passes see it, because a bad one is read twice. */
async function receive(name: string, content: string | Buffer): Promise<void> {
  await writeFile(join(stage.folder, 'inbox', name), content);
  await stage.exchange();
  stage.clock.now = new Date(stage.now().getTime() + 60_000);
  await stage.exchange();
}

async function returnOf(answers: readonly BankAnswer[]): Promise<Buffer> {
  const name = await stage.bank.send(answers);
  return readFile(join(stage.folder, 'inbox', name ?? ''));
}

describe('a debit', () => {
  test('goes to the bank at the cut-off, and succeeds after three banking days without a return', async () => {
    const { outcome, find, key } = await charge();
    expect(outcome).toMatchObject({ state: 'processing' });
    await stage.at('2026-02-02T21:59:00Z');
    expect(await files('outbox')).toEqual([]);
    await stage.at('2026-02-02T22:00:00Z');
    expect(await files('outbox')).toEqual(['ACH-2026-02-02-A.txt']);
    const text = await readFile(join(stage.folder, 'outbox', 'ACH-2026-02-02-A.txt'));
    const { batches, ...header } = parseNacha(text);
    expect(header).toMatchObject({ destination: '021000021', createdAt: '1700', modifier: 'A' });
    expect(batches).toHaveLength(1);
    expect(batches[0]).toMatchObject({
      entryClass: 'WEB',
      serviceClass: '225',
      description: 'RENT',
      effectiveOn: '2026-02-03',
      entries: [
        {
          code: '27',
          amountInCents: 41_000,
          accountNumber: '000111110000',
          individualName: 'ZOE O HARA',
          discretionary: 'R',
          trace: '021000020000001',
        },
      ],
    });
    await stage.bank.collect();
    await stage.at('2026-02-06T13:59:00Z');
    expect(await find()).toMatchObject({ state: 'processing' });
    await stage.at('2026-02-06T14:00:00Z');
    expect(await find()).toMatchObject({ state: 'succeeded' });
    expect(await stage.events()).toMatchObject([
      { kind: 'outcome', call: { key, kind: 'charge' }, outcome: { state: 'succeeded' } },
    ]);
    const { items } = await listFiles(stage.db, stage.now());
    expect(items).toMatchObject([{ state: 'acknowledged', entries: 1, debits_in_cents: 41_000 }]);
  });

  test('fails when it comes back before, and is returned when it comes back 59 days later', async () => {
    const early = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    await stage.bank.send([{ entry: await collectOne(), reason: 'R01' }]);
    await stage.at('2026-02-04T14:00:00Z');
    expect(await early.find()).toMatchObject({ state: 'failed', returnCode: 'R01' });

    const late = await charge();
    await stage.at('2026-02-04T22:00:00Z');
    const entry = await collectOne();
    await stage.at('2026-02-10T14:00:00Z');
    expect(await late.find()).toMatchObject({ state: 'succeeded' });
    await stage.events();
    await stage.bank.send([{ entry, reason: 'R10' }]);
    await stage.at('2026-04-04T14:00:00Z');
    expect(await stage.events()).toMatchObject([
      { kind: 'returned', charge: { key: late.key }, returnCode: 'R10' },
    ]);
    // The call succeeded; a separate event reports the return.
    expect(await late.find()).toMatchObject({ state: 'succeeded' });
  });

  test('can be withdrawn until it is in a file', async () => {
    const { request, find } = await charge();
    const name = { key: request.key, ref: null };
    expect(await stage.processor.cancel(name, request.payer)).toMatchObject({
      returnCode: 'canceled',
    });
    await stage.at('2026-02-02T22:00:00Z');
    expect(await files('outbox')).toEqual([]);
    const second = await charge();
    await stage.at('2026-02-03T22:00:00Z');
    const canceled = await stage.processor.cancel({ key: second.key, ref: null }, request.payer);
    expect(canceled).toMatchObject({ state: 'processing' });
    expect(await find()).toMatchObject({ state: 'failed' });
  });

  test('a repeated one is in its own batch, which says so', async () => {
    const first = await charge();
    await stage.processor.charge({
      ...first.request,
      key: `${first.key}_again`,
      occasion: 'retry',
    });
    await stage.at('2026-02-02T22:00:00Z');
    const text = await readFile(join(stage.folder, 'outbox', 'ACH-2026-02-02-A.txt'));
    const descriptions = parseNacha(text).batches.map((it) => it.description);
    expect(descriptions).toEqual(['RENT', 'RETRY PYMT']);
  });

  test('waits while money is stopped', async () => {
    await charge();
    await stage.run({ kind: 'system' }, (ctx) =>
      stopMoney(ctx, { user: 'ops-ada', reason: 'a test' }),
    );
    await stage.at('2026-02-02T22:00:00Z');
    expect(await files('outbox')).toEqual([]);
  });
});

test('a refund is a credit in its own batch, and its return makes it fail', async () => {
  const { request, key } = await charge();
  const { payer } = request;
  const refund = { key: 'ref_1', payer, amountInCents: 10_000, of: { key, ref: null } };
  expect(await stage.processor.refund({ ...refund, key: 'ref_0' })).toMatchObject({
    returnCode: 'charge_not_settled',
  });
  await stage.at('2026-02-02T22:00:00Z');
  await stage.bank.collect();
  await stage.at('2026-02-06T14:00:00Z');
  expect(await stage.processor.refund(refund)).toMatchObject({ state: 'processing' });
  await stage.at('2026-02-06T22:00:00Z');
  const text = await readFile(join(stage.folder, 'outbox', 'ACH-2026-02-06-A.txt'));
  expect(parseNacha(text).batches).toMatchObject([
    { entryClass: 'PPD', serviceClass: '220', entries: [{ code: '22', amountInCents: 10_000 }] },
  ]);
  const entry = await collectOne();
  await stage.at('2026-02-12T14:00:00Z');
  const call = { ...refund, ref: null, kind: 'refund', sentAt: stage.now() } as const;
  const found = { ...call, instrument: request.instrument };
  expect(await stage.processor.find(found, payer)).toMatchObject({ state: 'succeeded' });
  await stage.bank.send([{ entry, reason: 'R02' }]);
  await stage.at('2026-02-13T14:00:00Z');
  expect(await stage.processor.find(found, payer)).toMatchObject({ returnCode: 'R02' });
});

describe('a notification of change', () => {
  test.each([
    ['C01', '000999990000', { account_number: '000999990000' }],
    ['C02', '021000021', { routing_number: '021000021' }],
    [
      'C03',
      '021000021   000999990000',
      { routing_number: '021000021', account_number: '000999990000' },
    ],
    ['C05', '37', { account_type: 'savings' }],
    ['C06', '000999990000        37', { account_number: '000999990000', account_type: 'savings' }],
    [
      'C07',
      '021000021000999990000     37',
      { routing_number: '021000021', account_number: '000999990000', account_type: 'savings' },
    ],
    ['C04', 'O HARA ZOE', {}],
  ])(
    '%s corrects the stored account, and is audited without numbers',
    async (reason, corrected, changes) => {
      const { request, find } = await charge();
      await stage.at('2026-02-02T22:00:00Z');
      await stage.bank.send([{ entry: await collectOne(), reason, corrected }]);
      await stage.at('2026-02-03T14:00:00Z');
      expect(await files('rejected')).toEqual([]);
      const { partnerId } = request.payer;
      const method = await findPaymentMethod(stage.db, { partnerId, id: request.methodId });
      const account = openInstrument(stage, {
        methodId: method.id,
        detailsSealed: method.detailsSealed,
      });
      expect(account).toEqual({ ...request.instrument, ...changes });
      const audited = await oneRowOf<{ subject_id: string; details: object }>(
        stage.db,
        sql`select subject_id, details from audit_entry
        where action = 'account.corrected' and subject_id = ${method.id}`,
      );
      expect(audited).toMatchObject({ subject_id: method.id, details: { code: reason } });
      expect(JSON.stringify(audited)).not.toContain('00099999');
      // A notice does not stop the debit.
      expect(await find()).toMatchObject({ state: 'processing' });
      await stage.at('2026-02-06T14:00:00Z');
      expect(await find()).toMatchObject({ state: 'succeeded' });
    },
  );
});

describe('a file of the bank', () => {
  test('that comes twice, under two names or with the same returns again, changes nothing', async () => {
    await charge();
    await stage.at('2026-02-02T22:00:00Z');
    const entry = await collectOne();
    const content = await returnOf([{ entry, reason: 'R01' }]);
    await stage.at('2026-02-04T14:00:00Z');
    expect(await stage.events()).toHaveLength(1);
    await receive('the-same.txt', content);
    await stage.bank.send([{ entry, reason: 'R02' }]);
    await stage.exchange();
    expect(await stage.events()).toEqual([]);
    expect(await files('inbox')).toEqual([]);
    expect(await files('rejected')).toEqual([]);
    const entries = await rowsOf<{ return_code: string }>(
      stage.db,
      sql`select return_code from ach_entry`,
    );
    expect(entries).toEqual([{ return_code: 'R01' }]);
  });

  test('that is still being copied is read when it is complete', async () => {
    const { find } = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    const content = await returnOf([{ entry: await collectOne(), reason: 'R01' }]);
    const [name = ''] = (await files('inbox')).filter((it) => it.startsWith('RETURN'));
    const path = join(stage.folder, 'inbox', name);
    await writeFile(path, content.subarray(0, 300));
    await stage.at('2026-02-09T14:00:00Z');
    // Meanwhile no debit succeeds, although its days have passed: the file may return it.
    expect(await find()).toMatchObject({ state: 'processing' });
    await writeFile(path, content);
    await stage.at('2026-02-09T14:01:00Z');
    expect(await find()).toMatchObject({ state: 'failed', returnCode: 'R01' });
    expect(await files('rejected')).toEqual([]);
  });

  test('that is bad is rejected as a whole, and no debit succeeds until an operator has dealt with it', async () => {
    const { find } = await charge();
    const other = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    const [first, second] = await stage.bank.collect();
    if (!first || !second) throw new Error('two entries were sent');
    const unknown = { ...second, trace: '021000029999999' };
    await receive(
      'bad.txt',
      await returnOf([
        { entry: first, reason: 'R01' },
        { entry: unknown, reason: 'R01' },
      ]),
    );
    const [rejected] = (await listFiles(stage.db, stage.now())).items;
    expect(rejected).toMatchObject({
      state: 'rejected',
      reason: 'Line 6: the original trace number 021000029999999 is not one of ours.',
    });
    await stage.at('2026-02-09T14:00:00Z');
    expect(await find()).toMatchObject({ state: 'processing' });
    expect(await other.find()).toMatchObject({ state: 'processing' });
    await dismissFile(stage.db, rejected?.id ?? '', stage.now());
    await stage.exchange();
    expect(await find()).toMatchObject({ state: 'succeeded' });
  });

  test.each([
    ['huge', Buffer.alloc(largestNachaBytes + 1, '9'), /^Line 1: the file has more than/],
    [`${'long'.repeat(60)}.txt`, Buffer.from('no file'), /^Line 1: it has 7 characters/],
    ['in another encoding', Buffer.from('\ufeff101 ', 'utf16le'), /^Line 1: it has \d+ characters/],
    ['an acknowledgement of nothing.ack', Buffer.from(''), /^Line 1: no file that we sent/],
  ])('%s', async (name, content, reason) => {
    await stage.exchange();
    await receive(name, content);
    const [rejected] = (await listFiles(stage.db, stage.now())).items;
    expect(rejected?.reason).toMatch(reason);
    expect(await files('inbox')).toEqual([]);
    expect(await files('rejected')).toHaveLength(1);
  });

  test.each([
    ['an amount that is not ours', { amountInCents: 41_001 }, 'its amount is 41001 cents'],
    ['a negative amount', { amountInCents: -41_000 }, 'does not fit'],
    [
      'a credit as the return of a debit',
      { code: '22' },
      'its code is 21, but our entry was a debit.',
    ],
    ['another bank', { trace: '011000010000001' }, 'is not one of ours.'],
  ] as const)('with %s', async (_, change, reason) => {
    await charge();
    await stage.at('2026-02-02T22:00:00Z');
    const entry = { ...(await collectOne()), ...change };
    if (reason === 'does not fit') {
      // The writer refuses it, and a file with one is no Nacha file (parse-nacha).
      await expect(stage.bank.send([{ entry, reason: 'R01' }])).rejects.toThrow(reason);
      return;
    }
    await receive('bad.txt', await returnOf([{ entry, reason: 'R01' }]));
    const reasons = (await listFiles(stage.db, stage.now())).items.map((it) => it.reason);
    expect(reasons.filter((it) => it?.includes(reason))).not.toEqual([]);
  });

  test('a link in the inbox is not followed', async () => {
    await stage.exchange();
    await symlink('/etc/hostname', join(stage.folder, 'inbox', 'link.txt'));
    await stage.exchange();
    expect(await files('inbox')).toEqual(['link.txt']);
    expect((await listFiles(stage.db, stage.now())).items).toEqual([]);
  });
});

describe('a process that dies', () => {
  /** A folder whose process dies before or after one of its steps. */
  function dying(step: 'stage' | 'publish' | 'putAway', when: 'before' | 'after') {
    const folder = openAchFolder(stage.folder);
    const die = () => {
      throw new Error('killed');
    };
    return {
      ...folder,
      async [step](...args: never[]) {
        if (when === 'before') die();
        await (folder[step] as (...given: never[]) => Promise<void>)(...args);
        die();
      },
    };
  }

  test.each([
    ['stage', 'before'],
    ['stage', 'after'],
    ['publish', 'before'],
    ['publish', 'after'],
  ] as const)('while it sends, at %s (%s), sends the batch once', async (step, when) => {
    await charge();
    stage.clock.now = new Date('2026-02-02T22:00:00Z');
    await expect(stage.newProcess(dying(step, when))()).rejects.toThrow('killed');
    // The bank empties the outbox whenever it likes.
    const before = await stage.bank.collect();
    await stage.exchange();
    const after = await stage.bank.collect();
    await stage.exchange();
    expect([...before, ...after, ...(await stage.bank.collect())]).toHaveLength(1);
    expect(await files('staging')).toEqual([]);
    expect((await listFiles(stage.db, stage.now())).items).toMatchObject([
      { state: 'acknowledged' },
    ]);
  });

  test.each(['before', 'after'] as const)(
    '%s it puts a file away, applies it once',
    async (when) => {
      const { find } = await charge();
      await stage.at('2026-02-02T22:00:00Z');
      await stage.bank.send([{ entry: await collectOne(), reason: 'R01' }]);
      await stage.exchange();
      await stage.bank.send([
        { entry: (await stage.bank.find('021000020000001')) as NachaEntry, reason: 'R01' },
      ]);
      await expect(stage.newProcess(dying('putAway', when))()).rejects.toThrow('killed');
      await stage.exchange();
      expect(await find()).toMatchObject({ state: 'failed', returnCode: 'R01' });
      expect(await stage.events()).toHaveLength(1);
      expect(await files('inbox')).toEqual([]);
    },
  );

  test('several processes at once write each entry to one file', async () => {
    await Promise.all(Array.from({ length: 20 }, () => charge()));
    stage.clock.now = new Date('2026-02-02T22:00:00Z');
    const processes = Array.from({ length: 4 }, () => stage.newProcess());
    for (let pass = 0; pass < 3; pass += 1) await Promise.all(processes.map((run) => run()));
    const traces = (await stage.bank.collect()).map((it) => it.trace);
    expect(traces).toHaveLength(20);
    expect(new Set(traces).size).toBe(20);
  });
});

test('a file that the bank refuses as a whole goes into a new one, unless the bank took it', async () => {
  const { find } = await charge();
  await stage.at('2026-02-02T22:00:00Z');
  const [sent] = (await listFiles(stage.db, stage.now())).items;
  const id = sent?.id ?? '';
  expect((await listEntries(stage.db, id)).items).toMatchObject([
    { trace: '0000001', state: 'sent' },
  ]);
  expect(await resend(id)).toMatchObject({ entries: 1 });
  await stage.at('2026-02-03T14:00:00Z');
  expect(await files('outbox')).toEqual(['ACH-2026-02-03-A.txt']);
  const again = await collectOne();
  // The bank should not have the first one. If it says so, somebody has to call it.
  await receive('ACH-2026-02-02-A.txt.ack', '');
  const listed = (await listFiles(stage.db, stage.now())).items;
  expect(listed.map((it) => it.reason).join('')).toContain('Ask the bank at once');
  await stage.bank.send([{ entry: again, reason: 'R01' }]);
  await stage.at('2026-02-05T14:00:00Z');
  expect(await find()).toMatchObject({ state: 'failed', returnCode: 'R01' });
  const newest = (await listFiles(stage.db, stage.now())).items.find(
    (it) => it.name === 'ACH-2026-02-03-A.txt',
  );
  await expect(resend(newest?.id ?? '')).rejects.toThrow('debit tenants twice');
  await expect(resend(id)).rejects.toThrow('is refused');
  await expect(dismissFile(stage.db, 'ach_none', stage.now())).rejects.toThrow('svc ach list');
});

describe('with a prenote', () => {
  let prenoted: AchStage;
  beforeAll(async () => {
    prenoted = await openAchStage({ prenote: true });
  });
  afterAll(() => prenoted.close());

  test('a debit follows it by three banking days, or fails with its return', async () => {
    const good = await charge(undefined, 41_000, prenoted);
    const bad = await charge(await prenoted.open('000111110002'), 41_000, prenoted);
    await prenoted.at('2026-02-02T22:00:00Z');
    const prenotes = await prenoted.bank.collect();
    expect(prenotes).toMatchObject([
      { code: '28', amountInCents: 0 },
      { code: '28', amountInCents: 0 },
    ]);
    const entry = prenotes.find((it) => it.accountNumber === '000111110002') as NachaEntry;
    await prenoted.bank.send([{ entry, reason: 'R02' }]);
    await prenoted.at('2026-02-04T14:00:00Z');
    expect(await bad.find()).toMatchObject({ state: 'failed', returnCode: 'R02' });
    const again = await charge(bad.request, 5_000, prenoted);
    expect(again.outcome).toMatchObject({ state: 'failed', returnCode: 'R02' });
    expect(await good.find()).toMatchObject({ state: 'processing' });
    await prenoted.at('2026-02-06T05:00:00Z');
    await prenoted.at('2026-02-06T22:00:00Z');
    expect(await prenoted.bank.collect()).toMatchObject([{ code: '27', amountInCents: 41_000 }]);
  });
});

test('the folder must exist', async () => {
  await copyFile('/dev/null', join(stage.folder, 'is-a-file'));
  const folder = openAchFolder(join(stage.folder, 'is-missing'));
  await expect(stage.newProcess(folder)()).rejects.toThrow('ENOENT');
});
