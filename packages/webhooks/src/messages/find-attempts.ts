import type { Queryable } from '@svc/db';
import { readPlace, writePlace } from './cursor.ts';
import type { SearchedPage } from './list-messages.ts';
import { type AttemptFilter, readAttempts } from './read-attempts.ts';
import { searchLimits } from './select-messages.ts';
import { type AttemptView, viewAttempt } from './view-attempt.ts';

export interface AttemptQuery extends AttemptFilter {
  readonly cursor?: string;
  readonly limit: number;
}

/**
 * Lists attempts of all messages without test sends, by message and then by attempt, newest first. New
 * attempts do not move the pages. The attempts of each endpoint, or the messages of the tenant, are read
 * from an index in this order. Conditions without an index (status class, error class, type, channel,
 * times) are checked row by row, up to a limit per page. A page can therefore be short and still have a
 * next one.
 */
export async function findAttempts(
  q: Queryable,
  owner: string,
  { cursor, limit, ...filter }: AttemptQuery,
  search = searchLimits,
): Promise<SearchedPage<AttemptView>> {
  const start = cursor === undefined ? null : readPlace(cursor);
  const page = await readAttempts(q, owner, { filter, start, limit, search });
  return {
    items: page.rows.map(viewAttempt),
    next_cursor: page.end && writePlace(page.end),
    searched_back_to: page.searched_back_to,
  };
}
