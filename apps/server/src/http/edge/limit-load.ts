import type { Cluster, Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import { requireReachable } from '../../cluster.ts';
import type { Actor } from '../../domain/access/actor.ts';
import { createFailureRun } from '../../failure-run.ts';
import type { Reply, Request } from '../app.ts';
import { RefusalWithHeaders } from '../problem.ts';
import { clientOf } from './client-of.ts';
import { FairQueue } from './fair-queue.ts';

/** The service has more requests than it can answer in time. The caller repeats the request later. */
export class Overloaded extends RefusalWithHeaders {
  constructor() {
    super('unavailable', { 'retry-after': '1' });
  }
}

/** Records refused requests, for metrics. */
export interface LoadRecorder {
  requestShed(): void;
}

interface LoadDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly recorder?: LoadRecorder;
  readonly cluster?: Cluster | null;
}

/** Throws `CallerLeft` if the connection of a request was closed before its response. */
export type RequireCaller = () => void;

/** The caller has closed the connection, so the work stops. The response reaches no one. */
export class CallerLeft extends RefusalWithHeaders {
  constructor() {
    super('unavailable', {}, { message: 'The connection was closed before the call was done.' });
  }
}

export function requireOpen({ raw }: Reply): RequireCaller {
  return () => {
    if (raw.destroyed && !raw.writableFinished) throw new CallerLeft();
  };
}

/** Returns the caller whose share a request uses: its partner or operator, or its address while neither is known. */
export function callerOf(actor: Actor, { ip }: Pick<Request, 'ip'>): string {
  if (actor.kind === 'operator') return actor.operatorId;
  return 'partnerId' in actor ? actor.partnerId : clientOf(ip);
}

export interface LoadLimit {
  /**
   * Call when a request arrives, before any work is done for it.
   * @throws Overloaded when it would wait too long in the caller's line
   */
  check(caller: string): void;
  /**
   * Runs `work` as soon as there is a place for it. Callers take turns.
   * @throws Overloaded when it has waited for too long
   */
  run<T>(caller: string, work: () => Promise<T>, requireCaller?: RequireCaller): Promise<T>;
  /**
   * The database for a request that does more than database work: each statement and each transaction
   * takes a place, and between them the request has none. Only the first one can be refused, because
   * then nothing has been done yet.
   */
  limited(db: Database, caller: string, requireCaller: RequireCaller): Database;
  /** Returns the number of requests that were refused since the start. */
  shed(): number;
}

// Four for each connection to the database: enough that none is idle, and few enough that a request
// that has begun is soon done.
const atOnce = 40;
// Throughput is the same from 20 on. So one caller alone loses nothing, and two can't take every place.
const perCaller = 20;
// A server of a cluster that hangs keeps the connections of its partners' calls until it is noticed (watch-servers.ts).
// These are fewer than the pool has, and their calls take half of the places, so other partners are served.
const perServer = { atOnce: 20, connections: 6 };
// Requests come in bursts, which the queue absorbs. If its head has waited for this long, requests
// arrive faster than they are answered, and a new one would only make the queue longer.
const shedAfterMs = 500;
// When the database hangs, the queue does not move at all.
const mostWaitMs = 1_000;
// The same as the pool's own timeout. A migration may hold a lock for 2 s.
const mostConnectMs = 5_000;

/**
 * Bounds how many requests use the database at once, and how long the others wait. A request is refused
 * only for the length of its own caller's line. A caller is a partner, with its tenants, or an address.
 */
export function createLoadLimit({ clock, log, recorder, cluster }: LoadDeps): LoadLimit {
  const overloadRun = createFailureRun({
    clock,
    log,
    level: 'warn',
    started: 'overloaded, request refused',
    ended: 'requests are no longer refused',
  });
  const serverOf = (caller: string) => cluster?.serverOf.get(caller)?.toString();
  const queue = new FairQueue({
    clock,
    atOnce,
    perCaller,
    group: { atOnce: perServer.atOnce, of: serverOf },
  });
  const connections = new FairQueue({
    clock,
    atOnce: Number.POSITIVE_INFINITY,
    perCaller: perServer.connections,
  });
  let shedCount = 0;

  function expired(): Overloaded {
    shedCount += 1;
    recorder?.requestShed();
    overloadRun.failed(queue.count());
    return new Overloaded();
  }

  async function onServer<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const server = serverOf(caller);
    if (!cluster || server === undefined) return work();
    // The server may have been found down while the call waited.
    const requireServer = () => requireReachable({ cluster }, caller);
    return connections.run(server, work, {
      mostWaitMs: mostConnectMs,
      expired,
      requireCaller: requireServer,
    });
  }

  const run: LoadLimit['run'] = (caller, work, requireCaller) =>
    queue.run(caller, () => onServer(caller, work), {
      mostWaitMs,
      expired,
      ...(requireCaller && { requireCaller }),
    });

  return {
    check(caller) {
      const waitedMs = queue.waitedMs(caller);
      if (waitedMs !== null && waitedMs >= shedAfterMs) throw expired();
      if (queue.isIdle()) overloadRun.succeeded();
    },
    run,
    limited(db, caller, requireCaller) {
      let hasBegun = false;
      const withPlace = async <T>(work: () => Promise<T>): Promise<T> => {
        if (hasBegun) return queue.run(caller, () => onServer(caller, work));
        return run(
          caller,
          () => {
            hasBegun = true;
            return work();
          },
          requireCaller,
        );
      };
      return {
        ...db,
        many: (shape, statement) => withPlace(() => db.many(shape, statement)),
        one: (shape, statement) => withPlace(() => db.one(shape, statement)),
        maybe: (shape, statement) => withPlace(() => db.maybe(shape, statement)),
        run: (statement) => withPlace(() => db.run(statement)),
        transaction: (work, options) => withPlace(() => db.transaction(work, options)),
      };
    },
    shed: () => shedCount,
  };
}
