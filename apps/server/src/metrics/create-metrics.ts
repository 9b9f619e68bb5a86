import type { DatabaseObserver, PoolConnections } from '@svc/db';
import type { AttemptObserver } from '@svc/webhooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { OutgoingMessage } from '../context.ts';
import type { LoadRecorder } from '../http/edge/limit-load.ts';
import type { RequestObserver } from '../http/observe-requests.ts';
import type { ProcessorWebhookObserver } from '../http/processor-webhooks.ts';
import type { RequestLogObserver } from '../http/request-log/create-request-log.ts';
import type { LaneRecorder } from '../jobs/lane.ts';
import type { HandoverObserver } from '../relay/hand-over.ts';

/** Counts what this process does. What the database holds is measured by `measure-stored.ts`. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestObserver;
  readonly load: LoadRecorder;
  readonly database: Partial<DatabaseObserver>;
  readonly lanes: LaneRecorder;
  readonly attempts: AttemptObserver;
  readonly processorWebhooks: ProcessorWebhookObserver;
  readonly requestLog: RequestLogObserver;
  readonly relay: HandoverObserver;
  /** Events of a transaction that was committed. */
  published(messages: readonly OutgoingMessage[]): void;
}

/** Labels have few values: never a partner, a tenant, an endpoint or a URL. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const published = new Counter({
    name: 'svc_events_published_total',
    help: 'Events committed by this process, by type; `custom` for custom data of partners.',
    labelNames: ['type'],
    registers,
  });
  return {
    registry,
    requests: requestMetrics(registers),
    load: loadMetrics(registers),
    database: databaseMetrics(registers),
    lanes: laneMetrics(registers),
    attempts: attemptMetrics(registers),
    processorWebhooks: processorWebhookMetrics(registers),
    requestLog: requestLogMetrics(registers),
    relay: relayMetrics(registers),
    published(messages) {
      for (const { type, custom } of messages) published.inc({ type: custom ? 'custom' : type });
    },
  };
}

function requestMetrics(registers: Registry[]): RequestObserver {
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its response, by route and outcome.',
    labelNames: ['method', 'route', 'outcome'],
    // 0.3 is the bound of the latency objective.
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10],
    registers,
  });
  const inFlight = new Gauge({
    name: 'svc_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
  });
  return {
    requestStarted({ method }) {
      const began = performance.now();
      inFlight.inc();
      return {
        ended({ route, status, aborted }) {
          inFlight.dec();
          const outcome = aborted ? 'aborted' : outcomeOf(status);
          durations.observe({ method, route, outcome }, (performance.now() - began) / 1_000);
        },
      };
    },
  };
}

function loadMetrics(registers: Registry[]): LoadRecorder {
  const sheds = new Counter({
    name: 'svc_http_requests_shed_total',
    help: 'Requests refused with 503 before any work, because they would have waited too long.',
    registers,
  });
  return { requestShed: () => sheds.inc() };
}

/** `unavailable` covers database outages and overload: the response has `Retry-After`. */
function outcomeOf(status: number): string {
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}

function databaseMetrics(registers: Registry[]): Partial<DatabaseObserver> {
  const waits = new Histogram({
    name: 'svc_db_pool_wait_seconds',
    help: 'How long callers waited for a database connection.',
    buckets: [0.0001, 0.001, 0.01, 0.1, 0.5, 1, 3],
    registers,
  });
  const statements = new Histogram({
    name: 'svc_db_statement_seconds',
    help: 'From sending a statement to its answer, without the wait for a connection.',
    buckets: [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5],
    registers,
  });
  const pools: (() => PoolConnections)[] = [];
  new Gauge({
    name: 'svc_db_connections',
    help: 'Database connections of this process, and callers that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const sum = { in_use: 0, idle: 0, waiting: 0 };
      for (const { open, idle, waiting } of pools.map((connections) => connections())) {
        sum.in_use += open - idle;
        sum.idle += idle;
        sum.waiting += waiting;
      }
      for (const [state, count] of Object.entries(sum)) this.set({ state }, count);
    },
  });
  return {
    connected: (seconds) => waits.observe(seconds),
    statementEnded: (seconds) => statements.observe(seconds),
    poolOpened: (connections) => void pools.push(connections),
  };
}

function laneMetrics(registers: Registry[]): LaneRecorder {
  const labelNames = ['lane'];
  const sizes = new Histogram({
    name: 'svc_lane_batch_size',
    help: 'How much each batch of background work did. Batches that found nothing are not counted.',
    labelNames,
    buckets: [1, 5, 20, 50, 200, 1_000],
    registers,
  });
  const durations = new Histogram({
    name: 'svc_lane_batch_seconds',
    help: 'How long each batch of background work took.',
    labelNames,
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers,
  });
  const failures = new Counter({
    name: 'svc_lane_failures_total',
    help: 'Batches of background work that failed and are tried again.',
    labelNames,
    registers,
  });
  const successes = new Gauge({
    name: 'svc_lane_last_success_timestamp_seconds',
    help: 'When a batch of this process last ended well, also if it found nothing.',
    labelNames,
    registers,
  });
  return {
    laneStarted(lane) {
      failures.inc({ lane }, 0);
    },
    batchEnded(lane, { done, seconds }) {
      successes.set({ lane }, (performance.timeOrigin + performance.now()) / 1_000);
      if (done === 0) return;
      sizes.observe({ lane }, done);
      durations.observe({ lane }, seconds);
    },
    batchFailed(lane) {
      failures.inc({ lane });
    },
  };
}

function processorWebhookMetrics(registers: Registry[]): ProcessorWebhookObserver {
  const webhooks = new Counter({
    name: 'svc_processor_webhooks_total',
    help: 'Webhooks of the payment processor: stored, known already, or with a wrong signature.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['stored', 'known', 'forged']) webhooks.inc({ outcome }, 0);
  return { received: (outcome) => webhooks.inc({ outcome }) };
}

function requestLogMetrics(registers: Registry[]): RequestLogObserver {
  const rows = new Counter({
    name: 'svc_request_log_rows_total',
    help: 'Calls of the partner API: written to the request log, or dropped because it was too slow.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['written', 'dropped']) rows.inc({ outcome }, 0);
  return {
    written: (count) => rows.inc({ outcome: 'written' }, count),
    dropped: (count) => rows.inc({ outcome: 'dropped' }, count),
  };
}

function relayMetrics(registers: Registry[]): HandoverObserver {
  const handovers = new Histogram({
    name: 'svc_outbox_handover_seconds',
    help: 'How long another system took to answer for a message, by outcome.',
    labelNames: ['destination', 'outcome'],
    buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers,
  });
  return {
    handedOver: (destination, outcome, seconds) =>
      handovers.observe({ destination, outcome }, seconds),
  };
}

function attemptMetrics(registers: Registry[]): AttemptObserver {
  const attempts = new Counter({
    name: 'svc_webhook_attempts_total',
    help: 'Attempts made by this process.',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'svc_webhook_attempt_duration_seconds',
    help: 'How long attempts took, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.03, 0.1, 0.3, 1, 3, 10, 15],
    registers,
  });
  for (const outcome of ['delivered', 'failed']) attempts.inc({ outcome }, 0);
  return {
    attemptStarted: () => ({
      ended({ errorClass, seconds }) {
        const outcome = errorClass === null ? 'delivered' : 'failed';
        attempts.inc({ outcome });
        durations.observe({ outcome }, seconds);
      },
    }),
  };
}
