import { Readable } from 'node:stream';
import type { Actor } from '../domain/access/actor.ts';
import { Refusal } from '../domain/refusal.ts';
import type { App, Reply, Request } from './app.ts';
import {
  type Authenticate,
  refuseBrowser,
  requireKeyScope,
  requireTenantOfView,
} from './authenticate.ts';
import { clientOf } from './edge/client-of.ts';
import { allowOrigin, answerKeyPreflight, answerPreflight } from './edge/cors.ts';
import { createLargeUploads } from './edge/large-uploads.ts';
import { callerOf, type LoadLimit, requireOpen } from './edge/limit-load.ts';
import type { RateLimits } from './edge/rate-limit.ts';
import { type HandleDeps, handleCall, refuseOutsideSandbox } from './handle.ts';
import { readInput } from './input/read-input.ts';
import { RefusalWithHeaders } from './problem.ts';
import { namesTenant } from './request-log/describe-request.ts';
import { type LoggedInput, loggedInputOf } from './request-log/logged-fields.ts';
import type { AnyInput, Route } from './route.ts';
import type { SessionCookie } from './session-cookie.ts';

interface RegisterOptions {
  /** The path above the routes' paths, such as `/v1`. */
  readonly prefix: string;
  readonly routes: readonly Route[];
  readonly cookie: SessionCookie;
  readonly authenticate: Authenticate;
  /** Refuses an authenticated caller without permission for the route. Runs after the rate limit. */
  readonly authorize?: (row: Route, caller: KnownCall, request: Request) => Promise<void>;
  /** Called when the verb has thrown, after its transaction was rolled back. */
  readonly onError?: (
    row: Route,
    caller: KnownCall,
    request: Request,
    error: unknown,
  ) => Promise<void>;
  readonly limits: RateLimits;
  readonly load: LoadLimit;
  /** Each request is added when its caller is known. */
  readonly calls: WeakMap<Request, KnownCall>;
}

/** A request whose caller is known. */
export interface KnownCall {
  /** The path of the route with its parameters, such as `/v1/tenants/{external_id}`. */
  readonly pathTemplate: string;
  /** True if the response is about one tenant and names it. */
  readonly namesTenant: boolean;
  readonly logged: LoggedInput;
  readonly actor: Actor;
  /** When the request arrived. */
  readonly now: Date;
  /** The JSON of the response, if the request log needs it. */
  answer?: string;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Adds the routes to Fastify. */
export function addRoutes(
  app: App,
  deps: HandleDeps & { readonly log: { child(fields: object): HandleLog } },
  {
    prefix,
    routes,
    cookie,
    authenticate,
    authorize,
    onError,
    limits,
    load,
    calls,
  }: RegisterOptions,
): void {
  const takeLargeUpload = createLargeUploads(deps.clock);
  for (const row of routes) {
    const known = {
      pathTemplate: prefix + row.path,
      namesTenant: namesTenant(row),
      logged: loggedInputOf(row),
    };
    app.route({
      method: withHead(row.method),
      url: urlOf(prefix, row.path),
      config: { ...(row.cors && { cors: true }), ...(row.upload && { upload: row.upload }) },
      ...(row.largestUpload !== undefined && { bodyLimit: row.largestUpload }),
      onRequest: async (request, reply) => {
        if (row.cors) allowOrigin(request, reply);
        if (row.deprecated) reply.headers(deprecation(row.deprecated));
        const address = callerOf({ kind: 'anyone' }, request);
        load.check(address);
        const now = deps.clock.now();
        const credentials = credentialsOf(request, cookie);
        const actor = await load.run(address, () => authenticate(row, credentials, now));
        load.check(callerOf(actor, request));
        const caller = { ...known, actor, now };
        calls.set(request, caller);
        try {
          refuseBrowser(deps.service, actor, credentials);
        } catch (refusal) {
          // Only this answer may be read by a page of another origin.
          allowOrigin(request, reply);
          throw refusal;
        }
        reply.headers(limit(row, actor, request));
        requireKeyScope(row, actor);
        requireTenantOfView(actor, request.params);
        await authorize?.(row, caller, request);
        refuseOutsideSandbox(row, deps.service);
        refuseCompression(request);
        refuseTooLarge(row, request);
        if (row.largestUpload !== undefined) await takeLargeUpload(callerOf(actor, request), reply);
      },
      handler: async (request, reply) => {
        const caller = calls.get(request);
        if (!caller) throw new Error('A route ran without authentication.');
        const input = readInput(row, request);
        const call = {
          route: row,
          actor: caller.actor,
          now: caller.now,
          requestId: request.id,
          address: request.ip,
          caller: callerOf(caller.actor, request),
          requireCaller: requireOpen(reply),
          input,
          path: request.url.split('?', 1)[0] ?? '',
          idempotencyKey: header(request, 'idempotency-key'),
          log: deps.log.child({ request_id: request.id }),
          http: httpOf(request, reply, cookie),
        };
        // The call begins only now, because a body may take a minute to arrive.
        const answer = await handleCall(deps, call).catch(async (error: unknown) => {
          await onError?.(row, caller, request, error);
          throw error;
        });
        if (known.namesTenant || answer.status >= 400) caller.answer = answer.body;
        if (answer.replayed) reply.header('idempotent-replayed', 'true');
        reply.code(answer.status).headers(contentOf(row, input));
        const { file } = answer;
        if (file) {
          const disposition = `attachment; filename="${file.name}"`;
          reply.headers({ 'content-type': file.type, 'content-disposition': disposition });
          return reply.send(file.bytes);
        }
        // A stream would be read to its end for HEAD, too.
        const streams = answer.stream && request.method !== 'HEAD';
        return reply.send(streams ? Readable.from(answer.stream) : answer.body);
      },
    });
  }
  addOtherMethods(app, prefix, routes);

  function limit(row: Route, actor: Actor, request: Request) {
    if (row.group === 'doctor') limits.doctor.take(callerOf(actor, request));
    switch (actor.kind) {
      case 'partner':
        return limits.keys.take(actor.credentialId);
      case 'tenant':
      case 'operator':
        return limits.keys.take(actor.sessionId);
      case 'anyone':
      case 'system':
        return limits.addresses.take(`${prefix}${row.path} ${clientOf(request.ip)}`);
    }
  }
}

type Named = Readonly<Record<string, string>>;

function contentOf({ csv, download }: Route, { query, params }: AnyInput): Record<string, string> {
  if (!csv) {
    const json = { 'content-type': 'application/json; charset=utf-8' };
    if (download === undefined) return json;
    return { ...json, 'content-disposition': `attachment; filename="${download}"` };
  }
  const name = csv({ ...(params as Named), ...(query as Named) });
  return {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}"`,
  };
}

type HandleLog = Parameters<typeof handleCall>[1]['log'];

/** Answers 405 to the methods that a path does not support, before authentication. */
function addOtherMethods(app: App, prefix: string, routes: readonly Route[]): void {
  for (const path of new Set(routes.map((row) => row.path))) {
    const rows = routes.filter((row) => row.path === path);
    const cors = rows.some((row) => row.cors);
    const byKey = rows.some(({ who, internal }) => who.startsWith('key') && !internal);
    const calls = rows.flatMap((row) => withHead(row.method));
    const supported = [...calls, ...(cors || byKey ? ['OPTIONS'] : [])];
    const url = urlOf(prefix, path);
    if (cors) app.options(url, async (request, reply) => answerPreflight(request, reply));
    else if (byKey) {
      app.options(url, async (request, reply) => answerKeyPreflight(request, reply, calls));
    }
    app.route({
      method: methods.filter((method) => !supported.includes(method)),
      url,
      onRequest: async () => {
        throw new RefusalWithHeaders('method_not_allowed', { allow: supported.join(', ') });
      },
      handler: async () => undefined,
    });
  }
}

/** Every resource that supports GET supports HEAD (RFC 9110, section 9.1). */
function withHead(method: Route['method']): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function urlOf(prefix: string, path: string): string {
  return prefix + path.replace(/\{(\w+)\}/g, ':$1');
}

function refuseCompression(request: Request): void {
  const encoding = header(request, 'content-encoding');
  if (encoding !== undefined && encoding !== 'identity')
    throw new Refusal('unsupported_media_type');
}

/** Refuses a large file before it is read. A body without a length is refused once it has become too large. */
function refuseTooLarge({ largestUpload }: Route, request: Request): void {
  if (!largestUpload || Number(header(request, 'content-length') ?? 0) <= largestUpload) return;
  const message = `The file is larger than ${largestUpload / 1024 / 1024} MiB. Split it, or use the command line.`;
  throw new Refusal('payload_too_large', { message });
}

function credentialsOf(request: Request, { name }: SessionCookie) {
  return {
    authorization: request.headers.authorization,
    cookie: request.cookies[name],
    origin: request.headers.origin,
    background: header(request, 'svc-background') !== undefined,
    documentAddress: (request.params as { documentAddress?: string }).documentAddress,
  };
}

function httpOf(request: Request, reply: Reply, { name, secure }: SessionCookie) {
  const cookie = { httpOnly: true, path: '/', sameSite: 'strict' as const, secure };
  const visit = `${name}_visit`;
  return {
    userAgent: request.headers['user-agent'] ?? null,
    origin: request.headers.origin ?? null,
    bodyText: request.bodyText,
    reason: decodedHeader(request, 'svc-reason'),
    sessionCookie(secret: string | null, expiresAt?: string) {
      if (secret === null) reply.clearCookie(name, cookie);
      else reply.setCookie(name, secret, { ...cookie, expires: new Date(expiresAt ?? 0) });
    },
    visitSecret: request.cookies[visit] ?? null,
    visitCookie: (secret: string, expiresAt: string) =>
      void reply.setCookie(visit, secret, { ...cookie, expires: new Date(expiresAt) }),
  };
}

/** Returns the headers of RFC 9745 and RFC 8288. */
function deprecation({ since, successor }: NonNullable<Route['deprecated']>) {
  return { deprecation: `@${since}`, link: `<${successor}>; rel="successor-version"` };
}

/** Reads a header that is percent-encoded, because headers are ASCII. Undefined if it is empty or malformed. */
function decodedHeader(request: Request, name: string): string | undefined {
  try {
    return decodeURIComponent(header(request, name) ?? '') || undefined;
  } catch {
    return undefined;
  }
}

function header(request: Request, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
