import type { Queryable } from '@svc/db';
import type { Log } from '@svc/runtime';
import type { Engine } from '@svc/webhooks';
import { requireReachable } from '../cluster.ts';
import type { RequestSteps, Service, UnitOfWork } from '../context.ts';
import type { Actor, PartnerActor } from '../domain/access/actor.ts';
import type { KnownKeys } from '../domain/access/known-keys.ts';
import { recordAudit } from '../domain/audit/record.ts';
import type { Measurements } from '../domain/back-office/health.ts';
import type { LastReports } from '../domain/forks/last-reports.ts';
import { recordCall } from '../domain/forks/recorded-calls.ts';
import { Refusal } from '../domain/refusal.ts';
import { runOperatorCommand } from '../operator/administer.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import {
  type Answer,
  type Commands,
  runAction,
  runCommand,
  runLongQuery,
  runSteps,
  type Work,
} from './command.ts';
import type { LoadLimit, RequireCaller } from './edge/limit-load.ts';
import type { PartnerPlaces } from './edge/partner-places.ts';
import { type Claim, readClaim, renewClaim, type Stored } from './idempotency.ts';
import { readInput } from './input/read-input.ts';
import { problemBody, problemOf } from './problem.ts';
import { readingTx } from './query.ts';
import type { RequestLog } from './request-log/create-request-log.ts';
import {
  type AnyInput,
  FileBytes,
  JsonText,
  type Route,
  type RouteCtx,
  TextStream,
} from './route.ts';

export interface HandleDeps extends Commands {
  readonly engine: Pick<Engine, 'sendTest' | 'wake' | 'probe' | 'fetchPage' | 'fetchSigned'>;
  readonly keys: Pick<KnownKeys, 'clear'>;
  readonly requestLog: Pick<RequestLog, 'write'>;
  readonly measure: () => Promise<Measurements>;
  readonly load: Pick<LoadLimit, 'run' | 'limited'>;
  readonly places: PartnerPlaces;
  /** The routes that forks repeat. */
  readonly recordedRoutes: readonly Route[];
  readonly lastReports: LastReports;
}

/** One authenticated request with its parsed input. */
export interface Call {
  readonly route: Route;
  readonly actor: Actor;
  readonly now: Date;
  readonly requestId: string;
  readonly input: AnyInput;
  /** The request's path, without the query string. */
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly log: Log;
  readonly address: string;
  /** The caller whose share of the service the call uses (edge/limit-load.ts). */
  readonly caller: string;
  readonly requireCaller: RequireCaller;
  readonly http: RouteCtx['http'];
}

/** The response to send. With a stream or a file, `body` is empty. */
export interface Sent extends Answer {
  readonly stream?: AsyncIterable<string>;
  readonly file?: FileBytes;
}

/**
 * Runs the route's verb as its kind requires and returns the response to send. A query is database work
 * only. Any other kind may wait for other machines, so it takes a place for each statement.
 */
export async function handleCall(deps: HandleDeps, call: Call): Promise<Sent> {
  const { load, places } = deps;
  const { route, actor, caller, requireCaller } = call;
  if ('partnerId' in actor) requireReachable(deps.db, actor.partnerId);
  if (route.kind === 'query') return load.run(caller, () => handleNow(deps, call), requireCaller);
  const db = load.limited(deps.db, caller, requireCaller);
  return places.run(route, { id: caller, requireCaller }, () => handleNow({ ...deps, db }, call));
}

async function handleNow(deps: HandleDeps, call: Call): Promise<Sent> {
  const { route, input } = call;
  const readingUow = withoutTransaction(deps, call);
  const before = route.before;
  const work = {
    claim: claimOf(deps.service, call),
    now: call.now,
    before: before && (() => before(contextOf(deps, call, readingUow), input)),
    refused: (error: unknown) => refusalOf(deps, call, error),
  } satisfies Partial<Work>;
  const run = async (uow: UnitOfWork) => {
    const ctx = contextOf(deps, call, uow);
    return answerOf(route, await runRecorded(deps, call, ctx));
  };
  const runReading = async () => {
    const answer = await run(readingUow);
    if (readingUow.outbox.messages.length > 0) {
      throw new Error(`${route.method} ${route.path} is a ${route.kind}: it may not emit events`);
    }
    return answer;
  };
  switch (route.kind) {
    case 'query': {
      const { timeoutMs } = route;
      const answer =
        timeoutMs === undefined
          ? await runReading()
          : await runLongQuery(deps.db, timeoutMs, (tx) => run({ ...readingUow, tx }));
      return { ...answer, replayed: false };
    }
    case 'action':
      return runAction(deps, { ...work, run: runReading });
    case 'steps':
      return runSteps(deps, { ...work, run: runReading });
    case 'command': {
      const answer = await runCommand(deps, { ...work, run });
      if (route.wakes) deps.engine.wake();
      if (route.endsKeys) deps.keys.clear();
      return answer.replayed
        ? answerRepeated(route, contextOf(deps, call, readingUow), answer)
        : answer;
    }
  }
}

/**
 * Runs the route's verb. In the sandbox, also stores the call if its route is recorded: a command's in its
 * transaction, so never a refused one; that of a route with steps even if it was refused, because its first steps
 * may have had an effect.
 */
async function runRecorded(deps: HandleDeps, call: Call, ctx: RouteCtx): Promise<unknown> {
  const { route, input } = call;
  const { service } = deps;
  const run = () => runAudited(route, ctx, input);
  if (!route.recorded || service.environment !== 'sandbox' || !service.simulator) return run();
  const record = recorder(deps, call, null);
  try {
    const result = await run();
    if (route.kind !== 'command') await record(deps.db, result);
    else if (!isRepeatedReport(deps, call, ctx)) await record(ctx.tx.alone, result);
    return result;
  } catch (error) {
    if (route.kind === 'steps' && error instanceof Refusal) await record(deps.db, null, error.code);
    throw error;
  }
}

/** Returns whether a portal has repeated its last report about a tenant, without any effect. */
function isRepeatedReport(
  { lastReports }: HandleDeps,
  { actor, route, input }: Call,
  ctx: RouteCtx,
) {
  const { params, body } = input as AnyInput & Record<'params' | 'body', { external_id?: string }>;
  const externalId = params?.external_id ?? body?.external_id;
  if (actor.kind !== 'partner' || externalId === undefined) return false;
  const report = route.path.includes('portal_info') ? body : undefined;
  return lastReports.isRepeated(actor, { externalId, report }) && ctx.outbox.messages.length === 0;
}

/** Returns a function that stores the call with its result, or with the code of its refusal. */
function recorder({ service }: HandleDeps, call: Call, at: string | null) {
  const { route, actor, now, input } = call;
  const { params, body } = input;
  return (q: Queryable, result: unknown, refused: string | null = null) =>
    q.run(
      recordCall(service, { call: nameOf(route), at, now, actor, params, body, result, refused }),
    );
}

/** Runs the route's verb and writes the audit entry that the route declares, in the same transaction. */
async function runAudited(route: Route, ctx: RouteCtx, input: AnyInput): Promise<unknown> {
  const { audit } = route;
  const { actor } = ctx;
  if (typeof audit !== 'object' || !('entry' in audit) || actor.kind !== 'partner') {
    return route.verb(ctx, input);
  }
  const prior = await audit.prior?.({ ...ctx, actor } as RouteCtx<PartnerActor>, input);
  const result = await route.verb(ctx, input);
  const entry = audit.entry({ input, result, prior });
  if (entry) await recordAudit(ctx, actor, entry);
  return result;
}

/** Returns the response for a verb's result. Parsing removes every field that the contract does not name. */
function answerOf(route: Route, result: unknown): Stored & Pick<Sent, 'stream' | 'file'> {
  if (result instanceof TextStream) {
    if (route.kind !== 'query') throw new Error(`${route.path} is no query: it cannot stream.`);
    return { status: 200, body: '', stream: result.chunks };
  }
  if (result instanceof FileBytes) {
    if (route.method !== 'GET') throw new Error(`${route.path} is no GET: it cannot send a file.`);
    return { status: 200, body: '', file: result };
  }
  if (result instanceof JsonText) {
    return { status: 200, body: `{"error":null,"data":${result.text}}` };
  }
  const data = route.output.parse(result);
  if (route.csv) return { status: 200, body: String(data) };
  const body = envelopeOf(data);
  if (!route.shownOnce) return { status: 200, body };
  return { status: 200, body, storedBody: envelopeOf(route.shownOnce.withoutSecret(data)) };
}

function envelopeOf(data: unknown): string {
  return JSON.stringify({ error: null, data });
}

/** The answer to a repeated call: the stored one, or for a route with a secret, the present state. */
async function answerRepeated(route: Route, ctx: RouteCtx, answer: Answer): Promise<Answer> {
  if (!route.shownOnce || answer.status !== 200) return answer;
  const { data } = JSON.parse(answer.body) as { data: unknown };
  const result = route.output.parse(await route.shownOnce.repeat(ctx, data));
  return { ...answer, body: envelopeOf(result) };
}

/** A unit of work for queries and actions. They open no transaction, so an outbox would never be written. */
function withoutTransaction({ db, service }: HandleDeps, { now }: Call): UnitOfWork {
  return { tx: readingTx(db), now, service, outbox: { messages: [], mails: [] } };
}

function contextOf(deps: HandleDeps, call: Call, uow: UnitOfWork): RouteCtx {
  const { engine, clock } = deps;
  const { actor, requestId, address, log, http } = call;
  const owner = actor.kind === 'partner' ? actor.partnerId : '';
  const request = { actor, requestId, address, log };
  const renew = createRenew(deps, call);
  const stepsWith = (service: Service): RequestSteps => ({
    actor,
    log,
    now: call.now,
    service,
    after: (ms, run) => clock.after(ms, run),
    requireCaller: call.requireCaller,
    async step(work) {
      await renew();
      return runUnitOfWork({ ...deps, service }, call.now, (stepUow) =>
        work({ ...stepUow, ...request }),
      );
    },
  });
  return {
    ...uow,
    ...request,
    http,
    steps: stepsWith(deps.service),
    stepsWith,
    writeRequestLog: () => deps.requestLog.write(),
    measure: deps.measure,
    outward: {
      probe: (endpointId, message, options) => engine.probe(owner, endpointId, message, options),
      fetchPage: (url) => engine.fetchPage(owner, url),
      fetchSigned: (endpointId, message, url) =>
        engine.fetchSigned(owner, endpointId, message, url),
    },
    runOperatorCommand: (request, by, manner) =>
      runOperatorCommand(
        { commands: deps, service: deps.service, log, revoked: deps.keys.clear },
        request,
        by,
        manner,
      ),
    repeatCall: async ({ call: name, at, params, body }, repeatedSteps) => {
      const repeated = deps.recordedRoutes.find((it) => nameOf(it) === name);
      if (!repeated) throw new Refusal('not_found', { message: `${name} is no call to repeat.` });
      const input = readInput(repeated, { params, query: {}, body: body ?? undefined });
      const steps = repeatedSteps as unknown as RequestSteps;
      const repeatedCall = { ...call, route: repeated, actor: steps.actor, input };
      const run = async (work: UnitOfWork) =>
        repeated.output.parse(
          await repeated.verb({ ...contextOf(deps, repeatedCall, work), steps }, input),
        );
      const record = recorder(deps, repeatedCall, at);
      const result = await (repeated.kind === 'command'
        ? steps.step(run)
        : run(withoutTransaction(deps, call)));
      await record(deps.db, result);
      return result;
    },
    sendTest: (endpointId, message) => engine.sendTest(owner, endpointId, message),
  };
}

/** Method and path, such as `POST /portal_info`. */
function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

const renewMs = 5_000;

/** Returns a function that renews a long request's claim. Not for use in a step, whose lock duplicates would await. */
function createRenew({ db, clock, service }: HandleDeps, call: Call): () => Promise<void> {
  const claim = call.route.kind === 'steps' ? claimOf(service, call) : undefined;
  let renewedMs = clock.now().getTime();
  return async () => {
    const now = clock.now();
    if (!claim || now.getTime() - renewedMs < renewMs) return;
    renewedMs = now.getTime();
    await renewClaim(db, claim, now);
  };
}

function claimOf(
  { vault }: HandleDeps['service'],
  { route, actor, path, idempotencyKey, input, http }: Call,
): Claim | undefined {
  if (idempotencyKey === undefined || (route.method !== 'POST' && route.method !== 'PATCH')) {
    return undefined;
  }
  if (actor.kind !== 'partner' && actor.kind !== 'tenant') return undefined;
  const owner = actor.kind === 'partner' ? actor.partnerId : actor.tenantId;
  const compared = route.exactBody ? { ...input, body: http.bodyText } : input;
  const scope = { partnerId: actor.partnerId, scope: `${owner} ${route.method} ${path}` };
  return readClaim(vault, scope, idempotencyKey, compared);
}

function refusalOf({ service }: HandleDeps, call: Call, error: unknown): Stored | undefined {
  const problem = problemOf(error);
  if (problem.status >= 500) return undefined;
  const body = problemBody(problem, call.requestId, service.publicOrigin);
  return { status: problem.status, body };
}

/** @throws Refusal `simulation_unavailable` */
export function refuseOutsideSandbox(route: Route, { environment }: Service): void {
  if (route.sandboxOnly && environment !== 'sandbox') throw new Refusal('simulation_unavailable');
}
