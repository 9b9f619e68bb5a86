import {
  context,
  defaultTextMapGetter,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { AttemptObserver } from '@svc/webhooks';
import { createFailureRun } from './failure-run.ts';
import type { RequestObserver } from './http/observe-requests.ts';
import type { TracingConfig } from './tracing-settings.ts';

/** Creates spans for requests, their transactions and webhook attempts. */
export interface Tracing {
  readonly requests: RequestObserver;
  /** Adds spans to an observer. */
  attempts(observer: AttemptObserver): AttemptObserver;
  /** Makes the transactions of a request spans of its trace. */
  database(db: Database): Database;
  /** Sends the spans that are still queued, and stops tracing. */
  close(): Promise<void>;
}

// Spans that do not reach the collector in time are dropped, so traces never delay the service.
const exportMs = 2_000;
const mostQueued = 2_048;

/**
 * Starts OpenTelemetry for this process. Loaded only when tracing is on, because loading it takes
 * 170 ms and 20 MB.
 */
export function startTracing(
  { endpoint, headers = {}, ratio }: TracingConfig,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportMs });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'svc' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor(logFailures(exporter, clock, log), {
        maxQueueSize: mostQueued,
        exportTimeoutMillis: exportMs,
      }),
    ],
  });
  provider.register();
  const tracer = provider.getTracer('svc');
  return {
    requests: {
      requestStarted({ id, method, traceparent, tracestate }) {
        const carrier = { traceparent, tracestate };
        const parent = propagation.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
        const attributes = { 'http.request.method': method, 'svc.request_id': id };
        const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
        const contextWithSpan = trace.setSpan(parent, span);
        return {
          run: (part) => context.with(contextWithSpan, part),
          ended({ route, status, aborted }) {
            span.updateName(`${method} ${route}`);
            span.setAttribute('http.route', route);
            span.setAttribute('http.response.status_code', status);
            if (aborted) span.setAttribute('error.type', 'aborted');
            if (status >= 500 || aborted) span.setStatus({ code: SpanStatusCode.ERROR });
            span.end();
          },
        };
      },
    },
    attempts: (observer) => ({
      traceparent: () => traceparentOf(trace.getActiveSpan()),
      attemptStarted(attempt) {
        const { messageId, endpointId, type, traceparent } = attempt;
        const observed = observer.attemptStarted(attempt);
        const parent = propagation.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
        const attributes = {
          'svc.message_id': messageId,
          'svc.endpoint_id': endpointId,
          'svc.event_type': type,
        };
        const span = tracer.startSpan(
          'webhook attempt',
          { kind: SpanKind.CLIENT, attributes },
          parent,
        );
        return {
          traceparent: traceparentOf(span),
          ended(outcome) {
            observed.ended(outcome);
            const { status, errorClass } = outcome;
            if (status !== null) span.setAttribute('http.response.status_code', status);
            if (errorClass !== null) {
              span.setAttribute('error.type', errorClass);
              span.setStatus({ code: SpanStatusCode.ERROR });
            }
            span.end();
          },
        };
      },
    }),
    database: (db) => ({
      ...db,
      transaction: (work, options) => {
        // Background work has no request: a trace of each of its transactions would say nothing.
        if (!trace.getActiveSpan()) return db.transaction(work, options);
        return tracer.startActiveSpan('transaction', async (span) => {
          try {
            return await db.transaction(work, options);
          } catch (error) {
            span.setStatus({ code: SpanStatusCode.ERROR });
            throw error;
          } finally {
            span.end();
          }
        });
      },
    }),
    async close() {
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

function traceparentOf(span: Span | undefined): string | undefined {
  if (!span) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier);
  return carrier.traceparent;
}

/** Logs an unreachable collector once at the start and once at the end. */
function logFailures(exporter: SpanExporter, clock: Clock, log: Log): SpanExporter {
  const failures = createFailureRun({
    clock,
    log,
    level: 'warn',
    started: 'traces could not be sent',
    ended: 'traces are sent again',
  });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === 0) failures.succeeded();
        else failures.failed({ err: result.error });
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
