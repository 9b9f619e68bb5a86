import { logged } from '@svc/contract';
import type { ToolService } from '@svc/mcp';
import { z } from 'zod';
import type { Service } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';
import { Refusal } from '../../domain/refusal.ts';
import { version } from '../../migrations.ts';
import type { App, Request } from '../app.ts';
import { type Authenticate, refuseBrowser, requireKeyScope } from '../authenticate.ts';
import { type CallRoute, createCallRoute, type OuterRequest } from '../call-route.ts';
import { readDocsText } from '../docs/read-docs-text.ts';
import { callerOf, type LoadLimit } from '../edge/limit-load.ts';
import type { RateLimits } from '../edge/rate-limit.ts';
import type { Call, HandleDeps } from '../handle.ts';
import { type Problem, RefusalWithHeaders } from '../problem.ts';
import type { KnownCall } from '../register.ts';
import { loggedInputOf } from '../request-log/logged-fields.ts';
import type { Route } from '../route.ts';

interface Options {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly limits: RateLimits;
  readonly load: LoadLimit;
  /** Each request is added when its caller is known. */
  readonly calls: WeakMap<Request, KnownCall>;
  /** The built docs. */
  readonly docsFolder: string;
  /** The answer to any other error, after counting or logging it. */
  problemFor(error: unknown, request: Request): Problem;
}

const path = '/mcp';
const row = { who: 'key', keyScope: 'any', method: 'POST', kind: 'query' } as const;
const query = z.object({ write: logged(z.string().optional()) });
/** The request log keeps only which tool a message called. */
const message = z.looseObject({
  method: logged(z.string()),
  params: z.looseObject({ name: logged(z.string().optional()) }).optional(),
});

/**
 * The tools for coding agents at `POST /mcp`: the Streamable HTTP transport of the Model Context Protocol,
 * without sessions, with JSON answers. Tools call routes of `/v1` in this process. Each message is one entry
 * of the request log and counts once in the rate limit of its key, whatever routes its tool called.
 */
export function addMcp(
  app: App,
  deps: HandleDeps & {
    readonly service: Service;
    readonly log: { child(fields: object): Call['log'] };
  },
  options: Options,
): void {
  const { routes, authenticate, limits, load, calls, problemFor } = options;
  const { service } = deps;
  const callRoute = createCallRoute(deps, routes);
  const callers = new WeakMap<Request, { actor: PartnerActor; now: Date }>();
  const known = {
    pathTemplate: path,
    namesTenant: false,
    logged: loggedInputOf({ query, body: message }),
  };

  app.route({
    method: 'POST',
    url: path,
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
      calls.set(request, { ...known, actor, now });
      refuseBrowser(service, actor, credentials);
      reply.headers(limits.keys.take(actor.credentialId));
      if (service.environment !== 'sandbox') {
        throw new Refusal('simulation_unavailable', {
          message:
            'The tools for coding agents exist in the sandbox only. Use the address and a key of the sandbox.',
        });
      }
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      if (!caller) throw new Error('A route ran without authentication.');
      const { write = 'false' } = readQuery(request.query);
      if (Array.isArray(request.body)) {
        throw new Refusal('invalid_json', { message: 'Send one JSON-RPC message, not a list.' });
      }
      // Only services that agents use need it.
      const { answerMessage } = await import('@svc/mcp');
      const answer = await answerMessage(
        {
          service: toolService({ ...options, callRoute, service }, { request, reply, ...caller }),
          version,
          write: write === 'true',
          howToWrite: `Ask the user to set the server’s URL to ${service.publicOrigin}${path}?write=true.`,
          explain: (error) => explain(problemFor(error, request), service.publicOrigin),
        },
        new Request(service.publicOrigin + path, { method: 'POST', headers: headersOf(request) }),
        request.body,
      );
      return reply
        .code(answer.status)
        .headers(Object.fromEntries(answer.headers))
        .header('cache-control', 'no-store')
        .send(await answer.text());
    },
  });
  // Without sessions, there is nothing to listen to or to end.
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: path,
    handler: async () => {
      throw new RefusalWithHeaders('method_not_allowed', { allow: 'POST' });
    },
  });
}

function readQuery(given: unknown): z.output<typeof query> {
  const parsed = query.safeParse(given);
  if (parsed.success && ['true', 'false', undefined].includes(parsed.data.write)) {
    return parsed.data;
  }
  throw new Refusal('validation_failed', {
    message: 'write must be "true" or "false", and given once.',
    param: 'write',
  });
}

/** The headers that the transport reads. */
function headersOf({ headers }: Request): Record<string, string> {
  const names = ['accept', 'content-type', 'mcp-protocol-version'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

function toolService(
  {
    callRoute,
    service,
    limits,
    docsFolder,
  }: Pick<Options, 'limits' | 'docsFolder'> & {
    readonly callRoute: CallRoute;
    readonly service: Service;
  },
  outer: OuterRequest,
): ToolService {
  const { actor, request } = outer;
  const authorize = (route: Route) => {
    if (route.group === 'doctor') limits.doctor.take(callerOf(actor, request));
    requireKeyScope(route, actor);
  };
  return {
    origin: service.publicOrigin,
    async call<T>(
      name: string,
      { params, query: given, body }: Parameters<ToolService['call']>[1] = {},
    ) {
      const texts = Object.entries(given ?? {}).flatMap(([field, value]) =>
        value === undefined ? [] : [[field, String(value)]],
      );
      const input = { params, query: Object.fromEntries(texts), body };
      const answer = await callRoute(name, input, outer, authorize);
      return (JSON.parse(answer.body) as { data: T }).data;
    },
    readDocs: (file) => readDocsText(docsFolder, file, service.publicOrigin),
  };
}

function explain({ code, message: text, errors = [] }: Problem, origin: string): string {
  const fields = errors.map(({ param, message: wrong }) => `${param} ${wrong}`);
  const what = fields.length > 0 ? `The service refused: ${fields.join('; ')}.` : text;
  return `${what} See ${origin}/docs/errors#${code}`;
}
