import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Config } from '../service-settings.ts';
import { findParked, hasItemsBeyond } from './administer-outbox.ts';
import type { HandoverObserver } from './hand-over.ts';
import { openDestinations } from './open-destinations.ts';
import { createRelay, type Relay } from './relay.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: HandoverObserver;
}

/** The relays of a process: one for each system that the settings name, once they have started. */
export interface Relays {
  start(config: Config): Promise<void>;
  /** Sends messages that were committed just now. */
  wake(): void;
  /** A sentence for the operator while messages do not reach a system. */
  trouble(): Promise<string | undefined>;
  stop(): Promise<void>;
}

export function createRelays({ observer, ...deps }: Deps): Relays {
  const { db, log } = deps;
  const relays: Relay[] = [];
  let leftBehind: string | undefined;
  return {
    async start(config) {
      const opened = await openDestinations(config, deps);
      for (const destination of opened) {
        const relay = createRelay({ ...deps, destination, observer });
        relays.push(relay);
        relay.start();
      }
      const names = opened.map(({ name }) => name);
      if (await hasItemsBeyond(db, names)) {
        leftBehind =
          'Messages wait for a system whose settings are missing: see "svc-admin outbox list".';
        log.warn({}, leftBehind);
      }
    },
    wake() {
      for (const relay of relays) relay.wake();
    },
    async trouble() {
      const trouble = relays.map((relay) => relay.trouble()).find((it) => it !== undefined);
      if (trouble !== undefined || leftBehind !== undefined) return trouble ?? leftBehind;
      const parkedFor = relays.length > 0 ? await findParked(db) : undefined;
      return parkedFor && `Messages for ${parkedFor} are parked: see "svc-admin outbox list".`;
    },
    async stop() {
      await Promise.all(relays.map((relay) => relay.stop()));
    },
  };
}
