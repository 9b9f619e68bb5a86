import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A real svix-server, for tests. */
export interface SvixServer {
  /** `http://127.0.0.1:8071`. */
  readonly url: string;
  readonly token: string;
  /** Returns the id of the process that was started last. */
  pid(): number;
  start(): Promise<void>;
  /** Sends SIGKILL, so the server loses everything that is only in its memory. */
  kill(): Promise<void>;
  /** Suspends the server: connections are accepted, and no request is answered. */
  freeze(): void;
  thaw(): void;
}

/** The server of a test project: the services that its tests start hand their webhooks to it. */
export interface ProvidedSvix {
  readonly serverUrl: string;
  readonly token: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    svix?: ProvidedSvix;
  }
}

interface SvixServerOptions {
  readonly binary: string;
  /** Its own database, empty at first. */
  readonly databaseUrl: string;
  /** Where the server keeps its queue, so that it survives a `kill`. Default: in the server's memory. */
  readonly redisUrl?: string;
  /** Seconds before each retry of a failed attempt. */
  readonly retrySchedule?: readonly number[];
  /** How endpoints sign. Default: `hmac256`. */
  readonly signature?: 'hmac256' | 'ed25519';
}

/** Returns the path of the program; undefined if it is not installed. */
export function findSvixServer(): string | undefined {
  const binary = process.env.SVIX_SERVER_BIN;
  return binary !== undefined && existsSync(binary) ? binary : undefined;
}

/** Migrates the database and starts the server. */
export async function startSvixServer(options: SvixServerOptions): Promise<SvixServer> {
  const { binary, databaseUrl, redisUrl, retrySchedule, signature = 'hmac256' } = options;
  const port = await freePort();
  const env = {
    SVIX_DB_DSN: databaseUrl,
    SVIX_JWT_SECRET: 'a-secret-of-the-tests-with-32-characters',
    SVIX_LISTEN_ADDRESS: `127.0.0.1:${port}`,
    SVIX_QUEUE_TYPE: redisUrl === undefined ? 'memory' : 'redis',
    ...(redisUrl !== undefined && { SVIX_REDIS_DSN: redisUrl }),
    SVIX_CACHE_TYPE: 'memory',
    // The receivers of the tests are on this machine.
    SVIX_WHITELIST_SUBNETS: '[127.0.0.0/8]',
    SVIX_WHITELABEL_HEADERS: 'true',
    SVIX_DEFAULT_SIGNATURE_TYPE: signature,
    ...(retrySchedule && { SVIX_RETRY_SCHEDULE: `[${retrySchedule.join(',')}]` }),
    RUST_LOG: 'error',
  };
  await promisify(execFile)(binary, ['migrate'], { env });
  const { stdout } = await promisify(execFile)(binary, ['jwt', 'generate'], { env });
  const token = stdout.trim().split(/\s+/).at(-1) ?? '';
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child?.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    child = spawn(binary, [], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const errors: string[] = [];
    child.stderr?.on('data', (chunk) => errors.push(String(chunk)));
    await waitUntilHealthy(url, () => {
      if (child?.exitCode !== null) throw new Error(`svix-server ended: ${errors.join('')}`);
    });
  };
  await start();
  return {
    url,
    token,
    start,
    kill,
    pid: () => child?.pid ?? 0,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}

async function waitUntilHealthy(url: string, check: () => void): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    check();
    const response = await fetch(`${url}/api/v1/health/`).catch(() => undefined);
    if (response && response.status < 300) return;
    await sleep(50);
  }
  throw new Error('svix-server did not become healthy within 30 seconds.');
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (typeof address !== 'object' || address === null) throw new Error('No port is free.');
  return address.port;
}
