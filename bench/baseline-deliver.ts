import { createHmac } from 'node:crypto';
import { Client } from 'undici';
import { monotonicMs } from './start-receiver.ts';

interface BareOptions {
  readonly url: string;
  readonly count: number;
  readonly concurrency: number;
  readonly body: string;
  readonly key: Buffer;
}

/** Signs and POSTs `count` times and stores nothing: the lower bound of the cost of delivery. */
export async function deliverBare(options: BareOptions): Promise<void> {
  const { url, count, concurrency } = options;
  const { origin, pathname } = new URL(url);
  let started = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const client = new Client(origin, { pipelining: 1 });
      while (started < count) {
        started += 1;
        await post(client, pathname, headers(options, idOf(started)), options.body);
      }
      await client.close();
    }),
  );
}

interface Bare {
  /** Makes one POST and calls `started` with its id and start time. */
  post(started: (id: string, at: number) => void): Promise<void>;
  /** Makes one POST under this id, to another path if one is given. */
  send(id: string, path?: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a client that makes single signed POSTs, each on an idle keep-alive connection. */
export function openBare(options: Pick<BareOptions, 'url' | 'body' | 'key'>): Bare {
  const { origin, pathname } = new URL(options.url);
  const idleClients: Client[] = [];
  let index = 0;
  const send = async (id: string, path = pathname) => {
    const client =
      idleClients.pop() ?? new Client(origin, { pipelining: 1, headersTimeout: 15_000 });
    await post(client, path, headers(options, id), options.body);
    idleClients.push(client);
  };
  return {
    async post(started) {
      index += 1;
      const id = idOf(index);
      started(id, monotonicMs());
      await send(id);
    },
    send,
    async close() {
      for (const client of idleClients) await client.close();
    },
  };
}

function idOf(index: number): string {
  return `evt_${String(index).padStart(26, '0')}`;
}

/** The headers that the engine sends, including the `svix-` copies. */
function headers({ key, body }: Pick<BareOptions, 'key' | 'body'>, id: string): string[] {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  const signature = `v1,${hmac.digest('base64')}`;
  return [
    'content-type',
    'application/json',
    'accept',
    '*/*',
    'accept-encoding',
    'identity',
    'user-agent',
    'svc-webhooks/1',
    'webhook-id',
    id,
    'webhook-timestamp',
    timestamp,
    'webhook-signature',
    signature,
    'svix-id',
    id,
    'svix-timestamp',
    timestamp,
    'svix-signature',
    signature,
  ];
}

function post(client: Client, path: string, requestHeaders: string[], body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    client.dispatch(
      { path, method: 'POST', headers: requestHeaders, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, code) {
          status = code;
        },
        onResponseData() {},
        onResponseEnd: () => (status === 204 ? resolve() : reject(new Error(`status ${status}`))),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
