import { execFileSync } from 'node:child_process';
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AchStage, openAchStage } from '../../../test/support/ach-stage.ts';
import type { Chargeable } from '../../../test/support/processor-contract.ts';
import { stopMoney } from '../../domain/controls/money-switch.ts';
import { findPaymentMethod, openInstrument } from '../../domain/payments/payment-methods.ts';
import { measureProcessors } from '../../metrics/measure-processors.ts';
import { openAchFolder, UnreadableFile } from './folder.ts';
import { ach } from './index.ts';
import { dismissFile, listFiles, resendFile, showFile } from './manage-files.ts';
import type { NachaEntry } from './nacha.ts';
import { largestNachaBytes, parseNacha } from './parse-nacha.ts';
import type { BankAnswer } from './simulated-bank.ts';

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

/** Returns the number of exceptions by kind, as Prometheus sees them. */
async function exceptions() {
  const { svc_ach_exceptions = [] } = await measureProcessors(stage.db as Database, [ach]);
  return Object.fromEntries(svc_ach_exceptions.map((it) => [it.labels?.kind, it.value]));
}

const resend = (id: string) =>
  stage.db.transaction((tx) => resendFile({ tx, now: stage.now() }, id));

/** Lets the bank collect the outbox, and returns the only entry in it. */
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

/** Returns the file that the bank would send, and removes it from the inbox. */
async function takeReturn(answers: readonly BankAnswer[]): Promise<Buffer> {
  const name = (await stage.bank.send(answers)) ?? '';
  const content = await readFile(join(stage.folder, 'inbox', name));
  await rm(join(stage.folder, 'inbox', name));
  return content;
}

/** The file with its first `from` replaced. */
function edited(content: Buffer, from: string, to: string): Buffer {
  const text = content.toString('latin1');
  expect(text).toContain(from);
  return Buffer.from(text.replace(from, to), 'latin1');
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
    // Until then no debit succeeds, although its days have passed: the file may return it.
    expect(await find()).toMatchObject({ state: 'processing' });
    await writeFile(path, content);
    await stage.at('2026-02-09T14:01:00Z');
    expect(await find()).toMatchObject({ state: 'failed', returnCode: 'R01' });
    expect(await files('rejected')).toEqual([]);
  });

  test('whose totals disagree is rejected, and no debit succeeds until an operator has dealt with it', async () => {
    const { find } = await charge();
    const other = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    const [entry] = await stage.bank.collect();
    if (!entry) throw new Error('two entries were sent');
    const content = await takeReturn([{ entry, reason: 'R01' }]);
    await receive('bad.txt', edited(content, '0000041000', '0000041001'));
    const [rejected] = (await listFiles(stage.db, stage.now())).items;
    expect(rejected).toMatchObject({
      state: 'rejected',
      reason:
        'Line 5: the total of debits of the batch of line 2 is 41001, but the file says 41000.',
    });
    await stage.at('2026-02-09T14:00:00Z');
    expect(await find()).toMatchObject({ state: 'processing' });
    expect(await other.find()).toMatchObject({ state: 'processing' });
    expect(await exceptions()).toEqual({ entry: 0, file: 1 });
    await dismissFile(stage.db, rejected?.id ?? '', stage.now());
    expect(await exceptions()).toEqual({ entry: 0, file: 0 });
    await stage.exchange();
    expect(await find()).toMatchObject({ state: 'succeeded' });
  });

  test('with an entry that cannot be applied: the others are, and only the debit that it names waits', async () => {
    const [returned, damaged, quiet] = [await charge(), await charge(), await charge()];
    await stage.at('2026-02-02T22:00:00Z');
    const [first, second] = await stage.bank.collect();
    if (!first || !second) throw new Error('three entries were sent');
    const content = await takeReturn([
      { entry: first, reason: 'R01' },
      { entry: second, reason: 'R09' },
    ]);
    const file = edited(content, 'R09', 'R0?');
    await receive('damaged.txt', file);
    const [read] = (await listFiles(stage.db, stage.now())).items;
    expect(read).toMatchObject({ state: 'read', exceptions: 1 });
    const shown = await showFile(stage.db, read?.id ?? '');
    expect(shown.exceptions).toEqual([
      { line: 6, reason: '"R0?" is not a return code such as R01.', resolved: false },
    ]);
    await stage.at('2026-02-09T14:00:00Z');
    expect(await returned.find()).toMatchObject({ state: 'failed', returnCode: 'R01' });
    expect(await damaged.find()).toMatchObject({ state: 'processing' });
    expect(await quiet.find()).toMatchObject({ state: 'succeeded' });
    // The file again changes nothing, and neither does an exception that is read a second time.
    await receive('damaged-again.txt', file);
    expect((await showFile(stage.db, read?.id ?? '')).exceptions).toEqual(shown.exceptions);
    expect(await exceptions()).toEqual({ entry: 1, file: 0 });
    await dismissFile(stage.db, read?.id ?? '', stage.now());
    expect(await exceptions()).toEqual({ entry: 0, file: 0 });
    await stage.exchange();
    expect(await damaged.find()).toMatchObject({ state: 'succeeded' });
    await receive('damaged-third.txt', file);
    expect((await listFiles(stage.db, stage.now())).items).toMatchObject([
      { state: 'read', exceptions: 0 },
      { direction: 'out' },
    ]);
    await expect(dismissFile(stage.db, read?.id ?? '', stage.now())).rejects.toThrow(
      'has no open exceptions',
    );
  });

  test('whose exceptions came from a wrong setting is applied when it is put back', async () => {
    const { find } = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    const content = await takeReturn([{ entry: await collectOne(), reason: 'R01' }]);
    const wrong = stage.newProcess(undefined, { bankRoutingNumber: '011000015' });
    await writeFile(join(stage.folder, 'inbox', 'returns.txt'), content);
    await wrong();
    expect((await listFiles(stage.db, stage.now())).items[0]).toMatchObject({ exceptions: 1 });
    expect(await find()).toMatchObject({ state: 'processing' });
    await receive('returns.txt', content);
    expect((await listFiles(stage.db, stage.now())).items[0]).toMatchObject({ exceptions: 0 });
    expect(await find()).toMatchObject({ state: 'failed', returnCode: 'R01' });
  });

  test('that merges several, with ragged lines and an unknown code, is applied', async () => {
    const [one, two] = [await charge(), await charge()];
    await stage.at('2026-02-02T22:00:00Z');
    const [first, second] = await stage.bank.collect();
    if (!first || !second) throw new Error('two entries were sent');
    const files = [
      await takeReturn([{ entry: first, reason: 'R97' }]),
      await takeReturn([{ entry: second, reason: 'R02' }]),
    ];
    const lines = files.flatMap((it) => it.toString('latin1').split('\n'));
    const ragged = lines.map((it) => it.trimEnd()).filter((it) => it !== '' && !/^9{94}$/.test(it));
    await receive('merged.txt', `${ragged.join('\r\n')}\r\n\x1a`);
    expect((await listFiles(stage.db, stage.now())).items[0]).toMatchObject({
      state: 'read',
      exceptions: 0,
    });
    expect(await one.find()).toMatchObject({ state: 'failed', returnCode: 'R97' });
    expect(await two.find()).toMatchObject({ state: 'failed', returnCode: 'R02' });
  });

  test('that cannot be read is rejected, and the others are read and sent', async () => {
    const { find } = await charge();
    await charge();
    await stage.at('2026-02-02T22:00:00Z');
    const [entry] = await stage.bank.collect();
    if (!entry) throw new Error('two entries were sent');
    await stage.bank.send([{ entry, reason: 'R01' }]);
    await writeFile(join(stage.folder, 'inbox', 'a-secret.txt'), 'x');
    const folder = openAchFolder(stage.folder);
    const process = stage.newProcess({
      ...folder,
      read: async (name) => {
        if (name === 'a-secret.txt') throw new UnreadableFile('EACCES');
        return folder.read(name);
      },
    });
    await charge();
    stage.clock.now = new Date('2026-02-03T22:00:00Z');
    await process();
    expect(await find()).toMatchObject({ state: 'failed', returnCode: 'R01' });
    expect(await files('outbox')).toEqual(['ACH-2026-02-03-A.txt']);
    expect(await files('inbox')).toContain('a-secret.txt');
    stage.clock.now = new Date('2026-02-03T22:01:00Z');
    await process();
    expect((await listFiles(stage.db, stage.now())).items.map((it) => it.reason)).toContain(
      "It cannot be read (EACCES). Let the service's user read it, and put it back into inbox.",
    );
    expect(await files('rejected')).toHaveLength(1);
  });

  test('that cannot be put away does not keep the others from being read and sent', async () => {
    const { find } = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    await stage.bank.send([{ entry: await collectOne(), reason: 'R01' }]);
    await writeFile(join(stage.folder, 'inbox', 'a.txt.ack'), '');
    await rename(
      join(stage.folder, 'inbox', 'a.txt.ack'),
      join(stage.folder, 'inbox', 'ACH-2026-02-02-A.txt.ack'),
    );
    const folder = openAchFolder(stage.folder);
    const process = stage.newProcess({
      ...folder,
      putAway: async (name, ...rest) => {
        if (name.endsWith('.ack')) throw new Error('EROFS');
        await folder.putAway(name, ...rest);
      },
    });
    await charge();
    stage.clock.now = new Date('2026-02-03T22:00:00Z');
    await expect(process()).rejects.toThrow('EROFS');
    expect(await find()).toMatchObject({ state: 'failed', returnCode: 'R01' });
    expect(await files('outbox')).toEqual(['ACH-2026-02-03-A.txt']);
  });

  test.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdir(path)],
    ['a link', (path: string) => symlink('/etc/hostname', path)],
  ])('that was replaced by %s after it was listed is skipped', async (_, replace) => {
    await stage.exchange();
    await replace(join(stage.folder, 'inbox', 'replaced.txt'));
    expect(await openAchFolder(stage.folder).read('replaced.txt')).toBeUndefined();
  });

  test('an acknowledgement that names no file of ours is rejected, and debits still succeed', async () => {
    const { find } = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    await receive('ACH-1999-01-01-A.txt.ack', '');
    expect((await listFiles(stage.db, stage.now())).items[0]).toMatchObject({ state: 'rejected' });
    await stage.at('2026-02-09T14:00:00Z');
    expect(await find()).toMatchObject({ state: 'succeeded' });
  });

  test.each([
    ['huge', Buffer.alloc(largestNachaBytes + 1, '9'), /^Line 1: the file has more than/],
    [
      `${'long'.repeat(60)}.txt`,
      Buffer.from('no file'),
      /^Line 1: a Nacha file begins with a record 1/,
    ],
    ['in another encoding', Buffer.from('\ufeff101 ', 'utf16le'), /^Line 1: there is no record 9/],
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
    [
      'an amount that is not ours',
      { amountInCents: 41_001 },
      'its amount is 41001 cents, and that of our entry 41000.',
    ],
    [
      'a credit as the return of a debit',
      { code: '22' },
      'its code is 21, but our entry was a debit.',
    ],
    [
      'a trace that is not ours',
      { trace: '021000029999999' },
      'the original trace number 021000029999999 is not one of ours.',
    ],
    [
      'another bank',
      { trace: '011000010000001' },
      'the original trace number 011000010000001 is not one of ours.',
    ],
  ] as const)('with %s has an exception', async (_, change, reason) => {
    const { find } = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    const entry = { ...(await collectOne()), ...change };
    await receive('bad.txt', await returnOf([{ entry, reason: 'R01' }]));
    const read = (await listFiles(stage.db, stage.now())).items.find((it) => it.exceptions > 0);
    expect((await showFile(stage.db, read?.id ?? '')).exceptions).toMatchObject([{ reason }]);
    expect(await find()).toMatchObject({ state: 'processing' });
  });

  test('a change without the corrected number has an exception, and corrects nothing', async () => {
    const { request } = await charge();
    await stage.at('2026-02-02T22:00:00Z');
    await stage.bank.send([{ entry: await collectOne(), reason: 'C02', corrected: '12345' }]);
    await stage.exchange();
    const [read] = (await listFiles(stage.db, stage.now())).items;
    expect((await showFile(stage.db, read?.id ?? '')).exceptions).toMatchObject([
      { reason: 'the corrected routing number of C02 is not one of a bank.' },
    ]);
    const method = await findPaymentMethod(stage.db, {
      partnerId: request.payer.partnerId,
      id: request.methodId,
    });
    expect(method).toMatchObject({ last4: '0000' });
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
  expect((await showFile(stage.db, id)).items).toMatchObject([{ trace: '0000001', state: 'sent' }]);
  expect(await resend(id)).toMatchObject({ entries: 1 });
  await stage.at('2026-02-03T14:00:00Z');
  expect(await files('outbox')).toEqual(['ACH-2026-02-03-A.txt']);
  const again = await collectOne();
  // The bank should not have the first file. If it says that it does, somebody has to call the bank.
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
  await expect(dismissFile(stage.db, 'ach_none', stage.now())).rejects.toThrow(
    'svc-admin ach list',
  );
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
