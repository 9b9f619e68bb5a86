import type { FieldError } from '@svc/contract';
import type { Service } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';
import type { App, Reply, Request } from '../app.ts';
import { type Authenticate, refuseBrowser, requireKeyScope } from '../authenticate.ts';
import { createCallRoute } from '../call-route.ts';
import { allowOrigin, answerKeyPreflight } from '../edge/cors.ts';
import { callerOf, type LoadLimit } from '../edge/limit-load.ts';
import type { RateLimits } from '../edge/rate-limit.ts';
import type { Call, HandleDeps } from '../handle.ts';
import { type Problem, problemBody } from '../problem.ts';
import type { KnownCall } from '../register.ts';
import { loggedInputOf } from '../request-log/logged-fields.ts';
import type { Route } from '../route.ts';
import { queryIn } from './input.ts';
import { type Answered, operations, readSvixQuery, type SvixRequest } from './operations.ts';
import { errorBody, SvixRefusal } from './svix-error.ts';

interface Options {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly limits: RateLimits;
  readonly load: LoadLimit;
  /** Each request is added when its caller is known. */
  readonly calls: WeakMap<Request, KnownCall>;
  /** The answer to any other error, after counting or logging it. */
  problemFor(error: unknown, request: Request): Problem;
}

const prefix = '/svix/api/v1';
/** The headers that Svix's clients send with each call. */
const headersOfSvix = ['svix-req-id', 'svix-retry-count', 'user-agent'];

/**
 * Svix's API over our own routes, so that the `svix` client libraries work with `serverUrl` set to
 * `<origin>/svix`. Each operation calls routes of `/v1` in this process and translates their input and
 * result. So it has their checks, transactions, audit entries, idempotency and rate limits. Each request
 * is one entry of the request log, whatever routes it called.
 */
export function addSvix(
  app: App,
  deps: HandleDeps & {
    readonly service: Service;
    readonly log: { child(fields: object): Call['log'] };
  },
  { routes, authenticate, limits, load, calls, problemFor }: Options,
): void {
  const callRoute = createCallRoute(deps, routes);
  const callers = new WeakMap<Request, { actor: PartnerActor; now: Date }>();
  const spellings = operations.flatMap((it) => {
    const url = prefix + it.path.replace(/\{(\w+)\}/g, ':$1');
    // Older client libraries end each address with a slash.
    const logged = loggedInputOf({ query: queryIn, body: it.body });
    return [url, `${url}/`].map((spelling) => ({ ...it, url: spelling, logged }));
  });
  for (const { method, path, url, run, logged } of spellings) {
    const row = { who: 'key', keyScope: 'webhooks', method, kind: 'command' } as const;
    app.route({
      method,
      url,
      onRequest: async (request, reply) => {
        const address = callerOf({ kind: 'anyone' }, request);
        load.check(address);
        const now = deps.clock.now();
        const { authorization, origin } = request.headers;
        const credentials = { authorization, origin, cookie: undefined, background: false };
        const actor = await load.run(address, () => authenticate(row, credentials, now));
        if (actor.kind !== 'partner') throw new Error('An API key belongs to a partner.');
        load.check(callerOf(actor, request));
        callers.set(request, { actor, now });
        calls.set(request, { pathTemplate: prefix + path, namesTenant: false, logged, actor, now });
        try {
          refuseBrowser(deps.service, actor, credentials);
        } catch (refusal) {
          // Only this answer may be read by a page of another origin.
          allowOrigin(request, reply);
          throw refusal;
        }
        reply.headers(limits.keys.take(actor.credentialId));
        requireKeyScope(row, actor);
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (!caller) throw new Error('A route ran without authentication.');
        const answered = await run(requestOf(request, reply, caller));
        return send(reply, answered);
      },
      errorHandler: refuse,
    });
  }
  for (const url of new Set(spellings.map((it) => it.url))) {
    const methods = spellings.filter((it) => it.url === url).map(({ method }) => method);
    app.options(url, async (request, reply) =>
      answerKeyPreflight(request, reply, methods, headersOfSvix),
    );
  }
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/svix/*',
    handler: async () => {
      throw new SvixRefusal(404, 'not_found', 'This call of Svix’s API is not supported here.');
    },
    errorHandler: refuse,
  });

  function refuse(error: Error, request: Request, reply: Reply): void {
    const isOurs = error instanceof SvixRefusal || error instanceof StoredError;
    const problem = isOurs ? error : problemFor(error, request);
    const headers = 'headers' in problem ? problem.headers : {};
    const call = calls.get(request);
    if (call) call.answer = problemBody(problem, request.id, deps.service.publicOrigin);
    reply.headers({ 'x-request-id': request.id, ...headers });
    send(reply, { status: problem.status, data: errorBody(problem) });
  }

  function requestOf(
    request: Request,
    reply: Reply,
    { actor, now }: { actor: PartnerActor; now: Date },
  ): SvixRequest {
    // Only a request's first write uses its key. Others, such as disabling a new endpoint, can be repeated.
    let idempotencyKey = keyOf(request);
    return {
      pms: actor.pms,
      params: request.params as Record<string, string>,
      query: readSvixQuery(request.query),
      body: request.body ?? {},
      bodyText: request.bodyText,
      async call(name, { params, query, body, bodyText = '' } = {}) {
        const isWrite = !name.startsWith('GET ');
        const answer = await callRoute(
          name,
          { params, query, body, bodyText, idempotencyKey: isWrite ? idempotencyKey : undefined },
          { request, reply, actor, now },
        );
        if (isWrite) idempotencyKey = undefined;
        const { data, error } = JSON.parse(answer.body);
        if (error) throw new StoredError(answer.status, error);
        return data;
      },
    };
  }
}

/** The stored error of an earlier call with the same Idempotency-Key. */
class StoredError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[] | undefined;

  constructor(status: number, error: { code: string; message: string; errors?: FieldError[] }) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.errors = error.errors;
  }
}

function send(reply: Reply, { status, data }: Answered): Reply {
  reply.code(status).header('cache-control', 'no-store');
  if (status === 204) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(data));
}

function keyOf({ headers }: Request): string | undefined {
  const key = headers['idempotency-key'];
  return Array.isArray(key) ? key.join(', ') : key;
}
