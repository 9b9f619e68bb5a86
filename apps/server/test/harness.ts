import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, inject } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createPartner } from '../src/domain/partners/create-partner.ts';
import { type StartOptions, startService } from '../src/main.ts';
import { administer } from '../src/operator/administer.ts';
import type { Config } from '../src/service-settings.ts';
import { runUnitOfWork } from '../src/unit-of-work.ts';
import { serviceTarget } from './support/service-database.ts';
import type { ProvidedSvix } from './support/svix-server.ts';
import { createTestClock } from './support/test-clock.ts';

export interface CallOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly error: {
    code: string;
    message: string;
    param?: string;
    errors?: { param: string; code: string; message: string }[];
    request_id: string;
    doc_url: string;
  } | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the route answers
  readonly data: any; // oxlint-disable-line typescript/no-explicit-any
}

export type Running = Awaited<ReturnType<typeof startRunning>>;

/**
 * Starts the whole service on its own database, with a clock that tests move and a log that they
 * read. With `processClock` it uses that clock, corrected to the database's time.
 */
export async function startRunning(
  settings: Partial<Config> = {},
  now = '2026-01-20T15:00:00Z',
  { processClock, processors }: Pick<StartOptions, 'processClock' | 'processors'> = {},
) {
  const { target, kind, drop } = await serviceTarget();
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
  const clock = createTestClock(now);
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, collect(lines));
  const config: Config = {
    ...readConfig({
      PORT: '0',
      DEMO_PORT: '0',
      SVC_HOST: '127.0.0.1',
      SVC_MIGRATE_ON_START: '0',
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
      SVC_EGRESS_IPS: '203.0.113.7',
      SVC_RATE_LIMIT_PER_SECOND: '1000000',
      SVC_RATE_LIMIT_PER_MINUTE: '1000000',
    }),
    database: target,
    dataDir: 'dataDir' in target ? target.dataDir : folder,
    ...(settings.environment === 'production' && { processor: undefined }),
    ...deliveryProvider(),
    ...settings,
  };
  const started = await startService(config, {
    log,
    ...(processClock ? { processClock } : { clock }),
    ...(processors && { processors }),
  });
  const listening = new URL(started.listeningAt).origin;
  let partners = 0;
  return {
    ...started,
    kind,
    clock,
    lines,
    /** For a test that opens more connections. */
    database: target,
    replicaUrl: undefined,
    /** The folder to which the sandbox writes its mails. */
    mailFolder: join(config.dataDir, 'mail'),
    /** The address that it listens on, whatever its public origin is. */
    url: listening,
    async newPartner() {
      partners += 1;
      const pms = `portal-${partners}`;
      const { commands } = started;
      // Call the function directly: the command line would add an entry to the partner's audit log.
      const { api_key, key_id, partner_id } = await runUnitOfWork(commands, clock.now(), (uow) =>
        createPartner(
          { ...uow, actor: { kind: 'system' }, requestId: 'req_test', address: null, log },
          { pms },
        ),
      );
      return { pms, key: api_key, keyId: key_id, id: partner_id };
    },
    administer: (
      request: Parameters<typeof administer>[1],
      options?: Parameters<typeof administer>[3],
    ) => administer({ ...started, log }, request, { user: 'ops-ada', reason: 'a test' }, options),
    call: (method: string, path: string, options: CallOptions = {}) =>
      callAt(`${listening}/v1${path}`, method, options),
    async close() {
      await started.close();
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the delivery provider: the test project's Svix server (scripts/test/setup-svix.ts), or our engine. */
function deliveryProvider(): Pick<Config, 'webhooks' | 'svix'> {
  const svix: ProvidedSvix | undefined = inject('svix');
  return { webhooks: svix ? 'svix' : 'embedded', svix };
}

/** Starts one service for all tests of a file and closes it after the last one. */
export async function useService(...options: Parameters<typeof startRunning>): Promise<Running> {
  const svc = await startRunning(...options);
  afterAll(() => svc.close());
  return svc;
}

/** Makes one request. A body that is a string or bytes is sent unchanged. */
export async function callAt(url: string, method: string, options: CallOptions): Promise<Called> {
  const { key, body, headers = {} } = options;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const { error, data } = isJson ? JSON.parse(text) : { error: null, data: null };
  return { status: response.status, headers: response.headers, error, data };
}

/** The portal's data about Ada, whose rent is due on 1 February. */
export const ada = {
  first_name: 'Ada',
  last_name: 'Lane',
  email: 'ada@example.com',
  charges: [{ id: 'C-1', type: 'rent', due_date: '2026-02-01', amount_in_cents: 152_012 }],
  lease: { id: 'L-1', property: { id: 'P-9', time_zone: 'America/Chicago' } },
};

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}
