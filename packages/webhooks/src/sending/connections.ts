import type { Clock } from '../engine-deps.ts';
import { type Connection, type Guard, openConnection } from './open-connection.ts';

/** Kept-alive connections by owner and origin: two owners never share a socket. */
export interface Connections {
  /** A kept one, or a new one whose socket is opened by its first request. */
  take(owner: string, origin: string): { connection: Connection; reused: boolean };
  /** Gives back a connection whose response was read to its end, for at most `idleMs`. */
  keep(owner: string, origin: string, connection: Connection, idleMs?: number): void;
  close(): void;
}

interface Kept {
  readonly connection: Connection;
  readonly until: number;
}

type Origins = Map<string, Kept[]>;

const mostIdleMs = 15_000;
const sweepMs = 5_000;

export function createConnections(guard: Guard, clock: Clock, maxAgeMs: number): Connections {
  const owners = new Map<string, Origins>();
  const openedAt = new WeakMap<Connection, number>();
  let cancelSweep: (() => void) | undefined;

  function fresh(owner: string, origin: string): Connection {
    const forget = () => remove(owner, origin, (kept) => kept.connection === connection);
    const connection: Connection = openConnection(origin, guard, forget);
    openedAt.set(connection, clock.now().getTime());
    return connection;
  }

  function remove(owner: string, origin: string, leaves: (kept: Kept) => boolean): void {
    const origins = owners.get(owner);
    const stay = origins?.get(origin)?.filter((kept) => !leaves(kept)) ?? [];
    if (stay.length > 0) origins?.set(origin, stay);
    else origins?.delete(origin);
    if (origins?.size === 0) owners.delete(owner);
  }

  function planSweep(): void {
    cancelSweep ??= clock.after(sweepMs, () => {
      cancelSweep = undefined;
      sweep(clock.now().getTime());
      if (owners.size > 0) planSweep();
    });
  }

  /** Closes what nobody took again. */
  function sweep(now: number): void {
    for (const [owner, origins] of owners) {
      for (const origin of [...origins.keys()]) {
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
        if (kept.until > now) return { connection: kept.connection, reused: true };
        kept.connection.abort();
      }
      return { connection: fresh(owner, origin), reused: false };
    },
    keep(owner, origin, connection, idleMs = mostIdleMs) {
      const origins = owners.get(owner) ?? new Map<string, Kept[]>();
      owners.set(owner, origins);
      const list = origins.get(origin) ?? [];
      origins.set(origin, list);
      const old = (openedAt.get(connection) ?? 0) + maxAgeMs;
      const idle = clock.now().getTime() + Math.min(idleMs, mostIdleMs);
      list.push({ connection, until: Math.min(old, idle) });
      planSweep();
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
