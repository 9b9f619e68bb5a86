import type { Clock } from '@svc/runtime';
import { type Connection, type Guard, openConnection } from './open-connection.ts';

/** A pool of keep-alive connections by owner and origin. Two owners never share a socket. */
export interface Connections {
  /** Returns an idle connection that is still open, or a new one whose first request opens the socket. */
  take(owner: string, origin: string): { connection: Connection; reused: boolean };
  /**
   * Returns a connection to the pool after its response was read completely. `idleMs` is how long the
   * receiver keeps it open, if it said so.
   */
  keep(owner: string, origin: string, connection: Connection, idleMs?: number): void;
  close(): void;
}

/** The part of a pool that a request uses. */
export type ConnectionSource = Pick<Connections, 'take' | 'keep'>;

interface Kept {
  readonly connection: Connection;
  readonly until: number;
}

type Origins = Map<string, Kept[]>;

// A receiver may close an idle socket at the moment we write to it, and that is a failed attempt. Node,
// uvicorn and Apache close after 5 s. Receivers that announce a longer timeout get up to 15 s.
const defaultIdleMs = 4_000;
const longestIdleMs = 15_000;
const sweepMs = 5_000;

/** Opens a connection for each request and keeps none, for requests with `connection: close`. */
export function withoutPool(guard: Guard): ConnectionSource {
  return {
    take: (_owner, origin) => ({
      connection: openConnection(origin, guard, () => {}),
      reused: false,
    }),
    keep: (_owner, _origin, connection) => connection.abort(),
  };
}

export function createConnections(guard: Guard, clock: Clock, maxAgeMs: number): Connections {
  const owners = new Map<string, Origins>();
  const openedAt = new WeakMap<Connection, number>();
  let cancelSweep: (() => void) | undefined;

  function openNew(owner: string, origin: string): Connection {
    const evict = () => remove(owner, origin, (kept) => kept.connection === connection);
    const connection: Connection = openConnection(origin, guard, evict);
    openedAt.set(connection, clock.now().getTime());
    return connection;
  }

  function remove(owner: string, origin: string, matches: (kept: Kept) => boolean): void {
    const origins = owners.get(owner);
    const rest = origins?.get(origin)?.filter((kept) => !matches(kept)) ?? [];
    if (rest.length > 0) origins?.set(origin, rest);
    else origins?.delete(origin);
    if (origins?.size === 0) owners.delete(owner);
  }

  function scheduleSweep(): void {
    cancelSweep ??= clock.after(sweepMs, () => {
      cancelSweep = undefined;
      sweep(clock.now().getTime());
      if (owners.size > 0) scheduleSweep();
    });
  }

  /** Closes connections past their idle time. */
  function sweep(now: number): void {
    for (const [owner, origins] of owners) {
      for (const origin of origins.keys()) {
        remove(owner, origin, ({ connection, until }) => {
          if (until <= now) connection.abort();
          return until <= now;
        });
      }
    }
  }

  return {
    take(owner, origin) {
      const list = owners.get(owner)?.get(origin);
      const now = list ? clock.now().getTime() : 0;
      for (let kept = list?.pop(); kept; kept = list?.pop()) {
        const { connection, until } = kept;
        if (until > now && connection.open) return { connection, reused: true };
        connection.abort();
      }
      return { connection: openNew(owner, origin), reused: false };
    },
    keep(owner, origin, connection, idleMs = defaultIdleMs) {
      const now = clock.now().getTime();
      const tooOldAt = (openedAt.get(connection) ?? 0) + maxAgeMs;
      const until = Math.min(tooOldAt, now + Math.min(idleMs, longestIdleMs));
      if (until <= now) {
        connection.abort();
        return;
      }
      const origins = owners.get(owner) ?? new Map<string, Kept[]>();
      owners.set(owner, origins);
      const list = origins.get(origin) ?? [];
      origins.set(origin, list);
      list.push({ connection, until });
      scheduleSweep();
    },
    close() {
      cancelSweep?.();
      for (const origins of owners.values()) {
        for (const { connection } of [...origins.values()].flat()) connection.abort();
      }
      owners.clear();
    },
  };
}
