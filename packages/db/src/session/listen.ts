import type pg from 'pg';
import type { DatabaseLog } from '../types.ts';
import type { Hosts } from './hosts.ts';

const RECONNECT_MS = 1_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * Listens to a channel on a dedicated connection, and reconnects when it breaks. Calls `notified('')`
 * after each reconnect, because notifications that were sent during the outage are lost. Rejects if the first
 * connection fails.
 */
export async function listenTo(
  { connection, hosts }: { readonly connection: pg.ClientConfig; readonly hosts: Hosts },
  channel: string,
  notified: (payload: string) => void,
  log: DatabaseLog | undefined,
): Promise<() => Promise<void>> {
  let client: pg.Client;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function connect(): Promise<void> {
    client = new hosts.Client({
      ...connection,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    client.on('error', (error) =>
      log?.warn({ err: error, channel }, 'listening connection failed'),
    );
    client.on('notification', (message) => notified(message.payload ?? ''));
    await client.connect();
    try {
      // A standby refuses LISTEN.
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      const failure = hosts.reject(client, error);
      await client.end();
      throw failure;
    }
    client.on('end', reconnectLater);
  }

  function reconnectLater(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      hosts.tryEach(connect).then(
        () => notified(''),
        () => client.end().then(reconnectLater, reconnectLater),
      );
    }, RECONNECT_MS);
  }

  await hosts.tryEach(connect);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client.end();
  };
}
