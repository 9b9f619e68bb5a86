import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Engine } from '@svc/webhooks';
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Service } from '../context.ts';
import { buildCommit, version } from '../migrations.ts';
import type { Role } from '../process-settings.ts';
import type { ProcessorDefinition } from '../processors/define-processor.ts';
import { type Config, ConfigError } from '../service-settings.ts';
import { gaugesOf, measureProcessors } from './measure-processors.ts';
import {
  createReturnRateMeasure,
  type ReturnRateMeasure,
  returnRateMetrics,
} from './measure-return-rates.ts';
import { measureStored, type Sample, storedMetrics } from './measure-stored.ts';

export interface MetricsDeps {
  readonly registry: Registry;
  readonly db: Database;
  readonly engine: Pick<Engine, 'stats'>;
  readonly clock: Clock;
  /** Returns by how many milliseconds this process's clock is ahead of the database's. */
  readonly skewMs: () => number;
  readonly service: Pick<Service, 'processor'>;
  readonly processors: readonly Pick<ProcessorDefinition, 'dueSince' | 'gauges'>[];
  /** The roles of this process, for `svc_build_info`. */
  readonly roles: readonly Role[];
  readonly log: Log;
}

export interface MetricsServer {
  /** `http://127.0.0.1:9400/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/** The address of the server for metrics, and the token that scrapers have to send. */
interface MetricsAddress {
  readonly port: number;
  readonly host: string;
  /** Undefined when no token is needed, on the loopback interface. */
  readonly token: string | undefined;
}

/**
 * Serves `GET /metrics` in the Prometheus text format on a separate port. The public origin does
 * not serve it.
 * @throws ConfigError when the address cannot be used
 */
export async function serveMetrics(
  { port, host, token }: MetricsAddress,
  deps: MetricsDeps,
): Promise<MetricsServer> {
  const { registry, log } = deps;
  const returnRates = createReturnRateMeasure(deps);
  const update = createUpdate(deps, returnRates);
  const isAllowed = checkToken(token);
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    if (!isAllowed(request.headers.authorization)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' });
      response.end('Send the token of SVC_METRICS_TOKEN as "Authorization: Bearer <token>".\n');
      return;
    }
    update()
      .then(() => registry.metrics())
      .then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        (error: unknown) => {
          log.error({ err: error }, 'metrics failed');
          response.writeHead(500).end();
        },
      );
  });
  await listen(server, port, host);
  collectDefaultMetrics({ register: registry });
  const { address, port: actual, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/metrics`,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await returnRates.stop();
    },
  };
}

export function metricsAddress(config: Config): MetricsAddress | undefined {
  const { metricsPort: port, metricsHost: host, metricsToken: token } = config;
  return port === undefined ? undefined : { port, host, token };
}

// Several scrapers, or a short scrape interval, cost the database no more than one.
const cacheMs = 5_000;

/** Registers the metrics that are read at each scrape. Returns a function that reads them. */
function createUpdate(
  { registry, db, engine, clock, skewMs, service, processors, roles }: MetricsDeps,
  returnRates: ReturnRateMeasure,
): () => Promise<void> {
  const registers = [registry];
  new Gauge({
    name: 'svc_build_info',
    help: 'Always 1. The labels say which version and commit this process runs, and its roles.',
    labelNames: ['version', 'commit', 'roles'],
    registers,
  }).set({ version, commit: buildCommit, roles: roles.join(',') }, 1);
  const accepted = new Counter({
    name: 'svc_webhook_messages_accepted_total',
    help: 'Messages stored.',
    registers,
  });
  const up = new Gauge({
    name: 'svc_db_up',
    help: '1 if the database answered the last scrape. If it did not, the metrics of what it holds are missing.',
    registers,
  });
  const skew = new Gauge({
    name: 'svc_clock_skew_seconds',
    help: "How far the clock of this process is ahead of the database's; negative if it is behind.",
    registers,
  });
  const stats = {
    in_flight: new Gauge({
      name: 'svc_webhook_attempts_in_flight',
      help: 'Attempts in flight in this process.',
      registers,
    }),
    waiting: new Gauge({
      name: 'svc_webhook_attempts_waiting',
      help: 'Deliveries claimed by this process whose attempt has not started.',
      registers,
    }),
    unwritten: new Gauge({
      name: 'svc_webhook_results_unwritten',
      help: 'Finished attempts that are not stored yet.',
      registers,
    }),
  };
  const stored = [
    ...Object.entries({ ...storedMetrics, ...returnRateMetrics }).map(
      ([name, { help, labels }]) => ({ name, help, labels }),
    ),
    ...gaugesOf(processors).map(([name, { help, label }]) => ({ name, help, labels: [label] })),
  ].map(({ name, help, labels }) => ({
    name,
    labels,
    gauge: new Gauge({ name, help, labelNames: [...labels], registers }),
  }));
  let last: { at: number; done: Promise<void> } | undefined;

  async function measure() {
    const deposits = service.processor?.deposits ?? 'daily';
    const { accepted: total, ...ofService } = await measureStored(db, clock.now(), {
      deposits,
      processors,
    });
    const ofProcessors = await measureProcessors(db, processors);
    const samples: Readonly<Record<string, readonly Sample[]>> = {
      ...ofService,
      ...ofProcessors,
      ...returnRates.latest(),
    };
    return { accepted: total, samples };
  }

  async function read(): Promise<void> {
    const measured = await measure().catch(() => undefined);
    // Each database outage is logged once, by watch-database.ts.
    up.set(measured ? 1 : 0);
    for (const { name, labels, gauge } of stored) {
      gauge.reset();
      // Resetting sets a gauge without labels to 0, which would look measured.
      if (labels.length === 0) gauge.remove();
      for (const sample of measured?.samples[name] ?? []) {
        gauge.set(sample.labels ?? {}, sample.value);
      }
    }
    if (!measured) return;
    accepted.reset();
    accepted.inc(measured.accepted);
  }

  return () => {
    const current = engine.stats();
    for (const [name, gauge] of Object.entries(stats)) {
      gauge.set(current[name as keyof typeof stats]);
    }
    skew.set(skewMs() / 1_000);
    const now = clock.now().getTime();
    if (!last || Math.abs(now - last.at) >= cacheMs) last = { at: now, done: read() };
    return last.done;
  };
}

/** Compares digests, whose equal length lets the comparison take the same time for every token. */
function checkToken(token: string | undefined): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => true;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${token}`);
  return (authorization) => timingSafeEqual(digest(authorization ?? ''), expected);
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} is in use. Stop the other process, or set SVC_METRICS_PORT to a different port.`,
        EACCES: `This user may not use port ${port}. Set SVC_METRICS_PORT to a port above 1023.`,
        EADDRNOTAVAIL: `This machine does not have the address ${host}. Set SVC_METRICS_HOST to one of its addresses.`,
        ENOTFOUND: `The host ${host} does not exist. Set SVC_METRICS_HOST to an address of this machine.`,
      };
      const reason = reasons[error.code ?? ''];
      reject(reason === undefined ? error : new ConfigError(reason));
    });
    server.listen(port, host, resolve);
  });
}
