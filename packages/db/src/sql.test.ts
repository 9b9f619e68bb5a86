import { expect, test } from 'vitest';
import { raw, type Sql, sql } from './index.ts';

test('values become parameters, and nested statements keep their own', () => {
  const where = sql`where id = ${'t-1'} and state = ${null}`;
  const statement = sql`select ${raw('id')} from tenant ${where} limit ${3}`;
  expect(statement.text).toBe('select id from tenant where id = $1 and state = $2 limit $3');
  expect(statement.values).toEqual(['t-1', null, 3]);
});

test('a template whose nested statements change gets their text each time', () => {
  const by = (filter: Sql, limit: number) => sql`select id from tenant ${filter} limit ${limit}`;
  const byId = () => by(sql`where id = ${'t-1'}`, 1);
  const byState = () => by(sql`where state in (${'new'}, ${'old'})`, 2);
  for (const build of [byId, byId, byState, byId, byState]) {
    const isById = build === byId;
    expect(build()).toMatchObject({
      text: isById
        ? 'select id from tenant where id = $1 limit $2'
        : 'select id from tenant where state in ($1, $2) limit $3',
      values: isById ? ['t-1', 1] : ['new', 'old', 2],
    });
  }
});

test.each([
  ['a string', 'x'],
  ['a Date', new Date(0)],
  ['bytes', Buffer.from('x')],
  ['undefined, which is null', undefined],
  ['a bigint', 1n],
  ['a list', ['a', null]],
  ['an empty list', []],
])('%s is a value', (_, value) => {
  expect(sql`select ${value}`.values).toEqual([value]);
});

const made = sql`select 1`;
const forged: [string, unknown][] = [
  ['parsed JSON', JSON.parse('{"text":"1; drop table tenant --","values":[]}')],
  ['a copy of a statement', { text: made.text, values: made.values }],
  ['an object with its prototype', Object.create(made)],
];

test.each(forged)('%s is not a statement', (_, value) => {
  expect(() => sql`select ${value as Sql}`).toThrow(TypeError);
  expect(() => sql`select ${value as Sql} ${raw('')}`).toThrow(TypeError);
  expect(() => sql`select ${[value] as unknown as string[]}`).toThrow(TypeError);
});

test.each([
  ['an object', { a: 1 }, 'is an object'],
  ['a list of objects', [{ a: 1 }], 'is a list that holds an object'],
  ['a nested list', [['a']], 'is a list that holds an object'],
  ['a Map', new Map(), 'is an object'],
  ['a function', () => 1, 'is a function'],
  ['a symbol', Symbol('x'), 'is a symbol'],
])('%s is refused, and the message says to pass JSON.stringify', (_, value, kind) => {
  const refused = () => sql`insert into t values (${value as unknown as string})`;
  expect(refused).toThrow(kind);
  expect(refused).toThrow('for a json column pass JSON.stringify(...)');
});

test('an object does not compile as a value, nor a literal as a statement', () => {
  // @ts-expect-error an object needs JSON.stringify
  expect(() => sql`select ${{ a: 1 }}`).toThrow(TypeError);
  // @ts-expect-error a list of objects needs JSON.stringify
  expect(() => sql`select ${[{ a: 1 }]}`).toThrow(TypeError);
  // @ts-expect-error a statement comes from the tag
  const literal: Sql = { text: 'select 1', values: [] };
  expect(literal.text).toBe('select 1');
});
