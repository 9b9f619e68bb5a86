import { validationFailed } from './field-errors.ts';

/** Returns one page of a list that is read completely and only grows at its end. */
export function paginate<T>(
  all: readonly T[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): { items: T[]; next_cursor: string | null } {
  const start = cursor === undefined ? 0 : readCursor(cursor);
  const end = start + limit;
  return {
    items: all.slice(start, end),
    next_cursor: end < all.length ? Buffer.from(`at ${end}`).toString('base64url') : null,
  };
}

function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const index = /^at (\d{1,6})$/.exec(text)?.[1];
  if (index !== undefined) return Number(index);
  const message = 'must be the next_cursor of the previous page, unchanged';
  throw validationFailed([{ param: 'cursor', code: 'invalid_value', message }]);
}
