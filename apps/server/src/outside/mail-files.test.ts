import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMailFiles } from './mail-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mail-'));
});
afterEach(() => rm(folder, { recursive: true }));

const message = Buffer.from('Subject: Receipt\r\n\r\nPaid');

test('files of older mails are deleted by the date of the mail; other files stay', async () => {
  const files = openMailFiles(folder);
  await files.write('mal_old', new Date('2026-01-01T12:00:00Z'), message);
  await files.write('mal_edge', new Date('2026-01-02T00:00:00Z'), message);
  await writeFile(join(folder, 'notes.txt'), 'mine');
  expect(await files.deleteOlderThan(new Date('2026-01-02T00:00:00Z'))).toBe(1);
  expect(await files.deleteOlderThan(new Date('2026-01-02T00:00:00Z'))).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(['mal_edge.eml', 'notes.txt']);
});

test('in a missing folder there is nothing to delete', async () => {
  expect(await openMailFiles(join(folder, 'none')).deleteOlderThan(new Date('2026-01-01'))).toBe(0);
});
