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
    /** Pages of any origin may call the route. */
    cors?: true;
    /** The route takes a file of this type, and no JSON. */
    upload?: string;
  }
  interface FastifyRequest {
    /** The raw text of the JSON body; empty without a body. */
    bodyText: string;
  }
}

const bodyLimit = 256 * 1024;
// Below Node's own limit for a request's head (16 KiB), so that long ids reach validation.
const longestParam = 20_000;
// Common load balancers close idle connections after 60 s. Ours stay open longer, because a
// connection that we close could have a request on its way at that moment.
const keepAliveMs = 72_000;

// While a file is sent, 11 or 12 listeners wait for the response's `close`: 3 or 4 are ours, the rest
// Fastify's and Node's. Their number does not grow, but Node warns of a leak from 11 on.
const mostListeners = 20;

interface AppOptions {
  newRequestId(): string;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Awaited before a body is read, so that one caller's bodies do not occupy the thread. */
  readonly takeTurn?: (request: Request) => Promise<void>;
  /** Media types of files that some routes take. */
  readonly uploadTypes?: readonly string[];
  /** Answers every error, also those from before a route was found, such as a broken percent escape. */
  refuse(error: Error, request: Request, reply: Reply): void;
  readonly deadlines?: Deadlines;
}

interface Deadlines {
  /** The deadline from the first byte of a request to the last byte of its body. */
  readonly requestMs: number;
  /** The deadline from the first byte, or from the connection, to the end of the headers. */
  readonly headersMs: number;
  /** How often connections are checked; a deadline can be this late. */
  readonly checkMs: number;
}

/** No request takes longer than a minute to arrive. */
const defaultDeadlines: Deadlines = { requestMs: 50_000, headersMs: 20_000, checkMs: 5_000 };

export interface HttpApp {
  readonly app: App;
  readonly eachServer: EachServer;
}

/**
 * Calls `use` with each HTTP server of the app, before it listens. There are two where `localhost`
 * resolves to both 127.0.0.1 and ::1.
 */
export type EachServer = (use: (server: Server) => void) => void;

/** Creates a Fastify without routes that takes JSON bodies only and passes every error to `refuse`. */
export async function createApp({
  newRequestId,
  trustedProxies,
  takeTurn = async () => {},
  uploadTypes = [],
  refuse,
  deadlines = defaultDeadlines,
}: AppOptions): Promise<HttpApp> {
  const servers: Server[] = [];
  const uses: Parameters<EachServer>[0][] = [];
  const serverFactory = (handle: RequestListener) => {
    const server = createHttpServer(handle, deadlines);
    servers.push(server);
    for (const use of uses) use(server);
    return server;
  };
  const app = fastify({
    bodyLimit,
    // edge/malformed-requests.ts answers instead.
    clientErrorHandler: () => undefined,
    serverFactory,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: refuse,
    genReqId: newRequestId,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    routerOptions: { maxParamLength: longestParam },
    schemaController: {
      compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
    },
  });
  app.decorateRequest('bodyText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: Request, body: Buffer) => {
      await takeTurn(request);
      return readBody(request, body);
    },
  );
  // A browser sends text/plain to another origin without a preflight request.
  app.addContentTypeParser(
    'text/plain',
    { parseAs: 'buffer' },
    async (request: Request, body: Buffer) => {
      if (!request.routeOptions.config.cors) throw new Refusal('unsupported_media_type');
      await takeTurn(request);
      return readBody(request, body);
    },
  );
  for (const type of uploadTypes) {
    app.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (request: Request, body: Buffer) => {
        const { upload } = request.routeOptions.config;
        if (upload !== type) throw upload ? noFile(upload) : new Refusal('unsupported_media_type');
        await takeTurn(request);
        return body;
      },
    );
  }
  // Any other type, or none. A client that announces no length sends even an empty body in chunks and
  // without a type, such as Svix's for Go. That is a request without a body.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: Request, body: Buffer) => {
    if (body.length > 0 || request.headers['content-type'] !== undefined) {
      throw new Refusal('unsupported_media_type');
    }
    return undefined;
  });
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => refuse(new Refusal('not_found'), request, reply));
  await app.register(cookies);
  return {
    app,
    eachServer(use) {
      uses.push(use);
      for (const server of servers) use(server);
    },
  };
}

/**
 * In place of the compilers of JSON schemas: 113 modules, which take 1.2 MB of the heap. No route declares
 * a schema, because handle.ts parses each input.
 */
function refuseSchema(): never {
  throw new Error('A route declares a JSON schema, which nothing compiles.');
}

function readBody(request: Request, body: Buffer): unknown {
  const { upload } = request.routeOptions.config;
  if (upload) throw noFile(upload);
  request.bodyText = decodeBody(body);
  return parseJson(request.bodyText);
}

function noFile(type: string): Refusal {
  return new Refusal('unsupported_media_type', {
    message: `The body is not ${type}. Send the file as it is, with "Content-Type: ${type}".`,
  });
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
    (request, response) => {
      response.setMaxListeners(mostListeners);
      handle(request, response);
    },
  );
}

/** Serves the files of a folder. A missing file is a 404 of the app. */
export async function serveFiles(app: App, options: FastifyStaticOptions): Promise<void> {
  await app.register(files, options);
}
