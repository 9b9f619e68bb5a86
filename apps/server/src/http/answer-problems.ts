import { isOutage } from '@svc/db';
import type { Logger } from 'pino';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/refusal.ts';
import { sendNotFound } from './add-pages.ts';
import type { Reply, Request } from './app.ts';
import { clientOf } from './edge/client-of.ts';
import { CallerLeft, Overloaded } from './edge/limit-load.ts';
import type { RateLimits } from './edge/rate-limit.ts';
import { type Problem, problemBody, problemOf } from './problem.ts';
import type { KnownCall } from './register.ts';

interface ProblemDeps {
  readonly log: Logger;
  readonly service: Pick<Service, 'publicOrigin'>;
  readonly limits: Pick<RateLimits, 'failures'>;
  readonly calls: WeakMap<Request, KnownCall>;
  /** Gets the requests that the load limit refuses. They are counted instead of logged. */
  readonly shed: WeakSet<Request>;
}

/** Answers requests that failed, counts wrong credentials, and logs failures of the service. */
export function createProblemAnswers({ log, service, limits, calls, shed }: ProblemDeps) {
  function problemFor(error: unknown, request: Request): Problem {
    let problem = problemOf(error);
    if (error instanceof Overloaded) shed.add(request);
    if (error instanceof CallerLeft) {
      log.info({ request_id: request.id }, 'the caller has left, so the call ends');
    }
    if (problem.status === 401) {
      try {
        limits.failures.take(clientOf(request.ip));
      } catch (limited) {
        problem = problemOf(limited);
      }
    }
    // Each database outage is logged once, by watch-database.ts.
    const isFailure = problem.status >= 500 && !(error instanceof Refusal) && !isOutage(error);
    if (isFailure) logFailure(error, request);
    return problem;
  }

  function logFailure(error: unknown, request: Request): void {
    const { name, message, stack, code } = error as NodeJS.ErrnoException;
    log.error({ request_id: request.id, error: { name, message, stack, code } }, 'request failed');
  }

  function answerProblem(error: unknown, request: Request, reply: Reply): void {
    const problem = problemFor(error, request);
    if (problem.code === 'not_found' && asksForPage(request)) {
      sendNotFound(reply);
      return;
    }
    const body = problemBody(problem, request.id, service.publicOrigin);
    const call = calls.get(request);
    if (call) call.answer = body;
    sendProblem(reply, problem, body);
  }

  return { problemFor, answerProblem };
}

/** Sends a problem's status and headers with its JSON body. */
export function sendProblem(reply: Reply, problem: Problem, body: string): void {
  reply
    .code(problem.status)
    .headers({ 'x-request-id': reply.request.id, ...problem.headers })
    .type('application/json; charset=utf-8')
    .send(body);
}

/** Returns whether a browser follows a link or a typed address, so that a person reads the answer. */
function asksForPage({ url, headers }: Request): boolean {
  return !/^\/(operator\/)?v1/.test(url) && /\btext\/html\b/.test(headers.accept ?? '');
}
