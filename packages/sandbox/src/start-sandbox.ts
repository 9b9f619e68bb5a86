import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  type AdvanceClock,
  type PlayScenario,
  type ScenarioResult,
  type Simulation,
  SvcClient,
  type WebhookEvent,
} from '@svc/node';
import { createWebhookReader, type WebhookEventOf, type WebhookFilter } from './webhook-reader.ts';

export interface SandboxOptions {
  /** Keeps the database and the keys in this folder. Default: nothing is kept. */
  readonly dataDir?: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Also starts the demo portal, on a free port or the one 100 above `port`. Default: false. */
  readonly demo?: boolean;
  /** How long the start may take, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
}

/** A running sandbox with its own partner. It ends with this process, even with SIGKILL. */
export interface Sandbox {
  /** The address of the service, such as `http://localhost:41234`. */
  readonly url: string;
  readonly apiKey: string;
  readonly pms: string;
  /** Null unless `demo` is true. */
  readonly demoUrl: string | null;
  /** The whole partner API, with the key of this sandbox. */
  readonly client: SvcClient;
  /**
   * Takes a tenant, new or known, to a point of a plan's life: `split`, `past_due`, `disputed` and others.
   * The webhooks that you would get on the way are sent.
   */
  scenario(
    externalId: string,
    scenario: PlayScenario['scenario'],
    options?: Omit<PlayScenario, 'scenario'>,
  ): Promise<ScenarioResult>;
  /** Moves the tenant's clock by a duration (`P7D`), or to an instant (`{ to: '2027-03-01T18:00:00Z' }`). */
  advanceClock(externalId: string, by: string | AdvanceClock): Promise<Simulation>;
  /**
   * Waits for a webhook of this type. Each one is returned once, oldest first, and those that were sent before the
   * call count, too. Needs no endpoint.
   * @throws Error if none was sent before the timeout
   */
  nextWebhook<T extends WebhookEvent['type']>(
    type: T,
    filter?: WebhookFilter,
  ): Promise<WebhookEventOf<T>>;
  /** Stops it and removes its data, unless `dataDir` was set. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The sandbox did not start. The message says why. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

const START_MS = 60_000;
/** The time that requests and webhooks in flight may take, in milliseconds. */
const STOP_MS = 20_000;
// Relative to this file in the package, where it is dist/index.js.
const program = new URL('../bin/svc-sandbox.mjs', import.meta.url);

/**
 * Starts a separate sandbox in a child process. Any number can run at once.
 * @throws SandboxError
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const child = spawn(process.execPath, [fileURLToPath(program), ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ready = await readReady(child, options.timeoutMs ?? START_MS);
  unrefChild(child);
  const { url, api_key: apiKey, pms, demo_url: demoUrl } = ready;
  const client = new SvcClient({ apiKey, baseUrl: `${url}/v1` });
  const stop = () => stopChild(child);
  return {
    url,
    apiKey,
    pms,
    demoUrl,
    client,
    scenario: (externalId, scenario, more = {}) =>
      client.simulation.scenario(externalId, { ...more, scenario }),
    advanceClock: (externalId, by) =>
      client.simulation.advanceClock(externalId, typeof by === 'string' ? { by } : by),
    nextWebhook: createWebhookReader(client),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function argumentsOf({ dataDir, port = 0, demo = false }: SandboxOptions): string[] {
  return [
    '--json',
    '--stop-with-stdin',
    `--port=${port}`,
    dataDir === undefined ? '--memory' : `--data=${dataDir}`,
    ...(demo ? [] : ['--no-demo']),
  ];
}

/** The line that the program prints with `--json`. */
interface Ready {
  readonly url: string;
  readonly api_key: string;
  readonly pms: string;
  readonly demo_url: string | null;
}

async function readReady(child: ChildProcess, timeoutMs: number): Promise<Ready> {
  let printed = '';
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors += data;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    return await new Promise<Ready>((resolve, reject) => {
      child.stdout?.on('data', (data) => {
        printed += data;
        // Warnings of the service are lines of JSON, too.
        const complete = printed.split('\n').slice(0, -1);
        const line = complete.find((it) => it.startsWith('{"url":'));
        if (line !== undefined) resolve(JSON.parse(line));
      });
      child.once('error', (error) => reject(new SandboxError(error.message, { cause: error })));
      child.once('close', (code, signal) => {
        const reason = errors.trim() || `It ended with ${signal ?? code}.`;
        const late = signal === 'SIGKILL' ? ` It was not ready after ${timeoutMs} ms.` : '';
        reject(new SandboxError(`The sandbox did not start. ${reason}${late}`));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Lets this process end while the sandbox is running. A test runner that does not stop the sandbox must still be
 * able to end; the stdin of the sandbox then ends, too, which stops it.
 */
function unrefChild(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    (stream as unknown as { unref(): void } | null)?.unref();
  }
  for (const stream of [child.stdout, child.stderr]) stream?.removeAllListeners('data').resume();
  // The pipe breaks if the sandbox is killed.
  child.stdin?.on('error', () => child.stdin?.destroy());
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.ref();
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
