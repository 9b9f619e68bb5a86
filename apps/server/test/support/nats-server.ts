import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const binary = process.env.NATS_SERVER_BIN ?? 'nats-server';

/** The reason why tests that need a broker are skipped; undefined if they can start one. */
export const noNatsServer = whyNoServer();

function whyNoServer(): string | undefined {
  try {
    execFileSync(binary, ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'nats-server is not installed. Install it, or set NATS_SERVER_BIN to its path.';
  }
}

export interface NatsBroker {
  /** `127.0.0.1:<port>`, the same after a restart. */
  readonly host: string;
  /** Kills the server like `kill -9`. */
  kill(): Promise<void>;
  /** Starts it again with what is on its disk, and with other settings if they are given. */
  start(settings?: string): Promise<void>;
  /** Ends it and removes its files. */
  drop(): Promise<void>;
}

/** Starts a broker with JetStream on a free port. `settings` are lines of its configuration. */
export async function startNatsBroker(settings = ''): Promise<NatsBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'));
  const file = join(folder, 'broker.conf');
  let port = -1;
  let child: ChildProcess | undefined;

  async function start(current = settings): Promise<void> {
    await writeFile(file, `jetstream { store_dir: "${folder}" }\n${current}\n`);
    child = spawn(binary, ['-c', file, '-a', '127.0.0.1', '-p', String(port)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    port = await portOnceReady(child);
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    host: `127.0.0.1:${port}`,
    kill,
    start,
    async drop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface BrokerAccess {
  readonly user?: string;
  readonly pass?: string;
  /** For a broker with TLS. */
  readonly tls?: { readonly ca: string };
}

/** Runs `work` with access to the broker as its operator. */
export async function manageNats<T>(
  host: string,
  work: (manager: JetStreamManager) => Promise<T>,
  access: BrokerAccess = {},
): Promise<T> {
  const connection = await connect({ servers: host, reconnect: false, ...access });
  try {
    return await work(await jetstreamManager(connection, { checkAPI: false }));
  } finally {
    await connection.close();
  }
}

interface StoredEvent {
  readonly subject: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the events that are in a stream, in order. */
export async function eventsIn(
  host: string,
  stream: string,
  access: BrokerAccess = {},
): Promise<StoredEvent[]> {
  const connection = await connect({ servers: host, reconnect: false, ...access });
  try {
    const manager = await jetstreamManager(connection);
    const { messages } = (await manager.streams.info(stream)).state;
    const events: StoredEvent[] = [];
    if (messages === 0) return events;
    const consumer = await jetstream(connection).consumers.get(stream);
    for await (const event of await consumer.fetch({ max_messages: messages })) {
      const names = event.headers?.keys() ?? [];
      const headers = names.map((name) => [name, event.headers?.get(name) ?? '']);
      events.push({
        subject: event.subject,
        body: event.string(),
        headers: Object.fromEntries(headers),
      });
    }
    return events;
  } finally {
    await connection.close();
  }
}

/**
 * Resolves to the broker's port once its log on stderr says that it is ready. Keeps reading afterwards, so that the
 * pipe never fills up.
 */
function portOnceReady(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    let port = 0;
    child.stderr?.on('data', (part: Buffer) => {
      text = `${text}${part}`.slice(-10_000);
      port ||= Number(/Listening for client connections on [\d.]+:(\d+)/.exec(text)?.[1] ?? 0);
      if (text.includes('Server is ready')) resolve(port);
    });
    child.once('exit', () => reject(new Error(`nats-server ended: ${text}`)));
    child.once('error', reject);
  });
}
