import { type Database, type MigrationSource, migrationsAtHead } from '@svc/db';
import type { Engine } from '@svc/webhooks';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Service } from '../context.ts';
import type { KnownKeys } from '../domain/index.ts';
import { Refusal } from '../domain/refusal.ts';
import { newId } from '../ids.ts';
import { type App, createApp, type Reply, type Request } from './app.ts';
import { createAuthenticate } from './authenticate.ts';
import { openApiDocument } from './docs/openapi.ts';
import { clientOf } from './edge/client-of.ts';
import { endConnections } from './edge/end-connections.ts';
import { createRateLimits } from './edge/rate-limit.ts';
import { warnOfProxies } from './edge/warn-of-proxies.ts';
import type { HandleDeps } from './handle.ts';
import { addPages, type PageFolders, sendNotFound } from './pages/pages.ts';
import { problemBody, problemOf } from './problem.ts';
import { addRoutes } from './register.ts';
import { routes } from './routes.ts';

export interface ServerDeps extends HandleDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly service: Service;
  readonly engine: Engine;
  readonly keys: KnownKeys;
  readonly log: Logger;
  readonly requestsPerSecond: number;
  /** Where no key is needed, for each route and address. */
  readonly requestsPerMinute: number;
  readonly trustedProxies: readonly string[];
  readonly migrations: readonly MigrationSource[];
  readonly folders: PageFolders;
}

/** The HTTP side of the service, ready to listen. */
export async function createServer(deps: ServerDeps): Promise<App> {
  const { clock, log, service } = deps;
  const limits = createRateLimits(deps);
  const app = await createApp({
    newRequestId: () => newId('req', clock.now()),
    trustedProxies: deps.trustedProxies,
    refuse(error, request, reply) {
      void answerProblem(error, request, reply);
    },
  });
  endConnections(app);
  warnOfProxies(app, deps);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (request.url.startsWith('/v1')) reply.header('cache-control', 'no-store');
    if (request.is404) throw new Refusal('not_found');
  });
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));
  const actors = addRoutes(app, deps, {
    routes,
    authenticate: createAuthenticate(deps.db, service, deps.keys),
    limits,
  });
  addHealth(app, deps);
  app.get('/v1/openapi.json', async (_, reply) =>
    reply.type('application/json').send(JSON.stringify(openApiDocument(routes, service))),
  );
  await addPages(app, deps);
  return app;

  async function answerProblem(error: unknown, request: Request, reply: Reply): Promise<void> {
    let problem = problemOf(error);
    if (problem.status === 401) {
      problem = await limits.failures.take(clientOf(request.ip)).then(
        () => problem,
        (limited: unknown) => problemOf(limited),
      );
    }
    if (problem.status >= 500) logFailure(error, request);
    if (problem.code === 'not_found' && asksForPage(request)) {
      sendNotFound(reply);
      return;
    }
    reply
      .code(problem.status)
      .headers({ 'x-request-id': request.id, ...problem.headers })
      .type('application/json; charset=utf-8')
      .send(problemBody(problem, request.id, service.publicOrigin, request.routeOptions.config));
  }

  function logFailure(error: unknown, request: Request): void {
    const { name, message, stack, code } = error as NodeJS.ErrnoException;
    log.error({ request_id: request.id, error: { name, message, stack, code } }, 'request failed');
  }

  function logRequest(request: Request, reply: Reply): void {
    const actor = actors.get(request);
    const partner_id = actor && 'partnerId' in actor ? actor.partnerId : undefined;
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        request_id: request.id,
        partner_id,
      },
      'request',
    );
  }
}

/** A browser that follows a link or a typed address. */
function asksForPage({ url, headers }: Request): boolean {
  return !url.startsWith('/v1') && /\btext\/html\b/.test(headers.accept ?? '');
}

function addHealth(app: App, { db, migrations }: ServerDeps): void {
  app.get('/livez', async (_, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', async (_, reply) => {
    const ready = await migrationsAtHead(db, migrations).catch(() => false);
    if (!ready) throw new Refusal('unavailable');
    return reply.type('text/plain').send('ok\n');
  });
}
