import type { Logger } from 'pino';
import type { App, Reply, Request } from './app.ts';
import type { KnownCall } from './register.ts';
import type { RequestLog } from './request-log/create-request-log.ts';
import { describeRequest } from './request-log/describe-request.ts';

interface LogDeps {
  readonly log: Logger;
  readonly requestLog: RequestLog;
  readonly calls: WeakMap<Request, KnownCall>;
  /** Requests that the load limit refused. They are counted instead of logged. */
  readonly shed: WeakSet<Request>;
}

/** Logs each request when it ends, and puts the calls of partners' backends into their request logs. */
export function logRequests(app: App, { log, requestLog, calls, shed }: LogDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    // The client may close the connection at any time, and we do when a deadline passes.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) logRequest(request, reply, 'request aborted');
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    if (shed.has(request)) return;
    if (!reply.raw.destroyed || reply.raw.writableFinished) logRequest(request, reply, 'request');
  });

  function logRequest(request: Request, reply: Reply, message: string): void {
    const call = calls.get(request);
    const actor = call?.actor;
    const partner_id = actor && 'partnerId' in actor ? actor.partnerId : undefined;
    if (call) recordCall(requestLog, request, reply, call);
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        request_id: request.id,
        address: request.ip,
        partner_id,
        ...(actor?.kind === 'operator' && { operator_id: actor.operatorId }),
      },
      message,
    );
  }
}

/** Puts a call of a partner's backend into its request log. Calls of the console are left out. */
function recordCall(
  requestLog: RequestLog,
  request: Request,
  reply: Reply,
  { actor, now, answer, ...route }: KnownCall,
): void {
  if (actor.kind !== 'partner' || actor.via !== 'key') return;
  const finished = {
    ...route,
    partnerId: actor.partnerId,
    keyId: actor.credentialId,
    arrivedAt: now,
    answer,
    status: reply.raw.writableFinished ? reply.statusCode : clientClosedRequest,
    durationMs: reply.elapsedTime,
  };
  requestLog.record(() => describeRequest(request, finished));
}

/** The status that the request log shows for a connection that the caller closed, as nginx does. */
const clientClosedRequest = 499;
