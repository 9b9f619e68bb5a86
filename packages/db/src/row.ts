import type { QueryResult } from 'pg';
import { Sql } from './sql.ts';

/**
 * One column of a row: its type in TypeScript, the types PostgreSQL may return for it, and its type
 * in a `recordset`.
 */
export interface Column<Value> {
  readonly sqlType: string;
  /** Object identifiers of the PostgreSQL types that this column accepts (`pg_type.oid`). */
  readonly oids: readonly number[];
  readonly nullable: boolean;
  /** Returns what is wrong with a value that is not null; undefined if it is valid. Runs in tests only. */
  readonly problem: (value: unknown) => string | undefined;
  /** Exists for the compiler only; no column has it at run time. */
  readonly value?: Value;
}

/**
 * The columns a statement must return, declared once: the compiler derives the type of a row from
 * them, and each answer of PostgreSQL is checked against them.
 */
export interface Row<T extends object> {
  /** The name of the row in errors. */
  readonly name: string;
  readonly columns: { readonly [Key in keyof T]: Column<T[Key]> };
  /** The key and the database name of each column, in the declared order. */
  readonly names: readonly ColumnName[];
  /** True if a key of the row differs from the name of its column. */
  readonly isRenamed: boolean;
}

interface ColumnName {
  /** `partnerId` */
  readonly key: string;
  /** `partner_id` */
  readonly column: string;
}

/**
 * Stands for a row with any columns. For tests, through `rowsOf` of `@svc/db/testing`: a test asserts
 * the values that it reads.
 */
export const undeclared: Row<Readonly<Record<string, unknown>>> = {
  name: 'undeclared',
  columns: {},
  names: [],
  isRenamed: false,
};

/** The TypeScript type of one row. */
export type RowOf<Declared> = Declared extends Row<infer T> ? T : never;

type ValuesOf<Columns> = {
  readonly [Key in keyof Columns]: Columns[Key] extends Column<infer Value> ? Value : never;
};

/**
 * Declares the columns of a row. A key in camelCase stands for the column in snake_case: a statement that
 * selects `partner_id` fills `partnerId`. Keys inside of a `json` column stay as they are.
 * @example const chargeRow = row('charge', { id: text, dueDate: date, paidOn: nullable(date) });
 */
export function row<const Columns extends Readonly<Record<string, Column<unknown>>>>(
  name: string,
  columns: Columns,
): Row<ValuesOf<Columns>> {
  const names = Object.keys(columns).map((key) => ({ key, column: snakeCase(key) }));
  const isRenamed = names.some(({ key, column }) => key !== column);
  return { name, columns, names, isRenamed } as unknown as Row<ValuesOf<Columns>>;
}

function snakeCase(key: string): string {
  return key.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export const text = column<string>('text', [25, 1043, 1042, 19]);
/** `smallint` or `integer`. */
export const integer = column<number>('integer', [23, 21]);
/** Cents and counts. A value that a JavaScript number cannot represent exactly is an error. */
export const bigint = column<number>('bigint', [20]);
export const double = column<number>('double precision', [701, 700]);
export const boolean = column<boolean>('boolean', [16]);
/** `YYYY-MM-DD`. */
export const date = column<string>('date', [1082]);
/** A `timestamptz`. */
export const instant = column<Date>('timestamptz', [1184]);
export const bytes = column<Buffer>('bytea', [17]);

/** A text column that only contains these values. */
export function oneOf<const Value extends string>(...values: readonly Value[]): Column<Value> {
  const known: ReadonlySet<unknown> = new Set(values);
  const problem = (value: unknown) =>
    known.has(value) ? undefined : `is not one of ${values.join(', ')}`;
  return { ...text, problem } as Column<Value>;
}

/** A column that may be null. */
export function nullable<Value>(type: Column<Value>): Column<Value | null> {
  return { ...type, nullable: true } as Column<Value | null>;
}

/** An array of the given type. */
export function listOf<Value>(type: Column<Value>): Column<Value[]> {
  const problem = (values: unknown) => {
    if (!Array.isArray(values)) return 'is not a list';
    return values.map((value) => problemOf(type, value)).find((found) => found !== undefined);
  };
  const oids = type.oids.flatMap((oid) => arrayOids[oid] ?? []);
  return { sqlType: `${type.sqlType}[]`, oids, nullable: false, problem };
}

const arrayOids: Readonly<Record<number, number>> = {
  16: 1000,
  17: 1001,
  20: 1016,
  21: 1005,
  23: 1007,
  25: 1009,
  1043: 1015,
  1082: 1182,
  1184: 1185,
};

/**
 * A `json` or `jsonb` column. Its type is what the schema accepts, because a stored value is not
 * passed through the schema: defaults and transformations do not apply. Without a schema, `unknown`.
 */
export function json(): Column<unknown>;
export function json<Input>(schema: JsonSchema<Input>): Column<Input>;
export function json(schema?: JsonSchema<unknown>): Column<unknown> {
  const problem = (value: unknown) => {
    const result = schema?.['~standard'].validate(value);
    if (result instanceof Promise) throw new TypeError('json: the schema must be synchronous.');
    const issue = result?.issues?.[0];
    if (issue === undefined) return undefined;
    const path = issue.path?.map((step) => String(typeof step === 'object' ? step.key : step));
    return `${path ? `at "${path.join('.')}" ` : ''}does not match its schema: ${issue.message}`;
  };
  return { sqlType: 'json', oids: [114, 3802], nullable: false, problem };
}

/** The part of a Standard Schema (standardschema.dev) that we use; every zod schema is one. */
export interface JsonSchema<Input> {
  readonly '~standard': {
    readonly validate: (value: unknown) => Validated | Promise<Validated>;
    readonly types?: { readonly input: Input } | undefined;
  };
}

interface Validated {
  readonly issues?:
    | ReadonlyArray<{
        readonly message: string;
        readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
      }>
    | undefined;
}

/** A row differs from its declaration: a bug in our code. */
export class RowMismatch extends Error {
  override readonly name = 'RowMismatch';
}

/**
 * Compares the columns that PostgreSQL returned with the declaration. It runs for every statement:
 * remembering which texts were compared would take as long (0.1 µs for ten columns in the declared
 * order, 0.9 µs in another order; a statement takes 60 µs or more).
 * @throws RowMismatch
 */
export function checkColumns<T extends object>(
  declared: Row<T>,
  { fields }: Pick<QueryResult, 'fields'>,
  statement: string,
): void {
  if (declared === undeclared || matchesInOrder(declared, fields)) return;
  const problem = columnProblem(declared, fields);
  if (problem) throw new RowMismatch(`the statement ${problem}: ${statement}`);
}

type Columns = Readonly<Record<string, Column<unknown>>>;
type Fields = QueryResult['fields'];

function matchesInOrder<T extends object>({ columns, names }: Row<T>, fields: Fields): boolean {
  const types: Columns = columns;
  let index = 0;
  for (const { key, column } of names) {
    const field = fields[index];
    if (field?.name !== column || !types[key]?.oids.includes(field.dataTypeID)) return false;
    index += 1;
  }
  return index === fields.length;
}

function columnProblem<T extends object>(
  { name, columns, names }: Row<T>,
  fields: Fields,
): string | undefined {
  const types: Columns = columns;
  const declared = new Map(names.map(({ key, column }) => [column, types[key]]));
  const returned = new Set<string>();
  for (const field of fields) {
    const type = declared.get(field.name);
    if (!type) return `returns a column "${field.name}", which row "${name}" does not declare`;
    if (!type.oids.includes(field.dataTypeID)) {
      const expected = `${type.sqlType} (${type.oids.join(' or ')} in pg_type)`;
      return `returns the column "${field.name}" with the type ${field.dataTypeID}, but row "${name}" declares ${expected}`;
    }
    if (returned.has(field.name)) return `returns the column "${field.name}" twice`;
    returned.add(field.name);
  }
  const missing = [...declared.keys()].find((column) => !returned.has(column));
  return missing && `returns no column "${missing}", which row "${name}" declares`;
}

/**
 * Renames the columns of rows to the keys of the declaration. This takes 0.6 µs for a row of ten columns, and no
 * time if the declaration has no key in camelCase.
 */
export function withKeys<T extends object>(
  { names, isRenamed }: Row<T>,
  rows: readonly Record<string, unknown>[],
): T[] {
  if (!isRenamed) return rows as T[];
  return rows.map((values) => {
    const keyed: Record<string, unknown> = {};
    for (const { key, column } of names) keyed[key] = values[column];
    return keyed as T;
  });
}

/**
 * Compares each value with its column: nulls, the values of `oneOf`, the schemas of `json`. Tests
 * only, because it visits every value of every row.
 * @throws RowMismatch naming the column, never the value, which may be personal data
 */
export function checkValues<T extends object>(
  { name, columns }: Row<T>,
  rows: readonly T[],
  statement: string,
): void {
  for (const [key, type] of Object.entries<Column<unknown>>(columns)) {
    for (const values of rows) {
      const problem = problemOf(type, (values as Readonly<Record<string, unknown>>)[key]);
      if (problem) {
        throw new RowMismatch(`the column "${key}" of row "${name}" ${problem}: ${statement}`);
      }
    }
  }
}

/**
 * Returns rows for a batched write, as one JSON parameter: `json_to_recordset($1) as alias(partner_id text, …)`. The
 * planner expects 100 rows from any JSON, and to join that many it reads all rows of a partner. From an unknown
 * limit it expects a tenth of the rows, so with two of them it expects one row, and finds the others by their key.
 * @example sql`insert into line (id, cents) select l.id, l.cents from ${recordset(lineRow, lines, 'l')}`
 * @throws RowMismatch for a row that lacks a declared key or has another one
 */
export function recordset<T extends object>(
  declared: Row<T>,
  rows: readonly T[],
  alias: string,
): Sql {
  const values = rows.map((each) => withColumnNames(declared, each));
  const text = recordsetText(declared, alias);
  return new Sql(text, [JSON.stringify(values), rows.length, rows.length]);
}

function withColumnNames<T extends object>(
  { name, columns, names }: Row<T>,
  row: T,
): Record<string, unknown> {
  const given = row as Readonly<Record<string, unknown>>;
  const types: Columns = columns;
  const values: Record<string, unknown> = {};
  for (const { key, column } of names) {
    const value = given[key];
    if (value === undefined) {
      throw new RowMismatch(`a row to write has no "${key}", which row "${name}" declares`);
    }
    if (value === null && !types[key]?.nullable) {
      throw new RowMismatch(`a row to write has null as "${key}", which "${name}" does not allow`);
    }
    values[column] = value;
  }
  const keys = Object.keys(given);
  if (keys.length === names.length) return values;
  const extra = keys.find((key) => !Object.hasOwn(columns, key));
  throw new RowMismatch(`a row to write has "${extra}", which row "${name}" does not declare`);
}

interface RecordsetText {
  readonly alias: string;
  readonly text: string;
}

/** The last SQL text for each declaration. Its alias is nearly always the same. */
const recordsetTexts = new WeakMap<object, RecordsetText>();

function recordsetText<T extends object>(declared: Row<T>, alias: string): string {
  const last = recordsetTexts.get(declared);
  if (last?.alias === alias) return last.text;
  const types: Columns = declared.columns;
  const list = declared.names
    .map(({ key, column }) => `${quoted(column)} ${types[key]?.sqlType}`)
    .join(', ');
  const as = quoted(alias);
  const text = `(select * from (
      select * from json_to_recordset($1::json) as ${as}(${list}) limit (select $2::int)
    ) as ${as} limit (select $3::int)) as ${as}`;
  recordsetTexts.set(declared, { alias, text });
  return text;
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

function column<Value>(sqlType: string, oids: readonly number[]): Column<Value> {
  return { sqlType, oids, nullable: false, problem: () => undefined };
}

function problemOf(type: Column<unknown>, value: unknown): string | undefined {
  if (value === null) return type.nullable ? undefined : 'is null, but not declared nullable';
  return type.problem(value);
}
