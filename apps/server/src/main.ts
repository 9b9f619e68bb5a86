import type { AddressInfo } from 'node:net';
import { type Database, migrate, openDatabase, startDatabaseClock } from '@svc/db';
import { createEngine, type Engine, publish } from '@svc/webhooks';
import { type Logger, pino } from 'pino';
import { type Clock, systemClock } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import type { Service } from './context.ts';
import { createKnownKeys, operational } from './domain/index.ts';
import type { App } from './http/app.ts';
import type { Commands } from './http/command.ts';
import type { PageFolders } from './http/pages/pages.ts';
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
  /** Of this process, corrected by the database's; the system clock when left out. */
  readonly processClock?: Clock;
  /** Used as it is, instead of a process clock. For tests that move the time. */
  readonly clock?: Clock;
  readonly log?: Logger;
  /** The embedded database died: nothing works any more. */
  readonly onLost?: (cause: Error) => void;
}

export interface Started {
  /** `http://localhost:4000`. */
  readonly origin: string;
  /** The address itself, also where `SVC_PUBLIC_ORIGIN` names a proxy before it. */
  readonly listeningAt: string;
  /** With SVC_METRICS_PORT. */
  readonly metricsAt: string | undefined;
  readonly db: Database;
  readonly engine: Engine;
  /** For what writes outside of HTTP: control socket, demo. */
  readonly commands: Commands;
  readonly service: Service;
  /** After a key was revoked: this process forgets what it knew of it. */
  revoked(): void;
  /** Turns unready and drains, then takes no more requests, finishes what runs, closes the database. */
  close(): Promise<void>;
}

/**
 * Joins the pieces: database, engine, HTTP, jobs, control socket.
 * @throws ConfigError, and the errors of `openDatabase`: each message is one sentence to show.
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<Started> {
  const log = options.log ?? createLog(config.logLevel);
  const { onLost } = options;
  // Measures how long an outage lasts, so it cannot depend on the database's time.
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
    const clock = options.clock ?? (await followDatabase(db, options, { log, closers }));
    return { ...(await startParts(config, { clock, log, db, watch, closers })), db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Processes on several machines have to agree on what is due, expired or dead. */
async function followDatabase(
  db: Database,
  { processClock = systemClock }: StartOptions,
  { log, closers }: Pick<Parts, 'log' | 'closers'>,
): Promise<Clock> {
  const clock = await startDatabaseClock({ db, clock: processClock, log });
  closers.push(async () => clock.stop());
  return clock;
}

interface Parts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly db: Database;
  readonly watch: DatabaseWatch;
  /** What `close` undoes, last first. */
  readonly closers: (() => Promise<void>)[];
}

async function startParts(config: Config, { clock, log, db, watch, closers }: Parts) {
  const { lastDiskFull } = watch;
  const readiness = createReadiness({ db, clock, migrations, lastDiskFull });
  const vault = await openVault(db, config, clock.now());
  const place: Place = { origin: config.publicOrigin ?? `http://localhost:${config.port}` };
  const service = createService(config, {
    vault,
    place,
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
  if (config.publicOrigin === undefined) place.origin = `http://localhost:${portOf(app)}`;
  await engine.start();
  closers.push(() => engine.stop());
  const background = { db, clock, log: watch.log };
  const jobs = startJobs({ ...background, service, ...openOutside(config, clock) });
  closers.push(jobs.stop, stopAccepting);
  const administered = { commands, service, revoked: keys.forget };
  const control = await controlOf(config, { ...administered, log });
  if (control) closers.push(() => control.close());
  const metrics = await metricsOf(config, { ...background, engine });
  if (metrics) closers.push(() => metrics.close());
  closers.push(() => drain(readiness, config, clock));
  const metricsAt = metrics?.url;
  return { origin: place.origin, listeningAt: addressOf(app), metricsAt, engine, ...administered };
}

/** Load balancers send new requests elsewhere, while what still arrives here is answered. */
async function drain(readiness: Readiness, config: Config, clock: Clock): Promise<void> {
  readiness.drain();
  if (config.drainSeconds === 0) return;
  await new Promise<void>((drained) => {
    clock.after(config.drainSeconds * 1_000, drained);
  });
}

/** One JSON object a line, without what every line would repeat. */
export function createLog(level: Config['logLevel']): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

interface Place {
  origin: string;
}

function createService(
  config: Config,
  { vault, place, publish, wake }: Pick<Service, 'vault' | 'publish' | 'wake'> & { place: Place },
): Service {
  return {
    environment: config.environment,
    get publicOrigin() {
      return place.origin;
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
      EADDRINUSE: `Port ${port} is taken: stop what uses it, or set PORT to another.`,
      EACCES: `Port ${port} may not be used by this user: set PORT to one above 1023.`,
      EADDRNOTAVAIL: `This machine has no address ${host}: set SVC_HOST to one it has.`,
      ENOTFOUND: `There is no host ${host}: set SVC_HOST to an address of this machine.`,
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

/** With DATABASE_URL the command line opens the database itself. */
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
