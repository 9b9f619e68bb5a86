import { expect, test } from 'vitest';
import { readHeader } from '../../packages/db/src/read-migrations.ts';
import { findUnsafeMigrations, placeProblemsOf, problemsOf } from './migrations.ts';

const versions = { current: '0.3.0', lastRelease: '0.2.0' };

function check(text: string, header = '-- oldest-service: 0.2.0'): string {
  const file = `${header}\n${text}`;
  return problemsOf({ ...readHeader('0001_test.sql', file), text: file }, versions).join('\n');
}

test('the migrations of this repository pass', async () => {
  expect(await findUnsafeMigrations('.')).toEqual([]);
});

test.each([
  'create table fee (id text primary key); create index fee_x on fee (id); alter table fee add check (id <> 1);',
  'alter table plan add column note text, add column paid boolean not null default false;',
  'alter table plan add constraint paid check (note is not null) not valid;',
  'alter table plan alter column note set default 3;',
  "insert into terms values ('a; drop table plan');",
  'create function f() returns trigger language plpgsql as $$ begin drop table plan; end $$;',
  'create trigger t after update on plan for each row execute function f(); -- drop table plan',
  "alter type state add value 'late';",
  "-- A plan's note.\ncreate table fee (id text); /* the fee's date */ alter table fee drop column at;",
  "insert into terms values ('no -- comment'); insert into terms values (e'it\\'s; drop table plan');",
])('passes: %s', (text) => {
  expect(check(text)).toBe('');
});

test.each([
  ['drop table plan;', 'takes something away'],
  ['DROP INDEX plan_open;', 'takes something away'],
  ['drop index concurrently plan_open;', 'needs "-- no-transaction"'],
  ['alter table plan add column note text, drop column amount;', 'takes something away'],
  ['alter table plan rename column amount to cents;', 'takes a name away'],
  ['alter table plan rename to agreement;', 'takes a name away'],
  ['alter index plan_open rename to plan_live;', 'takes a name away'],
  ['alter table plan add column note text not null;', 'give the column a default'],
  ['alter table plan alter column note set not null;', 'refuses rows'],
  ['alter table "plan" alter note type bigint;', 'change of type'],
  ['alter table plan alter column note set data type bigint;', 'change of type'],
  ['alter table plan alter column note drop default;', 'takes a rule away'],
  ['alter table plan drop constraint paid;', 'takes something away'],
  ['alter table plan add constraint paid check (amount > 0);', '"not valid"'],
  ['alter table plan add foreign key (tenant_id) references tenant;', '"not valid"'],
  ['alter table plan add column tenant_id text references tenant;', '"not valid"'],
  ['alter table plan add column at timestamptz default clock_timestamp();', 'calls a function'],
  ["-- The plan's rows\ndrop table plan; -- of last year's data", 'takes something away'],
  ["insert into terms values ('--'); drop table plan;", 'takes something away'],
  ['alter table plan validate constraint paid;', 'in a file with "-- no-transaction"'],
  ['create index plan_note on plan (note);', 'create the index concurrently'],
  ['create unique index on plan (note);', 'create the index concurrently'],
  ['create index concurrently plan_note on plan (note);', 'needs "-- no-transaction"'],
  ['update plan set note = null;', 'make it a "-- backfill"'],
  ['delete from plan;', 'make it a "-- backfill"'],
  ['lock table plan;', 'make it a "-- backfill"'],
  ["alter type state rename value 'a' to 'b';", 'changes what the last release may use'],
  [
    'alter table plan add a int; alter table tenant add b int;',
    'one file for each of plan, tenant',
  ],
])('%s is refused: %s', (text, problem) => {
  expect(check(text)).toContain(problem);
  expect(check(text, '-- oldest-service: 0.2.0\n-- contract: 0.2.0 reads cents only')).toBe('');
});

test.each([
  [
    'create table fee (partner_id text references partner, id text);',
    'declare "-- on a cluster: fee by partner"',
  ],
  ['create table fee (id text);', 'declare "-- on a cluster: fee on the coordinator"'],
  [
    '-- on a cluster: fee on the coordinator\ncreate table fee (partner_id text);',
    'declare "-- on a cluster: fee by partner"',
  ],
  [
    '-- on a cluster: fee by partner\ncreate table fee (partner_id text); alter table plan add a int;',
    'alter plan in a separate file',
  ],
  ['-- on a cluster: fee by partner\ncreate table fee (partner_id text);', undefined],
  ['alter table plan add a int;', undefined],
])('where new tables are on a cluster: %s', (text, problem) => {
  const found = placeProblemsOf({ text: `-- oldest-service: 0.2.0\n${text}` });
  expect(found).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
});

test('a file declares the oldest service, and a newer one than the last release needs a reason', () => {
  const step = 'create table fee (id text primary key);';
  expect(check(step, '-- Fees.')).toContain('declare the oldest service');
  expect(check(step, '-- oldest-service: 0.3.0')).toContain('services of 0.2.0 could not run');
  expect(check(step, '-- oldest-service: 0.3.0\n-- contract: new keys')).toBe('');
  expect(check(step, '-- oldest-service: 0.4.0\n-- contract: x')).toContain('this is 0.3.0');
});

test.each([
  ['create index concurrently plan_note on plan (note);', ''],
  ['drop index concurrently if exists plan_note;', ''],
  ['alter table plan validate constraint paid;', ''],
  ['vacuum plan;', '"-- no-transaction" is for'],
  [
    'create index concurrently a on plan (a); create index concurrently b on plan (b);',
    'this one has 2',
  ],
])('without a transaction: %s %s', (text, problem) => {
  const found = check(text, '-- oldest-service: 0.2.0\n-- no-transaction');
  if (problem === '') expect(found).toBe('');
  else expect(found).toContain(problem);
});

test('a backfill is one statement that is limited by its range', () => {
  const header = '-- oldest-service: 0.2.0\n-- backfill: plan by id';
  expect(check('update plan set a = b where id between $1 and $2;', header)).toBe('');
  expect(check('update plan set a = b;', header)).toContain('where id between $1 and $2');
});
