import type { Clock, Log } from '@svc/runtime';
import type { Config } from '../service-settings.ts';
import type { Destination } from './destination.ts';

/** Where new messages go. */
export interface Routing {
  /** True if our engine delivers them to the partners' endpoints. */
  readonly embedded: boolean;
  /** The names of the destinations that get an item of each. */
  readonly destinations: readonly string[];
}

export function routingOf({ webhooks, eventSink }: Config): Routing {
  return {
    embedded: webhooks === 'embedded',
    destinations: [
      ...(webhooks === 'svix' ? ['svix'] : []),
      ...(eventSink === 'nats' ? ['nats'] : []),
    ],
  };
}

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Opens each destination that is set up, also if new messages no longer go there: its items are handed
 * over until none is left. Modules are loaded only when needed.
 */
export async function openDestinations(
  { svix, nats, webhookRetentionDays: retentionDays }: Config,
  deps: Deps,
): Promise<Destination[]> {
  const opened: Destination[] = [];
  if (svix) {
    const { openSvix } = await import('./svix/open-svix.ts');
    opened.push(openSvix(svix, { ...deps, retentionDays }));
  }
  if (nats) {
    const { createNatsDestination } = await import('./nats/nats-destination.ts');
    const { servers, createsStream, ...sink } = nats;
    const createWithMaxAgeMs = createsStream ? retentionDays * 86_400_000 : undefined;
    opened.push(createNatsDestination({ ...servers, ...sink, createWithMaxAgeMs }));
  }
  return opened;
}
