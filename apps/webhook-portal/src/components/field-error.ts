import { ApiError } from '../api/client.ts';

/** The service's words on one field of the form, also on something inside of it. */
export function fieldError(error: Error | null, name: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const inside = (param: string) =>
    param === name || param.startsWith(`${name}.`) || param.startsWith(`${name}[`);
  return error.fields.find(({ param }) => inside(param))?.message ?? null;
}

/** What no field of the form can show. */
export function generalError(error: Error | null, names: readonly string[]): string | null {
  if (error === null || names.some((name) => fieldError(error, name) !== null)) return null;
  return error.message;
}
