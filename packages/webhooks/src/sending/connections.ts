import type { Clock } from '../engine.ts';
import { type Connection, type Guard, openConnection } from './open-connection.ts';

/** Kept-alive connections by owner and origin: two owners never share a socket. */
export interface Connections {
  /** A kept one, or a new one whose socket is opened by its first request. */
  take(owner: string, origin: string): { connection: Connection; reused: boolean };
  /** Gives back a connection whose response was read to its end. */
  keep(owner: string, origin: string, connection: Connection): void;
  close(): void;
}

export function createConnections(guard: Guard, clock: Clock, maxAgeMs: number): Connections {
  const kept = new Map<string, Connection[]>();
  const openedAt = new WeakMap<Connection, number>();

  function fresh(key: string, origin: string): Connection {
    const connection = openConnection(origin, guard);
    openedAt.set(connection, clock.now().getTime());
    connection.client.on('disconnect', () => forget(key, connection));
    return connection;
  }

  function forget(key: string, connection: Connection): void {
    const list = kept.get(key) ?? [];
    const rest = list.filter((entry) => entry !== connection);
    if (rest.length > 0) kept.set(key, rest);
    else kept.delete(key);
  }

  return {
    take(owner, origin) {
      const key = `${owner} ${origin}`;
      const oldest = clock.now().getTime() - maxAgeMs;
      for (let found = kept.get(key)?.pop(); found; found = kept.get(key)?.pop()) {
        if ((openedAt.get(found) ?? 0) > oldest) {
          found.times = { dns: null, connect: null, tls: null };
          return { connection: found, reused: true };
        }
        found.abort(new Error('too old to be used again'));
      }
      return { connection: fresh(key, origin), reused: false };
    },
    keep(owner, origin, connection) {
      const key = `${owner} ${origin}`;
      const list = kept.get(key);
      if (list) list.push(connection);
      else kept.set(key, [connection]);
    },
    close() {
      const all = [...kept.values()].flat();
      kept.clear();
      for (const connection of all) connection.abort(new Error('the engine stopped'));
    },
  };
}
