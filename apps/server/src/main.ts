import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Database, type DatabaseClock, openDatabase, startDatabaseClock } from '@svc/db';
import { type Clock, type Log, systemClock } from '@svc/runtime';
import { createEngine, type Engine, publish } from '@svc/webhooks';
import { type LogFn, type Logger, pino } from 'pino';
import { readClearNames } from './clear-names.ts';
import type { Service } from './context.ts';
import { createService } from './create-service.ts';
import { privacyRemark } from './creditor.ts';
import { createKnownKeys } from './domain/access/known-keys.ts';
import { createOperationalEmitter } from './domain/events/operational.ts';
import { lendingRemark } from './domain/lending/lending-remark.ts';
import type { PageFolders } from './http/add-pages.ts';
import type { App } from './http/app.ts';
import type { Commands } from './http/command.ts';
import { createReaderLinks, type Reader } from './http/docs/reader-links.ts';
import { createReadiness, type Readiness } from './http/readiness.ts';
import { createHealthServer, createServer } from './http/server.ts';
import { type Jobs, startJobs } from './jobs/start-jobs.ts';
import { createMeasure } from './metrics/create-measure.ts';
import { createMetrics, type Metrics } from './metrics/create-metrics.ts';
import { type MetricsServer, metricsAddress, serveMetrics } from './metrics/serve-metrics.ts';
import { ensureSchema } from './migrations.ts';
import { type Control, startControl } from './operator/control.ts';
import { type DatabaseWatch, watchDatabase } from './operator/watch-database.ts';
import { openIdentityProvider, openOutside, openTexts } from './outside/open-outside.ts';
import type { ProcessorDefinition } from './processors/define-processor.ts';
import { processors } from './processors/index.ts';
import { chosenProcessor, noProcessor, openProcessor } from './processors/open-processor.ts';
import { createRelays, type Relays } from './relay/create-relays.ts';
import { describeAllowedNetworks } from './relay/delivery-settings.ts';
import { neededSince } from './relay/measure-outbox.ts';
import { routingOf } from './relay/open-destinations.ts';
import { routeMessages } from './relay/route-messages.ts';
import type { SvixEndpoints } from './relay/svix/svix-endpoints.ts';
import { openVault } from './secret-key.ts';
import { type Config, ConfigError } from './service-settings.ts';
import type { Tracing } from './tracing.ts';
import { watchServers } from './watch-servers.ts';

const root = new URL('../../../', import.meta.url);

export interface StartOptions {
  /** The clock of this process, which is corrected to the database's time; the system clock when left out. */
  readonly processClock?: Clock;
  /** Used without correction, instead of a process clock. For tests that move the time. */
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Every processor that may be set up or was before; those of this release when left out. */
  readonly processors?: readonly ProcessorDefinition[];
  /** Called when the embedded database died. The process cannot continue. */
  readonly onLost?: (cause: Error) => void;
}

export interface Started {
  /** `http://localhost:4000`. */
  readonly origin: string;
  /** Creates a link to the docs that shows the reader's key in the samples. It works once. */
  docsLink(reader: Reader): string;
  /** The address that the server listens on, also when `SVC_PUBLIC_ORIGIN` names a proxy. */
  readonly listeningAt: string;
  /** The address of the metrics server; undefined without SVC_METRICS_PORT. */
  readonly metricsAt: string | undefined;
  readonly db: Database;
  readonly engine: Engine;
  /** The parts that commands outside of HTTP need: those of the control socket and of the demo. */
  readonly commands: Commands;
  readonly service: Service;
  readonly processors: readonly ProcessorDefinition[];
  /** Removes revoked keys from the cache of this process. */
  revoked(): void;
  /** Reports unready and drains, then stops accepting requests, finishes running work and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the service: database, engine, HTTP, jobs and control socket, as far as the roles of this
 * process need them.
 * @throws ConfigError and the errors of `openDatabase`, whose messages are for the operator
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<Started> {
  const log = options.log ?? createLog(config.logLevel);
  // The watch measures how long an outage lasts, so it cannot use the database's time.
  const watchClock = options.clock ?? options.processClock ?? systemClock;
  const metrics = createMetrics();
  const watch = watchDatabase({ clock: watchClock, log, metrics: metrics.database });
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    await requireForProcessor(config, options);
    const tracing = await tracingOf(config, watchClock, log);
    if (tracing) closers.push(tracing.close);
    const opened = await openDatabases(config, options, { watch, closers });
    const dbs = tracing ? { ...opened, db: tracing.database(opened.db) } : opened;
    await ensureSchema(dbs.db, config, {
      report: (line) => log.info({ migration: line }, 'migrating'),
    });
    const onServersChanged = startWatch(dbs, options, { watch, closers });
    const clock = await startClock(dbs.background, options, { log, closers });
    const parts = await startParts(config, {
      ...dbs,
      clock,
      log,
      watch,
      metrics,
      tracing,
      closers,
      onServersChanged,
      processors: options.processors ?? processors,
    });
    return { ...parts, db: dbs.db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Checks what the processor needs on this machine, such as a folder. Only workers use it. */
async function requireForProcessor(config: Config, { processors: known }: StartOptions) {
  if (!config.roles.includes('worker')) return;
  const chosen = chosenProcessor(config, known);
  const required = chosen?.requirements?.(config.processorSettings) ?? [];
  for (const it of required) await it.check();
}

interface Databases {
  /** The connections for requests. */
  readonly db: Database;
  /**
   * The connections for webhooks, jobs, health checks and the clock. They are separate, so that no number of
   * requests can keep a job or a heartbeat waiting, and no backlog a request.
   */
  readonly background: Database;
}

// Each worker of a lane holds one connection during a batch, and so does each part of the engine.
const backgroundConnections = 12;
const closeMs = 1_500;

async function openDatabases(
  { database }: Config,
  { onLost }: StartOptions,
  { watch, closers }: Pick<Parts, 'watch' | 'closers'>,
): Promise<Databases> {
  const { log, observer } = watch;
  // A statement that gets no answer keeps its connection for 8 s, so closing a database has a timeout.
  const closeWithin = (opened: Database) => () =>
    Promise.race([opened.close(), sleep(systemClock, closeMs)]);
  const db = await openDatabase(database, { log, observer, ...(onLost ? { onLost } : {}) });
  closers.push(closeWithin(db));
  // The embedded database has one session, which everything shares.
  if (db.kind === 'embedded') return { db, background: db };
  const background = await openDatabase(database, { log, observer, pool: backgroundConnections });
  closers.push(closeWithin(background));
  return { db, background };
}

/**
 * On a cluster, each process checks which servers answer. Returns a function that sets what to do when that
 * changes.
 */
function startWatch(
  { db, background }: Databases,
  { processClock = systemClock }: StartOptions,
  { watch, closers }: Pick<Parts, 'watch' | 'closers'>,
): Parts['onServersChanged'] {
  let whenChanged = () => {};
  if (db.cluster && background.cluster) {
    const watched = watchServers({
      db: background,
      clusters: [db.cluster, background.cluster],
      clock: processClock,
      log: watch.log,
      changed: () => whenChanged(),
    });
    closers.push(() => watched.stop());
  }
  return (run) => {
    whenChanged = run;
  };
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

interface Parts extends Databases {
  readonly clock: ServiceClock;
  readonly log: Logger;
  readonly watch: DatabaseWatch;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly processors: readonly ProcessorDefinition[];
  /** Sets what to do when a server of the cluster stops answering, or answers again. */
  readonly onServersChanged: (run: () => void) => void;
  /** Called in reverse order by `close`. */
  readonly closers: (() => Promise<void>)[];
}

async function startParts(config: Config, parts: Parts) {
  const { closers, clock, processors: known } = parts;
  const core = await createCore(config, parts);
  const isApi = config.roles.includes('api');
  const app = isApi
    ? await createServer(await serverDepsOf(config, parts, core))
    : await createHealthServer(httpDepsOf(config, parts, core));
  const { service, engine, relays, readiness, keys, readerLinks, address, commands } = core;
  const running: Running = { readiness, app, engine, relays };
  closers.push(() => shutDown(running, config, clock));
  await listen(app, config);
  if (config.publicOrigin === undefined) address.origin = `http://localhost:${portOf(app)}`;
  await engine.start();
  const remarks = [
    await lendingRemark(parts.db, { environment: config.environment, now: clock.now() }),
    privacyRemark(config),
    describeAllowedNetworks(config.webhookAllowedNetworks),
  ];
  for (const remark of remarks) if (remark !== null) parts.log.warn(remark);
  if (isApi && service.operatorOrigin === null) parts.log.info(operatorConsoleOff);
  if (config.roles.includes('worker')) {
    await relays.start(config);
    const jobs = startWork(config, parts, service);
    running.jobs = jobs;
    parts.onServersChanged(() => jobs.wake());
  }
  const administered = { commands, service, revoked: keys.clear, processors: known };
  running.control = await controlOf(config, { ...administered, log: parts.log });
  running.metrics = await metricsOf(config, parts, core);
  running.drains = isApi;
  return {
    origin: address.origin,
    docsLink: (reader: Reader) => `${address.origin}/docs#${readerLinks.create(reader)}`,
    listeningAt: addressOf(app),
    metricsAt: running.metrics?.url,
    engine,
    ...administered,
  };
}

/** Creates what every role of a process has: the service, its engine and its relays. Starts none of it. */
async function createCore(config: Config, parts: Parts) {
  const { clock, log, db, background, watch, metrics, tracing, processors: known } = parts;
  const relays = createRelays({
    db: background,
    clock,
    log: watch.log,
    observer: metrics.relay,
  });
  const readiness = createReadiness({
    db: background,
    clock,
    lastDiskFull: watch.lastDiskFull,
    relayTrouble: relays.trouble,
    standingRemark: config.processor === undefined ? noProcessor : undefined,
  });
  const vault = await openVault(db, config, clock.now());
  const address = {
    origin: config.publicOrigin ?? `http://localhost:${config.port}`,
  };
  const routing = routingOf(config);
  const service = createService(config, {
    ...(await openProcessor(config, { db, clock, log }, known)),
    processorRecords: known,
    texts: openTexts(config, clock),
    identityProvider: openIdentityProvider(config, clock),
    vault,
    keepsClearNames: await readClearNames(db),
    address,
    // Messages are leased to this process, which sends them right after the commit.
    publish: routeMessages(routing, (tx, messages, now) => engine.publishIn(tx, messages, now)),
    wake(tx, messages) {
      metrics.published(messages);
      engine.wake(tx);
      relays.wake();
    },
  });
  const engine = createEngine({
    db: background,
    clock,
    vault,
    log: watch.log,
    policy: service.webhookPolicy,
    sends: config.roles.includes('worker'),
    tuning: { retentionMs: service.webhookRetentionMs },
    observer: tracing?.attempts(metrics.attempts) ?? metrics.attempts,
    ...(config.egressProxy && { proxy: config.egressProxy }),
    neededSince,
    operational: createOperationalEmitter(service, clock, routeMessages(routing, publish)),
  });
  const commands: Commands = { db, clock, vault, service };
  const keys = createKnownKeys();
  const readerLinks = createReaderLinks();
  return { service, engine, relays, readiness, commands, keys, readerLinks, address };
}

type Core = Awaited<ReturnType<typeof createCore>>;

function httpDepsOf(config: Config, { clock, log }: Parts, { service, readiness }: Core) {
  const { trustedProxies, maxConnections } = config;
  return { clock, log, service, readiness, trustedProxies, maxConnections };
}

async function serverDepsOf(config: Config, parts: Parts, core: Core) {
  const { background, clock, watch, metrics, tracing, processors: known } = parts;
  const { commands, engine, keys, readerLinks, service } = core;
  return {
    ...commands,
    ...httpDepsOf(config, parts, core),
    background,
    engine,
    keys,
    requestsPerSecond: config.rateLimitPerSecond,
    requestsPerMinute: config.rateLimitPerMinute,
    folders,
    readerLinks,
    measure: createMeasure({ db: background, clock, service, processors: known }),
    processorWebhooks: metrics.processorWebhooks,
    requestLogObserver: metrics.requestLog,
    observers: tracing ? [metrics.requests, tracing.requests] : [metrics.requests],
    loadRecorder: metrics.load,
    svixEndpoints: await svixEndpointsOf(config, watch.log),
  };
}

/** Starts the jobs of a worker, and those of its processor. */
function startWork(config: Config, parts: Parts, service: Service): Jobs {
  const { clock, metrics, processors: known } = parts;
  const deps = { db: parts.background, clock, log: parts.watch.log, service };
  const processor = chosenProcessor(config, known);
  return startJobs({
    ...deps,
    ...openOutside(config, clock),
    recorder: metrics.lanes,
    ofProcessor: processor?.lanes?.(config.processorSettings, deps) ?? [],
  });
}

/** The parts that have been started so far. */
interface Running {
  readonly readiness: Readiness;
  readonly app: App;
  readonly engine: Engine;
  readonly relays: Relays;
  jobs?: Jobs;
  control?: Control | undefined;
  metrics?: MetricsServer | undefined;
  /** True if load balancers may be sending requests to this process. */
  drains?: boolean;
}

const operatorConsoleOff =
  'The operator’s console is off. To open it, set SVC_OPERATOR_ORIGIN to an origin for it, such as https://ops.svc.example.';

// The timeout for stopping all parts. The engine waits at most 16 s for its attempts. All of it together ends within
// 20 s.
const stopMs = 17_000;

/**
 * Becomes unready and stops the jobs at once. Requests are served until the drain period is over, so
 * that load balancers can notice; then requests, batches and webhook attempts in flight are finished.
 */
async function shutDown(running: Running, config: Config, clock: Clock): Promise<void> {
  const { readiness, app, engine, relays, jobs, control, metrics, drains } = running;
  readiness.drain();
  const jobsStopped = jobs?.stop();
  if (drains) await sleep(clock, config.drainSeconds * 1_000);
  const stop = async () => {
    // Requests and batches end before the engine does. The messages that they commit last are leased to this
    // process, which has to send or release them. Otherwise the other processes would wait until the lease expires.
    await Promise.all([app.close(), ...(jobsStopped ? [jobsStopped] : [])]);
    await Promise.all([engine.stop(), relays.stop()]);
    await control?.close();
    await metrics?.close();
  };
  await Promise.race([stop(), sleep(clock, stopMs)]);
}

async function sleep(clock: Clock, ms: number): Promise<void> {
  if (ms > 0) await new Promise<void>((resolve) => clock.after(ms, resolve));
}

const warnLevel = 40;
const flushMs = 100;

/**
 * Creates a log of one JSON object per line on standard output, without pid and host name. Writing each request's
 * line separately took a tenth of the CPU time of a request, so lines are written every 4 kB or 100 ms, and warnings
 * and errors at once. A process that is killed loses the lines of the last 100 ms. Writes are asynchronous: while
 * the reader of a full pipe is slow, a synchronous write would sleep for 100 ms at a time, and requests and signals
 * would wait for it.
 */
function createLog(level: Config['logLevel']): Logger {
  const output = pino.destination({ minLength: 4_096, sync: false });
  process.once('exit', () => output.flushSync());
  // pino's periodicFlush would write an empty string ten times a second while nothing is logged.
  let isPlanned = false;
  const flushSoon = () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      output.flush();
    }, flushMs).unref();
  };
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      logMethod(this: Logger, line: Parameters<LogFn>, method: LogFn, lineLevel: number) {
        method.apply(this, line);
        if (lineLevel >= warnLevel) output.flush();
        else flushSoon();
      },
    },
  };
  return pino(options, output);
}

const folders: PageFolders = {
  experience: folder('apps/experience/dist'),
  console: folder('apps/console/dist'),
  operator: folder('apps/operator/dist'),
  sdk: folder('packages/core/dist'),
  styles: folder('packages/ui/src'),
  guides: folder('.'),
};

function folder(path: string): string {
  // Converted, because a space is %20 in the URL's pathname.
  return fileURLToPath(new URL(path, root));
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

/**
 * Opens the control socket, which only the embedded database needs. With DATABASE_URL, the command line opens the
 * database itself.
 */
async function controlOf(
  config: Config,
  parts: Parameters<typeof startControl>[1],
): Promise<Control | undefined> {
  return 'dataDir' in config.database ? startControl(config.dataDir, parts) : undefined;
}

async function metricsOf(
  config: Config,
  { background, clock, watch, metrics, processors: known }: Parts,
  { engine, service }: Core,
): Promise<MetricsServer | undefined> {
  const address = metricsAddress(config);
  if (!address) return undefined;
  return serveMetrics(address, {
    db: background,
    clock,
    log: watch.log,
    registry: metrics.registry,
    engine,
    skewMs: clock.skewMs,
    service,
    processors: known,
    roles: config.roles,
  });
}

/** The endpoints of all partners on the Svix server, when webhooks are handed to it. */
async function svixEndpointsOf(
  { webhooks, svix }: Config,
  log: Log,
): Promise<SvixEndpoints | undefined> {
  if (webhooks !== 'svix' || !svix) return undefined;
  const { openSvixEndpoints } = await import('./relay/svix/svix-endpoints.ts');
  return openSvixEndpoints(svix, { log });
}

/**
 * Starts tracing if it is configured. The module is loaded only then, so that without tracing it costs no memory and
 * no time.
 */
async function tracingOf(
  { tracing }: Config,
  clock: Clock,
  log: Logger,
): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  const { startTracing } = await import('./tracing.ts');
  return startTracing(tracing, { clock, log });
}
