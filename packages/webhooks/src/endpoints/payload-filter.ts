import { type JsonSchema, type Sql, sql } from '@svc/db';
import { limits } from '../kernel/limits.ts';
import { EngineRefusal } from '../kernel/refusal.ts';

type FilterValue = string | number | boolean;

/**
 * A condition on one field of a message's body. `field` is the name of a field of the body, or of its
 * `data`, as `data.name`. Exactly one of `equals`, `in` and `exists` is set. A field that is missing or
 * null does not exist, and equals nothing.
 */
export interface FilterCondition {
  readonly field: string;
  readonly equals?: FilterValue | undefined;
  readonly in?: FilterValue[] | undefined;
  readonly exists?: boolean | undefined;
}

/** Conditions that all have to hold. */
export type PayloadFilter = FilterCondition[];

const fieldName = /^(data\.)?[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** Returns the filter as JSON text; null if it matches every message. @throws EngineRefusal `invalid_filter` */
export function checkFilter(filter: PayloadFilter | null | undefined): string | null {
  if (filter === null || filter === undefined) return null;
  const fits =
    filter.length > 0 && filter.length <= limits.filterConditions && filter.every(isCondition);
  if (fits) return JSON.stringify(filter);
  throw new EngineRefusal(
    'invalid_filter',
    `filter is null, or 1 to ${limits.filterConditions} conditions such as {"field":"data.reason","equals":"late"}, with equals, in (up to ${limits.filterValues} values) or exists.`,
    'filter',
  );
}

function isCondition({ field, ...tests }: FilterCondition): boolean {
  if (!fieldName.test(field) || Object.keys(tests).length !== 1) return false;
  if (tests.exists !== undefined) return typeof tests.exists === 'boolean';
  const values = tests.in ?? (tests.equals === undefined ? [] : [tests.equals]);
  return values.length > 0 && values.length <= limits.filterValues && values.every(isValue);
}

function isValue(value: FilterValue): boolean {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  const isText = value.length <= limits.filterValueCharacters && value.isWellFormed();
  return isText && !value.includes('\0');
}

/** Checks in tests that a stored filter is a list. */
export const filterSchema: JsonSchema<PayloadFilter> = {
  '~standard': {
    validate: (value) => (Array.isArray(value) ? {} : { issues: [{ message: 'is not a list' }] }),
  },
};

/**
 * Returns a condition that is true if a body matches a filter. Filters are evaluated nowhere else:
 * publishing and the preview both use it.
 * @param filter a jsonb list of conditions @param body jsonb
 */
export function matchesFilter(filter: Sql, body: Sql): Sql {
  return sql`(
    select coalesce(bool_and(case
      when c.value ? 'exists'
        then (coalesce(jsonb_typeof(found), 'null') <> 'null') = (c.value ->> 'exists')::boolean
      else jsonb_typeof(found) in ('string', 'number', 'boolean')
        and coalesce(c.value -> 'in', jsonb_build_array(c.value -> 'equals')) @> found
      end is true), true)
    from (select ${body} as body offset 0) b
    cross join lateral jsonb_array_elements(${filter}) c
    cross join lateral (
      select case when starts_with(c.value ->> 'field', 'data.')
        then b.body -> 'data' -> substr(c.value ->> 'field', 6)
        else b.body -> (c.value ->> 'field') end as found
    ) f)`;
}

/**
 * Returns the fields of a body that a filter can name, as JSON that PostgreSQL reads as jsonb. A body that
 * an owner wrote may be JSON that it rejects: with `\u0000`, a lone surrogate or a number like 1e999999.
 */
export function filterableFields(body: string): string {
  const parsed: unknown = JSON.parse(body);
  const fields = plainFields(parsed);
  const data = (parsed as { data?: unknown } | null)?.data;
  return JSON.stringify({ ...fields, data: plainFields(data) });
}

function plainFields(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const named = Object.entries(value).filter(([name]) => fieldName.test(name));
  return Object.fromEntries(named.map(([name, field]) => [name, plainValue(field)]));
}

/** Objects and lists become an empty one: they exist, and equal nothing. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return {};
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').toWellFormed();
  return typeof value === 'number' && !Number.isFinite(value) ? {} : value;
}
