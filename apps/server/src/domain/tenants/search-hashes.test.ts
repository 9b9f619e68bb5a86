import { randomBytes } from 'node:crypto';
import { createVault } from '@svc/runtime';
import { expect, test } from 'vitest';
import { readPersonalQuery, searchHashes } from './search-hashes.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const vault = createVault(oldKey);
const jose = {
  firstName: 'José María',
  lastName: "O'Neill-Santos",
  email: 'Jose@Example.com',
  phoneNumber: '+1 (202) 555-0147',
};
const stored = searchHashes(vault, jose);

/** Returns whether the database finds the tenant by hashes, and whether it is the tenant that was meant. */
function finds(text: string, by = vault) {
  const query = readPersonalQuery(by, text);
  if (!query) return [false, false];
  const isFound = query.hashes.some((hashes) => hashes.every((it) => stored.includes(it)));
  return [isFound, query.matches(jose)];
}

test.each([
  'jose',
  'SANTOS  José',
  'neill maria',
  'jose@example.com',
  ' JOSE@EXAMPLE.COM ',
  '+12025550147',
  '202 555 0147',
  '(202) 555-0147',
])('a tenant is found by %s', (text) => {
  expect(finds(text)).toEqual([true, true]);
});

test.each([
  'jos',
  'jose miller',
  'jose@example.org',
  'example.com',
  '5550147',
  '%',
  "'; drop table tenant; --",
  '٪',
])('a tenant is not found by %s', (text) => {
  expect(finds(text)[1]).toBe(false);
});

test.each(['', '   ', '...', '😀'])('there is nothing to search for in "%s"', (text) => {
  expect(readPersonalQuery(vault, text)).toBeUndefined();
});

test('hashes of an older key are found until it is removed', () => {
  expect(finds('jose', createVault(newKey, oldKey))).toEqual([true, true]);
  expect(finds('jose maria santos', createVault(newKey))[0]).toBe(false);
});

test('what is stored has 20 bits for each word, and a limited number of them', () => {
  const long = { ...jose, firstName: Array.from({ length: 5_000 }, (_, i) => `w${i}`).join(' ') };
  const hashes = searchHashes(vault, long);
  expect(hashes.length).toBeLessThanOrEqual(10);
  expect(Math.max(...hashes)).toBeLessThan(2 ** 20);
});
