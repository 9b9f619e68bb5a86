import type { FieldError } from '@svc/contract';
import { z } from 'zod';
import type { AnyInput, Route } from '../route.ts';
import { fieldErrors, validationFailed } from './field-errors.ts';

const noFields = z.strictObject({});
const noBody = noFields.optional();

/**
 * Parses path, query and body with the route's schemas.
 * @throws Refusal `validation_failed` with every invalid field of all three
 */
export function readInput(route: Route, given: AnyInput): AnyInput {
  const errors: FieldError[] = [];
  const parse = (schema: z.ZodType, value: unknown) => {
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    errors.push(...fieldErrors(parsed.error.issues, schema));
    return undefined;
  };
  const input = {
    params: parse(route.params ?? noFields, given.params ?? {}),
    query: parse(route.query ?? noFields, given.query ?? {}),
    body: parse(route.body ?? noBody, given.body),
  };
  if (errors.length > 0) throw validationFailed(errors);
  return input;
}
