import { type Queryable, sql } from '@svc/db';
import { subscriptionNames } from '../kernel/event-types.ts';

/** True if another endpoint of the owner would get a message of this type. */
export async function othersHear(
  q: Queryable,
  owner: string,
  type: string,
  endpointId: string,
): Promise<boolean> {
  const { heard } = await q.one<{ heard: boolean }>(sql`
    select exists (
      select from webhook_endpoints
      where owner = ${owner} and id <> ${endpointId} and state <> 'deleted' and channels is null
        and (event_types is null or event_types && ${subscriptionNames(type)}::text[])) as heard`);
  return heard;
}
