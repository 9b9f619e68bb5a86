import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '@svc/db/testing';
import { createVault } from '@svc/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from './migrations.ts';
import { openVault } from './secret-key.ts';

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await openTestDatabase(migrations);
  dataDir = await mkdtemp(join(tmpdir(), 'svc-key-'));
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const now = new Date('2026-01-20T15:00:00Z');
const open = (key?: Buffer, environment: 'sandbox' | 'production' = 'sandbox') =>
  openVault(database.db, { dataDir, secretKeys: key && [key], environment }, now);

test('the key file is created once, readable by this user only, and reused', async () => {
  const sealed = (await open()).seal('secret', 'row 1');
  const file = join(dataDir, 'secret.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, 'utf8');
  expect((await open()).open(sealed, 'row 1')).toBe('secret');
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a database of another key or environment is refused with advice', async () => {
  const key = randomBytes(32);
  await open(key);
  await open(key);
  await expect(open(randomBytes(32))).rejects.toThrow('was set up with another secret key');
  const file = join(dataDir, 'secret.key');
  await expect(open()).rejects.toThrow(`there is none in ${file}`);
  expect(await readdir(dataDir)).not.toContain('secret.key');
  await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  await expect(open()).rejects.toThrow('Restore the original file');
  await expect(open(key, 'production')).rejects.toThrow('Set SVC_ENVIRONMENT=sandbox');
});

test('a file without a valid key is refused and not changed', async () => {
  const file = join(dataDir, 'secret.key');
  await writeFile(file, 'not a key');
  await expect(open()).rejects.toThrow('does not hold a secret key of 32 bytes');
  expect(await readFile(file, 'utf8')).toBe('not a key');
  await chmod(file, 0o600);
});

test('while a key is replaced, the database belongs to each of the keys', async () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const openWith = (...secretKeys: [Buffer, ...Buffer[]]) =>
    openVault(database.db, { dataDir, secretKeys, environment: 'sandbox' }, now);
  const old = (await openWith(first)).seal('secret', 'row 1');
  const both = await openWith(second, first);
  expect(both.open(old, 'row 1')).toBe('secret');
  expect((await openWith(first, second)).open(both.seal('new', 'row 2'), 'row 2')).toBe('new');
  await expect(openWith(second)).rejects.toThrow('add that one after the new key');
});

test('the key file may hold several keys, one per line', async () => {
  const file = join(dataDir, 'secret.key');
  const sealed = (await open()).seal('secret', 'row 1');
  const newer = randomBytes(32);
  await writeFile(file, `${newer.toString('base64')}\n${await readFile(file, 'utf8')}`);
  const vault = await open();
  expect(vault.open(sealed, 'row 1')).toBe('secret');
  expect(createVault(newer).open(vault.seal('new', 'row 2'), 'row 2')).toBe('new');
});
