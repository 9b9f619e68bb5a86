import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault, parseSecretKeys, weaknessOf } from './vault.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];

test('each key opens what it sealed, whichever of them is first', () => {
  const sealed = createVault(oldKey).seal('secret', 'row 1');
  expect(createVault(newKey, oldKey).open(sealed, 'row 1')).toBe('secret');
  expect(createVault(oldKey, newKey).open(sealed, 'row 1')).toBe('secret');
});

test('a value of a key that is not configured is refused, and so is another context', () => {
  const vault = createVault(newKey, oldKey);
  const sealed = vault.seal('secret', 'row 1');
  expect(() => createVault(oldKey).open(sealed, 'row 1')).toThrow('not in SVC_SECRET_KEY');
  expect(() => vault.open(sealed, 'row 2')).toThrow('unable to authenticate data');
});

test('every sealed value begins with the prefix of the first key', () => {
  const vault = createVault(newKey, oldKey);
  expect(vault.seal('', 'row 1').subarray(0, vault.prefix.length)).toEqual(vault.prefix);
  expect(vault.prefix).not.toEqual(createVault(oldKey).prefix);
});

test('values from before keys had an id can be opened by any of the keys', () => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', oldKey, nonce).setAAD(Buffer.from('row 1'));
  const body = Buffer.concat([cipher.update('secret', 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body]);
  expect(createVault(newKey, oldKey).open(sealed, 'row 1')).toBe('secret');
  expect(() => createVault(newKey).open(sealed, 'row 1')).toThrow('unable to authenticate data');
  expect(() => createVault(newKey, oldKey).open(sealed, 'row 2')).toThrow(
    'unable to authenticate data',
  );
});

test('a digest by an older key is among the digests of the vault', () => {
  const [stored] = createVault(oldKey).digests('body');
  expect(createVault(newKey, oldKey).digests('body')).toContainEqual(stored);
  expect(createVault(newKey, oldKey).digests('other')).not.toContainEqual(stored);
});

test.each([
  ['one key', `${oldKey.toString('base64')}\n`, [oldKey]],
  ['commas', `${newKey.toString('base64')}, ${oldKey.toString('base64url')}`, [newKey, oldKey]],
  ['a key that is too short', 'c2hvcnQ=', undefined],
  ['a bad key after a good one', `${oldKey.toString('base64')},x`, undefined],
  ['other characters', `${oldKey.toString('base64').slice(0, -2)}!=`, undefined],
  ['nothing', ' ', undefined],
])('parseSecretKeys: %s', (_, text, keys) => {
  expect(parseSecretKeys(text)).toEqual(keys);
});

test('no random key looks guessable', () => {
  const random = Array.from({ length: 20_000 }, () => randomBytes(32));
  expect(random.filter((key) => weaknessOf(key) !== undefined)).toEqual([]);
});
