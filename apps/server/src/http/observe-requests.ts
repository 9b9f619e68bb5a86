import type { App, Request } from './app.ts';

/** Observes requests, for metrics and traces. */
export interface RequestObserver {
  requestStarted(request: ObservedRequest): RunningRequest;
}

interface ObservedRequest {
  readonly id: string;
  readonly method: string;
  /** W3C trace context of the caller. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

interface RunningRequest {
  /** Runs a part of the request, in the context of its trace. */
  run?(part: () => void): void;
  ended(response: {
    /** The route's pattern, such as `/v1/plans/:plan_id`; `unmatched` without a route. */
    readonly route: string;
    readonly status: number;
    /** True if the connection closed before the response was sent. */
    readonly aborted: boolean;
  }): void;
}

/** Calls the observers for each request that has an HTTP head. */
export function observeRequests(app: App, observers: readonly RequestObserver[]): void {
  if (observers.length === 0) return;
  const running = new WeakMap<Request, RunningRequest[]>();
  const runIn = (request: Request, part: () => void) => {
    const nested = (running.get(request) ?? []).reduceRight<() => void>(
      (inner, { run }) => (run ? () => run(inner) : inner),
      part,
    );
    nested();
  };
  app.addHook('onRequest', (request, reply, done) => {
    const started = observers.map((observer) =>
      observer.requestStarted({
        id: request.id,
        method: request.method,
        traceparent: headerOf(request, 'traceparent'),
        tracestate: headerOf(request, 'tracestate'),
      }),
    );
    running.set(request, started);
    // `close` also follows a sent response.
    reply.raw.once('close', () => {
      const response = {
        route: request.routeOptions.url ?? 'unmatched',
        status: reply.statusCode,
        aborted: !reply.raw.writableFinished,
      };
      for (const it of started) it.ended(response);
    });
    runIn(request, done);
  });
  // Reading the body ends in a callback of the connection, which has no context of the request.
  app.addHook('preValidation', (request, _reply, done) => runIn(request, done));
}

function headerOf({ headers }: Request, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
