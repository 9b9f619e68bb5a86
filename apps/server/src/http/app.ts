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

export interface AppOptions {
  newRequestId(): string;
  /** Whose X-Forwarded-For tells the caller's address. */
  readonly trustedProxies: readonly string[];
  /** Answers what went wrong before a route was found, such as a broken percent escape. */
  refuse(error: Error, request: Request, reply: Reply): void;
}

/** An empty Fastify: JSON bodies only, no logger of its own, every failure through `refuse`. */
export async function createApp({
  newRequestId,
  trustedProxies,
  refuse,
}: AppOptions): Promise<App> {
  const app = fastify({
    bodyLimit,
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
  await app.register(cookies);
  return app;
}

function readBody(request: Request, body: Buffer): unknown {
  request.bodyText = decodeBody(body);
  return parseJson(request.bodyText);
}

/** Serves a folder of files; what is not there is left to the not-found answer. */
export async function serveFiles(app: App, options: FastifyStaticOptions): Promise<void> {
  await app.register(files, options);
}
