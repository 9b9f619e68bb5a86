import type { AddressInfo } from 'node:net';
import {
  type Database,
  type DatabaseClock,
  migrate,
  openDatabase,
  startDatabaseClock,
} from '@svc/db';
import { createEngine, type Engine, publish } from '@svc/webhooks';
import { type Logger, pino } from 'pino';
import { type Clock, systemClock } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import type { Service } from './context.ts';
import { createKnownKeys, operational } from './domain/index.ts';
import type { PageFolders } from './http/add-pages.ts';
import type { App } from './http/app.ts';
import type { Commands } from './http/command.ts';
import { createReadiness, type Readiness } from './http/readiness.ts';
import { createServer } from './http/server.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { migrations } from './migrations.ts';
import { type Control, startControl } from './operator/control.ts';
import { type Metrics, startMetrics } from './operator/metrics.ts';
import { type DatabaseWatch, watchDatabase } from './operator/watch-database.ts';
import { openOutside } from './outside/open-outside.ts';
import { openVault } from './secret-key.ts';

const root = new URL('../../../', import.meta.url);

export interface StartOptions {
  /** The clock of this process, which is corrected to the database's time; the system clock when left out. */
  readonly processClock?: Clock;
  /** Used without correction, instead of a process clock. For tests that move the time. */
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Called when the embedded database died. The process cannot continue. */
  readonly onLost?: (cause: Error) => void;
}

export interface Started {
  /** `http://localhost:4000`. */
  readonly origin: string;
  /** The address that the server listens on, also when `SVC_PUBLIC_ORIGIN` names a proxy. */
  readonly listeningAt: string;
  /** Set with SVC_METRICS_PORT. */
  readonly metricsAt: string | undefined;
  readonly db: Database;
  readonly engine: Engine;
  /** For writers outside of HTTP: the control socket and the demo. */
  readonly commands: Commands;
  readonly service: Service;
  /** Removes revoked keys from the cache of this process. */
  revoked(): void;
  /** Reports unready and drains, then stops accepting requests, finishes running work and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the service: database, engine, HTTP, jobs and control socket.
 * @throws ConfigError and the errors of `openDatabase`, whose messages are for the operator
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<Started> {
  const log = options.log ?? createLog(config.logLevel);
  const { onLost } = options;
  // The watch measures how long an outage lasts, so it cannot use the database's time.
  const watch = watchDatabase({ clock: options.clock ?? options.processClock ?? systemClock, log });
  const db = await openDatabase(config.database, {
    log: watch.log,
    observer: watch.observer,
    ...(onLost ? { onLost } : {}),
  });
  const closers: (() => Promise<void>)[] = [() => db.close()];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    await migrate(db, migrations);
    const clock = await startClock(db, options, { log, closers });
    return { ...(await startParts(config, { clock, log, db, watch, closers })), db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Processes on several machines must agree on what is due, expired or dead, so they use the database's time. */
async function startClock(
  db: Database,
  { processClock = systemClock, clock: fixed }: StartOptions,
  { log, closers }: Pick<Parts, 'log' | 'closers'>,
): Promise<ServiceClock> {
  if (fixed) return { ...fixed, skewMs: () => 0 };
  const clock = await startDatabaseClock({ db, clock: processClock, log });
  closers.push(async () => clock.stop());
  return clock;
}

type ServiceClock = Clock & Pick<DatabaseClock, 'skewMs'>;

interface Parts {
  readonly clock: ServiceClock;
  readonly log: Logger;
  readonly db: Database;
  readonly watch: DatabaseWatch;
  /** Called in reverse order by `close`. */
  readonly closers: (() => Promise<void>)[];
}

async function startParts(config: Config, { clock, log, db, watch, closers }: Parts) {
  const { lastDiskFull } = watch;
  const readiness = createReadiness({ db, clock, migrations, lastDiskFull });
  const vault = await openVault(db, config, clock.now());
  const address: PublicAddress = {
    origin: config.publicOrigin ?? `http://localhost:${config.port}`,
  };
  const service = createService(config, {
    vault,
    address,
    // Leased to this process, which sends them right after the commit.
    publish: (tx, messages, now) => engine.publishIn(tx, messages, now),
    wake: (tx) => engine.wake(tx),
  });
  const engine = createEngine({
    db,
    clock,
    vault,
    log: watch.log,
    policy: service.webhookPolicy,
    ...(config.egressProxy && { proxy: config.egressProxy }),
    operational: operational(service, clock, publish),
  });
  const commands: Commands = { db, clock, vault, service };
  const keys = createKnownKeys();
  const app = await createServer({
    ...commands,
    engine,
    keys,
    log,
    requestsPerSecond: config.rateLimitPerSecond,
    requestsPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    maxConnections: config.maxConnections,
    readiness,
    folders,
  });
  const stopAccepting = () => app.close();
  closers.push(stopAccepting);
  await listen(app, config);
  if (config.publicOrigin === undefined) address.origin = `http://localhost:${portOf(app)}`;
  await engine.start();
  closers.push(() => engine.stop());
  const background = { db, clock, log: watch.log };
  const jobs = startJobs({ ...background, service, ...openOutside(config, clock) });
  closers.push(jobs.stop, stopAccepting);
  const administered = { commands, service, revoked: keys.forget };
  const control = await controlOf(config, { ...administered, log });
  if (control) closers.push(() => control.close());
  const metrics = await metricsOf(config, { ...background, engine, skewMs: clock.skewMs });
  if (metrics) closers.push(() => metrics.close());
  closers.push(() => drain(readiness, config, clock));
  const metricsAt = metrics?.url;
  return {
    origin: address.origin,
    listeningAt: addressOf(app),
    metricsAt,
    engine,
    ...administered,
  };
}

/** Keeps answering requests until load balancers have seen that the process is not ready. */
async function drain(readiness: Readiness, config: Config, clock: Clock): Promise<void> {
  readiness.drain();
  if (config.drainSeconds === 0) return;
  await new Promise<void>((resolve) => {
    clock.after(config.drainSeconds * 1_000, resolve);
  });
}

/** Creates a log of one JSON object per line, without pid and host name. */
export function createLog(level: Config['logLevel']): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

/** The origin is known only after the server listens, when the port was chosen by the system. */
interface PublicAddress {
  origin: string;
}

function createService(
  config: Config,
  {
    vault,
    address,
    publish,
    wake,
  }: Pick<Service, 'vault' | 'publish' | 'wake'> & { address: PublicAddress },
): Service {
  return {
    environment: config.environment,
    get publicOrigin() {
      return address.origin;
    },
    vault,
    creditor: config.creditor,
    egressIps: config.egressIps,
    decidesOutside: config.underwriting !== undefined,
    webhookPolicy: {
      allowPrivate: config.allowPrivateWebhooks,
      allowHttp: config.environment === 'sandbox',
    },
    publish,
    wake,
  };
}

const folders: PageFolders = {
  experience: folder('apps/experience/dist'),
  portal: folder('apps/webhook-portal/dist'),
  sdk: folder('packages/core/dist'),
  styles: folder('packages/ui/src'),
  guides: folder('.'),
};

function folder(path: string): string {
  return new URL(path, root).pathname;
}

async function listen(app: App, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use. Stop the other process, or set PORT to a different port.`,
      EACCES: `This user may not use port ${port}. Set PORT to a port above 1023.`,
      EADDRNOTAVAIL: `This machine does not have the address ${host}. Set SVC_HOST to one of its addresses.`,
      ENOTFOUND: `The host ${host} does not exist. Set SVC_HOST to an address of this machine.`,
    };
    const reason = reasons[code ?? ''];
    throw reason === undefined ? error : new ConfigError(reason);
  }
}

function addressOf(app: App): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function portOf(app: App): number {
  return (app.server.address() as AddressInfo).port;
}

/** Only for the embedded database. With DATABASE_URL, the command line opens the database itself. */
async function controlOf(
  config: Config,
  parts: Parameters<typeof startControl>[1],
): Promise<Control | undefined> {
  return 'dataDir' in config.database ? startControl(config.dataDir, parts) : undefined;
}

async function metricsOf(
  { metricsPort }: Config,
  deps: Parameters<typeof startMetrics>[1],
): Promise<Metrics | undefined> {
  return metricsPort === undefined ? undefined : startMetrics(metricsPort, deps);
}
