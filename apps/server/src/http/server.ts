import { join } from 'node:path';
import type { Database } from '@svc/db';
import type { Clock } from '@svc/runtime';
import type { Engine } from '@svc/webhooks';
import type { Logger } from 'pino';
import type { Service } from '../context.ts';
import type { KnownKeys } from '../domain/access/known-keys.ts';
import { LastReports } from '../domain/forks/last-reports.ts';
import { Refusal } from '../domain/refusal.ts';
import { newId } from '../ids.ts';
import type { SvixEndpoints } from '../relay/svix/svix-endpoints.ts';
import { addPages, type PageFolders } from './add-pages.ts';
import { createProblemAnswers, sendProblem } from './answer-problems.ts';
import { type App, createApp, type Reply, type Request } from './app.ts';
import { createAuthenticate } from './authenticate.ts';
import type { ReaderLinks } from './docs/reader-links.ts';
import { servedAsyncApi, servedDocument } from './docs/served-document.ts';
import { addDocumentFiles } from './document-files.ts';
import { clientOf } from './edge/client-of.ts';
import { endConnections } from './edge/end-connections.ts';
import { limitConnections } from './edge/limit-connections.ts';
import { callerOf, createLoadLimit, type LoadRecorder } from './edge/limit-load.ts';
import { answerMalformedRequests } from './edge/malformed-requests.ts';
import { createPartnerPlaces } from './edge/partner-places.ts';
import { createRateLimits } from './edge/rate-limit.ts';
import { addSecurityHeaders } from './edge/security-headers.ts';
import { createTurns } from './edge/take-turns.ts';
import { warnOfProxies } from './edge/warn-of-proxies.ts';
import type { HandleDeps } from './handle.ts';
import { logRequests } from './log-requests.ts';
import { addMcp } from './mcp/add-mcp.ts';
import { noSuchRoute } from './no-such-route.ts';
import { observeRequests, type RequestObserver } from './observe-requests.ts';
import { addOperator, separateOperatorHost } from './operator/add-operator.ts';
import { type Problem, problemBody, problemOf } from './problem.ts';
import { addProcessorWebhooks, type ProcessorWebhookObserver } from './processor-webhooks.ts';
import type { Readiness } from './readiness.ts';
import { addRoutes, type KnownCall } from './register.ts';
import { createRequestLog, type RequestLogObserver } from './request-log/create-request-log.ts';
import { uploadTypes } from './route.ts';
import { routesThroughSvix } from './routes/through-svix.ts';
import { routes } from './routes.ts';
import { sessionCookie } from './session-cookie.ts';
import { addSvix } from './svix/add-svix.ts';
import { addTextWebhooks } from './text-webhooks.ts';

interface ServerDeps
  extends Omit<HandleDeps, 'requestLog' | 'load' | 'places' | 'recordedRoutes' | 'lastReports'> {
  readonly db: Database;
  /** A database with separate connections, for the rate limits that processes share. */
  readonly background: Database;
  readonly clock: Clock;
  readonly service: Service;
  readonly engine: Engine;
  readonly keys: KnownKeys;
  readonly log: Logger;
  readonly requestsPerSecond: number;
  /** The limit for each route and address, where no key is needed. */
  readonly requestsPerMinute: number;
  readonly trustedProxies: readonly string[];
  readonly folders: PageFolders;
  readonly readerLinks: ReaderLinks;
  readonly readiness: Readiness;
  /** Simultaneous connections; further ones are closed at once. */
  readonly maxConnections: number;
  readonly observers?: readonly RequestObserver[];
  readonly loadRecorder?: LoadRecorder;
  readonly processorWebhooks?: ProcessorWebhookObserver;
  readonly requestLogObserver?: RequestLogObserver;
  /** Set when webhooks are handed to a Svix server. */
  readonly svixEndpoints?: SvixEndpoints | undefined;
}

type HealthDeps = Pick<
  ServerDeps,
  'clock' | 'log' | 'service' | 'readiness' | 'trustedProxies' | 'maxConnections'
>;

/** Creates the HTTP side of a process without the role `api`: health checks only, ready to listen. */
export async function createHealthServer(deps: HealthDeps): Promise<App> {
  const { clock, log, service } = deps;
  const newRequestId = () => newId('req', clock.now());
  const bodyOf = (problem: Problem, requestId: string) =>
    problemBody(problem, requestId, service.publicOrigin);
  const http = await createApp({
    newRequestId,
    trustedProxies: deps.trustedProxies,
    refuse(error, request, reply) {
      const problem = problemOf(request.is404 ? noRequestsHere : error);
      sendProblem(reply, problem, bodyOf(problem, request.id));
    },
  });
  endConnections(http, clock);
  limitConnections(http.eachServer, deps.maxConnections, { clock, log });
  answerMalformedRequests(http, {
    newRequestId,
    bodyOf,
    log: (fields) => log.info(fields, 'malformed request'),
  });
  addHealth(http.app, deps);
  return http.app;
}

const noRequestsHere = new Refusal('not_found', {
  message:
    'This process runs background work only (SVC_ROLES=worker). Send requests to a process with the role api.',
});

/** Creates the HTTP side of the service, ready to listen. */
export async function createServer(deps: ServerDeps): Promise<App> {
  const { clock, log, service, svixEndpoints } = deps;
  const load = createLoadLimit({
    clock,
    log,
    cluster: deps.db.cluster,
    ...(deps.loadRecorder && { recorder: deps.loadRecorder }),
  });
  const limits = createRateLimits({ ...deps, db: deps.background });
  const requestLog = createRequestLog({ ...deps, db: deps.background });
  const requests = {
    calls: new WeakMap<Request, KnownCall>(),
    /** Refused by the load limit. They are counted instead of logged. */
    shed: new WeakSet<Request>(),
  };
  const { problemFor, answerProblem } = createProblemAnswers({ log, service, limits, ...requests });
  const newRequestId = () => newId('req', clock.now());
  const takeTurn = createTurns(clock);
  const http = await createApp({
    newRequestId,
    trustedProxies: deps.trustedProxies,
    uploadTypes,
    takeTurn: (request) =>
      takeTurn(callerOf(requests.calls.get(request)?.actor ?? { kind: 'anyone' }, request)),
    refuse: answerProblem,
  });
  const { app } = http;
  app.addHook('onClose', () => limits.stop());
  app.addHook('onClose', () => requestLog.stop());
  observeRequests(app, deps.observers ?? []);
  endConnections(http, clock);
  limitConnections(http.eachServer, deps.maxConnections, { clock, log });
  warnOfProxies(app, deps);
  addHeaders(app, deps);
  separateOperatorHost(app, service);
  answerMalformedRequests(http, {
    newRequestId,
    bodyOf: (problem, requestId) => problemBody(problem, requestId, service.publicOrigin),
    log: (fields) => log.info(fields, 'malformed request'),
  });
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw noSuchRoute(routes, request);
  });
  logRequests(app, { log, requestLog, ...requests });
  const access = {
    prefix: '/v1',
    routes: svixEndpoints ? routesThroughSvix(routes, svixEndpoints) : routes,
    cookie: sessionCookie('svc_portal', service.publicOrigin),
    authenticate: createAuthenticate(deps.db, service, deps.keys),
    limits,
    load,
    calls: requests.calls,
  };
  const handling = {
    ...deps,
    requestLog,
    load,
    places: createPartnerPlaces(clock),
    recordedRoutes: routes.filter((it) => it.recorded),
    lastReports: new LastReports(),
  };
  addRoutes(app, handling, access);
  addOperator(app, handling, access);
  addDocumentFiles(app, handling, { ...access, problemFor });
  addSvix(app, handling, { ...access, problemFor });
  addMcp(app, handling, {
    ...access,
    problemFor,
    docsFolder: join(deps.folders.guides, 'apps/docs/dist'),
  });
  addProcessorWebhooks(app, deps, { limits, load });
  addTextWebhooks(app, deps, { limits, load });
  addHealth(app, deps);
  const descriptions = {
    '/v1/openapi.json': () => servedDocument(service).text,
    '/v1/asyncapi.json': () => servedAsyncApi(service),
  };
  for (const [path, textOf] of Object.entries(descriptions)) {
    addGet(app, path, async (request, reply) => {
      limits.pages.take(clientOf(request.ip));
      reply.type('application/json');
      return reply.send(await textOf().bodyFor(request, reply));
    });
  }
  await addPages(app, { ...deps, limits, load });
  return app;
}

/** Adds the headers that every response has. */
function addHeaders(app: App, { readiness, service }: Pick<ServerDeps, 'readiness' | 'service'>) {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (/^\/(operator\/)?v1/.test(request.url)) reply.header('cache-control', 'no-store');
    // Clients move to another process before this one closes their connections.
    if (readiness.draining) reply.header('connection', 'close');
  });
  if (service.publicOrigin.startsWith('https:')) addSecurityHeaders(app);
}

function addHealth(app: App, { readiness }: Pick<ServerDeps, 'readiness'>): void {
  addGet(app, '/livez', async (_, reply) => reply.type('text/plain').send('ok\n'));
  addGet(app, '/readyz', async (_, reply) => {
    const reason = await readiness.whyNot();
    if (reason !== undefined) throw new Refusal('unavailable', { message: reason });
    const { remark } = readiness;
    return reply.type('text/plain').send(remark === undefined ? 'ok\n' : `ok. ${remark}\n`);
  });
}

type Handler = (request: Request, reply: Reply) => Promise<unknown>;

/** HEAD works wherever GET does. */
function addGet(app: App, url: string, handler: Handler): void {
  app.route({ method: ['GET', 'HEAD'], url, handler });
}
