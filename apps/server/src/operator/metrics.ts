import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '@svc/db';
import { type Backlog, type Engine, type EngineStats, measureBacklog } from '@svc/webhooks';
import type { Clock } from '../clock.ts';
import { ConfigError } from '../config.ts';
import type { Log } from '../context.ts';

export interface MetricsDeps {
  readonly db: Database;
  readonly engine: Pick<Engine, 'stats'>;
  readonly clock: Clock;
  /** How far the clock of this process is ahead of the database's. */
  readonly skewMs: () => number;
  readonly log: Log;
}

export interface Metrics {
  /** `http://127.0.0.1:9400/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` in the Prometheus text format on a separate port of the loopback interface.
 * The public origin does not serve it, so it needs no credentials.
 */
export async function startMetrics(port: number, deps: MetricsDeps): Promise<Metrics> {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    measure(deps).then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        deps.log.error({ err: error }, 'metrics failed');
        response.writeHead(503).end();
      },
    );
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

async function measure({ db, engine, clock, skewMs }: MetricsDeps): Promise<string> {
  const backlog = await measureBacklog(db, clock.now());
  return metricsText(backlog, engine.stats(), skewMs());
}

/** Formats one block of samples per metric. The counters of a process start at 0. */
function metricsText(backlog: Backlog, stats: EngineStats, skewMs: number): string {
  const { open } = backlog;
  return [
    family(
      'clock_skew_seconds',
      'gauge',
      "How far the clock of this process is ahead of the database's; negative if it is behind.",
      skewMs / 1_000,
    ),
    family('webhook_messages_accepted_total', 'counter', 'Messages stored.', backlog.accepted),
    family('webhook_attempts_total', 'counter', 'Attempts finished by this process.', {
      'outcome="delivered"': stats.delivered,
      'outcome="failed"': stats.failed,
    }),
    family(
      'webhook_attempts_in_flight',
      'gauge',
      'Attempts in flight in this process.',
      stats.in_flight,
    ),
    family(
      'webhook_attempts_waiting',
      'gauge',
      'Deliveries claimed by this process whose attempt has not started.',
      stats.waiting,
    ),
    family(
      'webhook_results_unwritten',
      'gauge',
      'Finished attempts that are not stored yet.',
      stats.unwritten,
    ),
    family('webhook_deliveries', 'gauge', 'Open deliveries; at most 100000 are counted.', {
      'state="pending"': open.pending,
      'state="delivering"': open.delivering,
      'state="retrying"': open.retrying,
      'state="held"': open.held,
    }),
    family(
      'webhook_deliveries_undelivered',
      'gauge',
      'Deliveries whose attempts are exhausted, estimated.',
      backlog.undelivered,
    ),
    family(
      'webhook_due_lag_seconds',
      'gauge',
      'Age of the oldest due delivery.',
      backlog.due_lag_seconds,
    ),
    family('webhook_replays_running', 'gauge', 'Bulk replays in progress.', backlog.replays),
    family(
      'webhook_endpoints_failing',
      'gauge',
      'Endpoints without a success since their last failure.',
      backlog.failing_endpoints,
    ),
    family(
      'webhook_endpoints_disabled',
      'gauge',
      'Disabled endpoints.',
      backlog.disabled_endpoints,
    ),
  ].join('');
}

function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: number | Readonly<Record<string, number>>,
): string {
  const full = `svc_${name}`;
  const samples =
    typeof values === 'number'
      ? [`${full} ${values}`]
      : Object.entries(values).map(([labels, value]) => `${full}{${labels}} ${value}`);
  return `${[`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...samples].join('\n')}\n`;
}

/** @throws ConfigError when the port cannot be used, for example because it is in use. */
async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const reason = `SVC_METRICS_PORT ${port} cannot be used (${error.message}). Set it to another port.`;
      reject(new ConfigError(reason));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}
