import { storeMessages } from '@svc/webhooks';
import type { Publish } from '../context.ts';
import { enqueue } from './enqueue.ts';
import type { Routing } from './open-destinations.ts';

/**
 * Returns a function that publishes messages to where the settings send them. With `embedded`, the engine delivers
 * them to the partners' endpoints. Without it, they are only stored. Statements of one transaction are sent
 * together, so an item for a destination costs no further round trip.
 */
export function routeMessages({ embedded, destinations }: Routing, publish: Publish): Publish {
  const store: Publish = embedded ? publish : storeMessages;
  return async (tx, messages, now) => {
    await Promise.all([store(tx, messages, now), enqueue(tx, destinations, messages, now)]);
  };
}
