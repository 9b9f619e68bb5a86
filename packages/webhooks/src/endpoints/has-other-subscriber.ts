import { boolean, type Queryable, row, sql } from '@svc/db';
import { subscriptionNames } from '../kernel/event-types.ts';

const foundRow = row('other subscriber', { found: boolean });

/** True if another endpoint of the owner, enabled or disabled, subscribes to messages of this type. */
export async function hasOtherSubscriber(
  q: Queryable,
  owner: string,
  type: string,
  endpointId: string,
): Promise<boolean> {
  const { found } = await q.one(
    foundRow,
    sql`
    select exists (
      select from webhook_endpoints
      where owner = ${owner} and id <> ${endpointId} and state <> 'deleted' and channels is null
        and (event_types is null or event_types && ${subscriptionNames(type)}::text[])) as found`,
  );
  return found;
}
