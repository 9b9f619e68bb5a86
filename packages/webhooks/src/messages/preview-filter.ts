import { instant, nullable, type Queryable, type RowOf, row, sql, text, textColumn } from '@svc/db';
import {
  checkFilter,
  filterableFields,
  matchesFilter,
  type PayloadFilter,
} from '../endpoints/payload-filter.ts';
import { checkChannels, checkEventTypes } from '../endpoints/settings.ts';
import { ofTypes } from './select-messages.ts';

export interface FilterPreview {
  /** How many of the newest messages the endpoint's types and channels select; at most `mostPreviewed`. */
  readonly checked: number;
  readonly matched: number;
  /** When the oldest of them was created. Null without messages. */
  readonly since: string | null;
  /** The newest of those that match, and of those that do not; at most five each. */
  readonly matching: PreviewedMessage[];
  readonly others: PreviewedMessage[];
}

export interface PreviewedMessage {
  readonly id: string;
  readonly event_type: string;
  readonly external_id: string | null;
  readonly created_at: string;
}

export const mostPreviewed = 500;
// The types and channels select among this many messages, which bounds the work for rare types.
const mostSearched = 5_000;
const mostExamples = 5;

interface Previewed {
  readonly filter: PayloadFilter;
  readonly event_types?: readonly string[] | null;
  readonly channels?: readonly string[] | null;
}

/** Tries a filter on the owner's newest messages. */
export async function previewFilter(
  q: Queryable,
  owner: string,
  { filter, event_types, channels }: Previewed,
): Promise<FilterPreview> {
  const checkedFilter = checkFilter(filter);
  const types = checkEventTypes(event_types);
  const checkedChannels = checkChannels(channels);
  const candidates = await q.many(
    candidateRow,
    sql`
    /* many rows: the newest messages, a limited number */
    select m.id, m.type, m.subject, m.created_at, m.body
    from (
      select id, type, subject, channels, created_at, body from webhook_messages
      where owner = ${owner} and not test and expunged_at is null
      order by id desc limit ${mostSearched}) m
    where (${checkedChannels}::text[] is null or m.channels && ${checkedChannels}::text[])
      ${types === null ? sql`` : ofTypes(types)}
    order by m.id desc limit ${mostPreviewed}`,
  );
  const matching = await findMatching(q, candidates, checkedFilter);
  const examples = (isMatch: boolean) =>
    candidates
      .filter(({ id }) => matching.has(id) === isMatch)
      .slice(0, mostExamples)
      .map(({ id, type, subject, created_at }) => ({
        id,
        event_type: type,
        external_id: subject,
        created_at: created_at.toISOString(),
      }));
  return {
    checked: candidates.length,
    matched: matching.size,
    since: candidates.at(-1)?.created_at.toISOString() ?? null,
    matching: examples(true),
    others: examples(false),
  };
}

type Candidate = RowOf<typeof candidateRow>;

/** PostgreSQL evaluates the filter here too, so that the preview cannot differ from a publish. */
async function findMatching(
  q: Queryable,
  candidates: readonly Candidate[],
  filter: string | null,
): Promise<Set<string>> {
  const bodies = textColumn(candidates.map(({ body }) => filterableFields(body)));
  const found = await q.many(
    matchRow,
    sql`
    select m.id from (
      select unnest(${textColumn(candidates.map(({ id }) => id))}::text[]) as id,
        unnest(${bodies}::text[])::jsonb as body) m
    where ${matchesFilter(sql`${filter}::jsonb`, sql`m.body`)}`,
  );
  return new Set(found.map(({ id }) => id));
}

const candidateRow = row('message to preview', {
  id: text,
  type: text,
  subject: nullable(text),
  created_at: instant,
  body: text,
});

const matchRow = row('matching message', { id: text });
