import { endpointIdOf } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';
import { type Given, givenFields } from '../input/given-fields.ts';

interface Filter {
  readonly endpoint_id?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

type Instants<Query> = { [K in keyof Query & ('since' | 'until')]: Date };

/**
 * Turns the filter fields of a request into those of a query: `endpoint_id` may name an endpoint by
 * its uid, `since` and `until` become dates, and fields that were left out are removed.
 */
export async function listFilter<Query extends Filter>(
  { tx, actor }: Ctx<PartnerActor>,
  query: Query,
): Promise<Given<Omit<Query, 'since' | 'until'>> & Instants<Query>> {
  const { endpoint_id: named, since, until } = query;
  return givenFields({
    ...query,
    endpoint_id: named === undefined ? named : await endpointIdOf(tx, actor.partnerId, named),
    since: since && new Date(since),
    until: until && new Date(until),
  }) as Given<Omit<Query, 'since' | 'until'>> & Instants<Query>;
}
