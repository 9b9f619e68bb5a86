import { z } from 'zod';
import type { Route } from '../route.ts';

/** The fields of a query or a body whose values the request log may keep, by path, such as `charges[].id`. */
export interface LoggedFields {
  readonly paths: ReadonlySet<string>;
  /** Those of `paths` that take a number. A number anywhere else has a wrong type, and may be a card's. */
  readonly numbers: ReadonlySet<string>;
  /** Objects and lists on the way to a path, such as `lease` and `charges`. */
  readonly containers: ReadonlySet<string>;
}

/** The fields of a route's input that the request log may keep. */
export interface LoggedInput {
  readonly query: LoggedFields;
  readonly body: LoggedFields;
}

export function loggedInputOf({ query, body }: Pick<Route, 'query' | 'body'>): LoggedInput {
  return { query: loggedFieldsOf(query), body: loggedFieldsOf(body) };
}

/** Reads from a schema which fields the contract declares with `loggedField` or `logged`. */
export function loggedFieldsOf(schema: z.ZodType | undefined): LoggedFields {
  const paths = new Set<string>();
  const numbers = new Set<string>();
  if (schema) collect(schema, '', false);
  const containers = new Set([...paths].flatMap(containersOf));
  return { paths, numbers, containers };

  function collect(part: z.ZodType, path: string, isLogged: boolean): void {
    const inner = innerOf(part);
    if (inner) collect(inner, path, isLogged);
    else if (part instanceof z.ZodArray) collect(part.element as z.ZodType, `${path}[]`, isLogged);
    else if (part instanceof z.ZodUnion) {
      for (const option of part.options) collect(option as z.ZodType, path, isLogged);
    } else if (part instanceof z.ZodObject) {
      for (const [name, field] of Object.entries(part.shape as Record<string, z.ZodType>)) {
        collect(field, path === '' ? name : `${path}.${name}`, saysLogged(field));
      }
    } else if (isLogged) {
      paths.add(path);
      if (part instanceof z.ZodNumber) numbers.add(path);
    }
  }
}

/** The outermost metadata decides, so a field that wraps a logged schema must say that it is logged, too. */
function saysLogged(field: z.ZodType): boolean {
  const metadata = field.meta();
  if (metadata) return metadata.logged === true;
  const inner = innerOf(field);
  return inner !== undefined && saysLogged(inner);
}

/** The schema of the values that an optional, nullable, defaulted or transformed schema takes. */
function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.in as z.ZodType;
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapper ? (schema.unwrap() as z.ZodType) : undefined;
}

function containersOf(path: string): string[] {
  const steps = path.split(/(?=\.|\[\])/);
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join(''));
}
