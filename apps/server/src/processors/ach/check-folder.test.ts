import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkAchFolder } from './folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-ach-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('an empty folder is prepared, and nothing is left in it that a bank could be sent', async () => {
  await checkAchFolder(root);
  await checkAchFolder(root);
  expect((await readdir(root)).sort()).toEqual([
    'archive',
    'inbox',
    'outbox',
    'rejected',
    'staging',
  ]);
  for (const name of await readdir(root)) expect(await readdir(join(root, name))).toEqual([]);
});

test('a folder that is missing, a file or a broken link is refused, also below it', async () => {
  const missing = join(root, 'missing');
  await expect(checkAchFolder(missing)).rejects.toThrow(
    `SVC_ACH_FOLDER names ${missing}, but it does not exist. Create it, or mount it`,
  );
  const file = join(root, 'file');
  await writeFile(file, '');
  await expect(checkAchFolder(file)).rejects.toThrow('but a file is in its place. Name a folder.');
  await expect(checkAchFolder(join(file, 'ach'))).rejects.toThrow('but a file is in its place.');
  await symlink(missing, join(root, 'link'));
  await expect(checkAchFolder(join(root, 'link'))).rejects.toThrow('but it does not exist');

  const ach = join(root, 'ach');
  await mkdir(ach);
  await writeFile(join(ach, 'inbox'), '');
  await expect(checkAchFolder(ach)).rejects.toThrow(
    `but a file is in its place. Name a folder. In it, ${ach}/inbox is the problem.`,
  );
});

// Root may write everywhere.
test.skipIf(process.getuid?.() === 0)('a folder that may not be written is refused', async () => {
  await mkdir(join(root, 'outbox'));
  for (const place of [root, join(root, 'outbox')]) {
    await chmod(place, 0o500);
    await expect(checkAchFolder(root)).rejects.toThrow('the user of the service may not write');
    await chmod(place, 0o700);
  }
});

// Every Linux has one.
test.runIf(process.platform === 'linux')('folders of two file systems are refused', async () => {
  await symlink('/dev/shm', join(root, 'outbox'));
  const refused = checkAchFolder(root);
  await expect(refused).rejects.toThrow('its folders are on different file systems');
});
