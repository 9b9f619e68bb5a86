import { createServer, type RequestListener, type Server } from 'node:http';
import cookies from '@fastify/cookie';
import files, { type FastifyStaticOptions } from '@fastify/static';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Refusal } from '../domain/refusal.ts';
import { decodeBody, parseJson } from './input/parse-json.ts';

export type App = FastifyInstance;
export type Request = FastifyRequest;
export type Reply = FastifyReply;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page of any origin may ask. */
    cors?: true;
  }
  interface FastifyRequest {
    /** The JSON body as it was sent; empty without one. */
    bodyText: string;
  }
}

export const bodyLimit = 256 * 1024;
// Below Node's own limit for a request's head (16 KiB), so that long ids reach validation.
const longestParam = 20_000;
// Longer than the 60 s for which common load balancers keep an idle connection, so that it is theirs
// to close: one that we close may carry a request at that moment.
const keepAliveMs = 72_000;

export interface AppOptions {
  newRequestId(): string;
  /** Whose X-Forwarded-For tells the caller's address. */
  readonly trustedProxies: readonly string[];
  /** Answers what went wrong before a route was found, such as a broken percent escape. */
  refuse(error: Error, request: Request, reply: Reply): void;
  readonly deadlines?: Deadlines;
}

export interface Deadlines {
  /** From the first byte of a request to the last one of its body. */
  readonly requestMs: number;
  /** From the first byte, or from the connection, to the end of the headers. */
  readonly headersMs: number;
  /** How often connections are checked: a deadline is late by at most this much. */
  readonly checkMs: number;
}

/** No request takes longer than a minute to arrive. */
const defaultDeadlines: Deadlines = { requestMs: 50_000, headersMs: 20_000, checkMs: 5_000 };

/** An empty Fastify: JSON bodies only, no logger of its own, every failure through `refuse`. */
export async function createApp({
  newRequestId,
  trustedProxies,
  refuse,
  deadlines = defaultDeadlines,
}: AppOptions): Promise<App> {
  const servers: Server[] = [];
  const uses: ServerUse[] = [];
  const serverFactory = (handle: RequestListener) => {
    const server = createHttpServer(handle, deadlines);
    servers.push(server);
    for (const use of uses) use(server);
    return server;
  };
  const app = fastify({
    bodyLimit,
    // edge/malformed-requests.ts answers; Fastify's own would answer too.
    clientErrorHandler: () => undefined,
    serverFactory,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: refuse,
    genReqId: newRequestId,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    routerOptions: { maxParamLength: longestParam },
  });
  app.decorateRequest('bodyText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: Request, body: Buffer) => readBody(request, body),
  );
  // A page may send text to another origin at once; for JSON its browser would ask for leave first.
  app.addContentTypeParser(
    'text/plain',
    { parseAs: 'buffer' },
    async (request: Request, body: Buffer) => {
      if (!request.routeOptions.config.cors) throw new Refusal('unsupported_media_type');
      return readBody(request, body);
    },
  );
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => refuse(new Refusal('not_found'), request, reply));
  await app.register(cookies);
  serversOf.set(app, { servers, uses });
  return app;
}

function readBody(request: Request, body: Buffer): unknown {
  request.bodyText = decodeBody(body);
  return parseJson(request.bodyText);
}

type ServerUse = (server: Server) => void;

const serversOf = new WeakMap<App, { servers: readonly Server[]; uses: ServerUse[] }>();

/**
 * Calls `use` with each HTTP server of the app before it listens. There is a second one where
 * `localhost` stands for 127.0.0.1 and for ::1.
 */
export function eachServer(app: App, use: ServerUse): void {
  const own = serversOf.get(app);
  if (!own) throw new Error('the app was not made by createApp');
  own.uses.push(use);
  for (const server of own.servers) use(server);
}

function createHttpServer(handle: RequestListener, deadlines: Deadlines): Server {
  const { requestMs, headersMs, checkMs } = deadlines;
  return createServer(
    {
      connectionsCheckingInterval: checkMs,
      headersTimeout: headersMs,
      keepAliveTimeout: keepAliveMs,
      // A request without Host is refused by edge/malformed-requests.ts.
      requireHostHeader: false,
      requestTimeout: requestMs,
    },
    handle,
  );
}

/** Serves a folder of files; what is not there is left to the not-found answer. */
export async function serveFiles(app: App, options: FastifyStaticOptions): Promise<void> {
  await app.register(files, options);
}
