import {
  instant,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  type Tx,
  text,
} from '@svc/db';
import type { EndpointRef } from '../kernel/claimed.ts';
import { defaultTuning } from '../kernel/tuning.ts';

const disabledRow = row('disabled endpoint', {
  id: text,
  owner: text,
  reason: oneOf('failing', 'gone'),
});
type DisabledEndpoint = RowOf<typeof disabledRow>;

/**
 * Disables those of the endpoints whose every attempt has failed since before `cutoff`. The condition is
 * checked again under the row's lock, because a success may have been written since the caller read it.
 */
export async function disableFailing(
  tx: Tx,
  endpoints: readonly EndpointRef[],
  cutoff: Date,
  now: Date,
): Promise<DisabledEndpoint[]> {
  if (endpoints.length === 0) return [];
  return tx.many(
    disabledRow,
    sql`
    update webhook_endpoints set state = 'disabled', disabled_reason = 'failing',
      version = version + 1, updated_at = ${now}::timestamptz
    where ${isOneOf(endpoints)} and state = 'enabled'
      and failing_since <= ${cutoff}::timestamptz
    returning id, owner, disabled_reason as reason`,
  );
}

/** Disables those of the endpoints that are set to `disable_on_gone`. All of them have answered 410. */
export async function disableGone(
  tx: Tx,
  endpoints: readonly EndpointRef[],
  now: Date,
): Promise<DisabledEndpoint[]> {
  if (endpoints.length === 0) return [];
  return tx.many(
    disabledRow,
    sql`
    update webhook_endpoints set state = 'disabled', disabled_reason = 'gone',
      version = version + 1, updated_at = ${now}::timestamptz
    where ${isOneOf(endpoints)} and state = 'enabled' and disable_on_gone
    returning id, owner, disabled_reason as reason`,
  );
}

function isOneOf(endpoints: readonly EndpointRef[]): Sql {
  return sql`(owner, id) in (
      select * from unnest(${endpoints.map(({ owner }) => owner)}::text[],
        ${endpoints.map(({ endpointId }) => endpointId)}::text[]))`;
}

const failingRow = row('failing endpoint', { id: text, owner: text, failing_since: instant });

interface FailingEndpoint extends RowOf<typeof failingRow> {
  readonly disables_at: Date;
}

// The owner is warned this many hours after the first failure. After five days the endpoint is disabled.
const warnedAfterHours = [24, 72, 96];

/**
 * Returns endpoints whose every attempt has failed for one, three or four days. Each endpoint is
 * returned once for each of these, also with several processes: the update marks it as warned.
 */
export async function warnFailing(q: Queryable, now: Date): Promise<FailingEndpoint[]> {
  const rows = await q.many(
    failingRow,
    sql`
    update /* all partners */ webhook_endpoints e set failing_warned_at = ${now}::timestamptz
    where e.state = 'enabled' and e.failing_since is not null and exists (
      select from unnest(${warnedAfterHours}::int[]) as after(hours)
      where e.failing_since + make_interval(hours => after.hours) <= ${now}::timestamptz
        and (e.failing_warned_at is null
          or e.failing_warned_at < e.failing_since + make_interval(hours => after.hours)))
    returning e.id, e.owner, e.failing_since`,
  );
  return rows.map((endpoint) => ({
    ...endpoint,
    disables_at: new Date(endpoint.failing_since.getTime() + defaultTuning.disableAfterMs),
  }));
}
