import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findForeignWrites, tablesOf } from './find-foreign-writes.ts';
import { TABLE_OWNERS } from './import-rules.ts';

const schema = readFileSync(new URL('../../apps/server/schema.sql', import.meta.url), 'utf8');
const find = (path: string, text: string) =>
  findForeignWrites([{ path: `apps/server/src/${path}`, text }], schema);

test.each([
  ['domain/disputes/a.ts', 'sql`update payment set outcome = ${it}`', 'payment', 'domain/plans'],
  [
    'domain/intake/a.ts',
    'sql`insert into tenant_token (a) values (1)`',
    'tenant_token',
    'domain/access',
  ],
  ['jobs/a.ts', 'sql`delete from tenant_due d where ${which}`', 'tenant_due', 'domain/tenants'],
  [
    'domain/books/a.ts',
    'sql`with a as (${sql`update mail set x = 1`}) select`',
    'mail',
    'domain/mail',
  ],
  ['processors/stripe/a.ts', 'sql`update ach_entry set x = 1`', 'ach_entry', 'processors/ach'],
])('%s cannot run %s', (path, text, table, owner) => {
  expect(find(path, text)).toEqual([
    `apps/server/src/${path}:1: ${table} is written by ${owner} only`,
  ]);
});

test.each([
  ['domain/plans/a.ts', 'sql`update payment set outcome = ${it}`'],
  ['domain/disputes/a.ts', 'sql`select from payment for update`'],
  ['domain/disputes/a.test.ts', 'sql`update payment set outcome = ${it}`'],
  ['domain/privacy/a.ts', 'sql`update payment set outcome = ${it}`'],
  ['domain/simulation/a.ts', 'sql`delete from settlement`'],
  ['processors/simulator/a.ts', 'sql`update tenant t set pending_payment_failures = $1`'],
])('%s can run %s', (path, text) => {
  expect(find(path, text)).toEqual([]);
});

test('a table without an owner, and an owner of no table, are named', () => {
  const added = `${schema}\ncreate table lottery (\n  id text\n);\n`;
  expect(findForeignWrites([], added)).toEqual([
    'lottery has no owner in TABLE_OWNERS of import-rules.ts',
  ]);
  const removed = schema.replace(/^create table refund \(/m, 'create view refund (');
  expect(findForeignWrites([], removed)).toEqual([
    'refund of TABLE_OWNERS in import-rules.ts is no table',
  ]);
});

test('no table has two owners', () => {
  const owned = Object.values(TABLE_OWNERS).flat();
  expect(new Set(owned).size).toBe(owned.length);
  expect(tablesOf(schema).length).toBeGreaterThan(60);
});
