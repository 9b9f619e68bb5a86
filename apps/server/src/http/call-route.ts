import type { PartnerActor } from '../domain/access/actor.ts';
import type { Reply, Request } from './app.ts';
import { callerOf, requireOpen } from './edge/limit-load.ts';
import { type Call, type HandleDeps, handleCall, type Sent } from './handle.ts';
import { readInput } from './input/read-input.ts';
import type { AnyInput, Route } from './route.ts';

/** A request to another API that is answered by calling routes of `/v1`. */
export interface OuterRequest {
  readonly request: Request;
  readonly reply: Reply;
  readonly actor: PartnerActor;
  readonly now: Date;
}

interface RouteInput extends Partial<AnyInput> {
  readonly bodyText?: string;
  readonly idempotencyKey?: string | undefined;
}

export type CallRoute = (
  name: string,
  input: RouteInput,
  outer: OuterRequest,
  /** Called before the input is read, to refuse the caller. */
  authorize?: (route: Route) => void,
) => Promise<Sent>;

/**
 * Calls a route of `/v1`, such as `GET /tenants/{external_id}`, in this process: with its checks, transactions
 * and audit entries. The caller is authenticated by the outer request, which is also what is logged.
 */
export function createCallRoute(
  deps: HandleDeps & { readonly log: { child(fields: object): Call['log'] } },
  routes: readonly Route[],
): CallRoute {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return async (name, input, { request, reply, actor, now }, authorize) => {
    const route = byName.get(name);
    if (!route) throw new Error(`There is no route ${name}.`);
    authorize?.(route);
    const { params, query, body, bodyText = '', idempotencyKey } = input;
    return handleCall(deps, {
      route,
      actor,
      now,
      requestId: request.id,
      input: readInput(route, { params, query, body }),
      path: request.url.split('?', 1)[0] ?? '',
      idempotencyKey,
      log: deps.log.child({ request_id: request.id }),
      address: request.ip,
      caller: callerOf(actor, request),
      requireCaller: requireOpen(reply),
      http: {
        userAgent: request.headers['user-agent'] ?? null,
        origin: null,
        bodyText,
        reason: undefined,
        sessionCookie: () => undefined,
        visitSecret: null,
        visitCookie: () => undefined,
      },
    });
  };
}
