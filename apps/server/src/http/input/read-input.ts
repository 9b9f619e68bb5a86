import type { FieldError } from '@svc/contract';
import { z } from 'zod';
import type { AnyInput, Route } from '../route.ts';
import { fieldErrors, validationFailed } from './field-errors.ts';

const nothing = z.strictObject({});
const noBody = nothing.optional();

/** Path, query and body by the row's schemas; all their wrong fields at once. */
export function readInput(route: Route, given: AnyInput): AnyInput {
  const errors: FieldError[] = [];
  const take = (schema: z.ZodType, value: unknown) => {
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    errors.push(...fieldErrors(parsed.error.issues));
    return undefined;
  };
  const input = {
    params: take(route.params ?? nothing, given.params ?? {}),
    query: take(route.query ?? nothing, given.query ?? {}),
    body: take(route.body ?? noBody, given.body),
  };
  if (errors.length > 0) throw validationFailed(errors);
  return input;
}
