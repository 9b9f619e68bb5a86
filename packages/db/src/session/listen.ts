import pg from 'pg';
import type { DatabaseLog } from '../types.ts';

const RECONNECT_MS = 1_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * Hears a channel on a connection of its own, and makes a new one when it breaks. After each new
 * one `heard('')` is called, because what was sent meanwhile is lost. Rejects if the first fails.
 */
export async function listenTo(
  connection: pg.ClientConfig,
  channel: string,
  heard: (payload: string) => void,
  log: DatabaseLog | undefined,
): Promise<() => Promise<void>> {
  let client: pg.Client;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function connect(): Promise<void> {
    client = new pg.Client({
      ...connection,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    client.on('error', (error) =>
      log?.warn({ err: error, channel }, 'listening connection failed'),
    );
    client.on('notification', (message) => heard(message.payload ?? ''));
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    client.on('end', reconnectLater);
  }

  function reconnectLater(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      connect().then(
        () => heard(''),
        () => client.end().then(reconnectLater, reconnectLater),
      );
    }, RECONNECT_MS);
  }

  await connect();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client.end();
  };
}
