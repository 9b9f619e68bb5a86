import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AchStage, openAchStage } from '../../../test/support/ach-stage.ts';
import { createBankFiles } from './bank-files.ts';

let stage: AchStage;
beforeAll(async () => {
  stage = await openAchStage();
});
afterAll(() => stage.close());

const inbox = (name: string) => join(stage.folder, 'inbox', name);

/** A file of returns as the bank would send it. */
async function returns(): Promise<{ name: string; content: Buffer }> {
  const [entry] = await stage.bank.collect();
  if (!entry) throw new Error('The bank has no entry.');
  const name = await stage.bank.send([{ entry, reason: 'R01' }]);
  const content = await readFile(inbox(String(name)));
  await rm(inbox(String(name)));
  return { name: String(name), content };
}

test('a person downloads our file, and hands in the bank’s by hand', async () => {
  const files = createBankFiles(stage.settings);
  const from = await stage.open('000111110001');
  const returnUrl = 'https://svc.example';
  await stage.processor.charge({
    ...from,
    key: 'pay_1',
    amountInCents: 41_000,
    returnUrl,
    occasion: 'first',
  });
  await stage.at('2026-02-02T22:00:00Z');
  const [ours] = await rowsOf<{ id: string; name: string }>(
    stage.db,
    sql`select id, name from ach_file`,
  );
  const outbox = await readFile(join(stage.folder, 'outbox', String(ours?.name)));
  expect(await files.read(stage.db, String(ours?.id))).toEqual({
    name: ours?.name,
    content: outbox,
  });

  const sent = await returns();
  await files.receive(sent);
  await expect(files.receive(sent)).rejects.toThrow(`A file named ${sent.name} waits already.`);
  await stage.at('2026-02-03T14:00:00Z');
  const [theirs] = await rowsOf<{ id: string; state: string }>(
    stage.db,
    sql`select id, state from ach_file where direction = 'in'`,
  );
  expect(theirs?.state).toBe('read');
  expect(await files.read(stage.db, String(theirs?.id))).toEqual(sent);
  const [entry] = await rowsOf(stage.db, sql`select state, return_code from ach_entry`);
  expect(entry).toEqual({ state: 'failed', return_code: 'R01' });
  // The same file under another name changes nothing.
  await files.receive({ ...sent, name: 'again.txt' });
  await stage.at('2026-02-03T14:05:00Z');
  expect(await rowsOf(stage.db, sql`select id from ach_file where direction = 'in'`)).toHaveLength(
    1,
  );
});

test.each(['../../etc/passwd', '.hidden', 'a/b.txt', 'a b.txt', 'file.part', 'ü.txt', ''])(
  'a file named "%s" is refused',
  async (name) => {
    const files = createBankFiles(stage.settings);
    const before = await readdir(join(stage.folder, 'inbox'));
    const refused = files.receive({ name, content: Buffer.from('') });
    await expect(refused).rejects.toThrow('Name the file with letters');
    expect(await readdir(join(stage.folder, 'inbox'))).toEqual(before);
  },
);

test('a file that is no Nacha file is refused with its line, and an acknowledgement may be empty', async () => {
  const files = createBankFiles(stage.settings);
  const refused = files.receive({ name: 'RETURN-1.txt', content: Buffer.from('hello') });
  await expect(refused).rejects.toThrow('RETURN-1.txt was not taken. Line 1:');
  await files.receive({ name: 'ACH-2026-02-02-A.txt.ack', content: Buffer.from('') });
  await expect(readFile(inbox('ACH-2026-02-02-A.txt.ack'))).resolves.toHaveLength(0);
});

test('a file that this machine does not have says where to look', async () => {
  const files = createBankFiles({ folder: join(stage.folder, 'empty') });
  const [ours] = await rowsOf<{ id: string }>(stage.db, sql`select id from ach_file limit 1`);
  await expect(files.read(stage.db, String(ours?.id))).rejects.toThrow('SVC_ACH_FOLDER');
  await expect(files.read(stage.db, `ach_${'0'.repeat(26)}`)).rejects.toMatchObject({
    code: 'not_found',
  });
});
