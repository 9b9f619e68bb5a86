import { setTimeout as sleep } from 'node:timers/promises';
import { type AnsweredCall, startTraffic, type Traffic } from '../failover/start-traffic.ts';
import { untilDone } from './due-work.ts';
import type { Partner, Stage } from './start-stage.ts';

/** A failure or maintenance work, while partners are served and work of several days is due. */
export interface Step {
  readonly name: string;
  /** The port of the worker that fails; undefined if all of them work. */
  readonly port?: number;
  /** Resolves once the server is down, or the work is done. */
  begin(): Promise<void>;
  /** Resolves once the server works again, or another one in its place. */
  end?(): Promise<void>;
}

/** The effect of one step on the partners' calls and jobs. Numbers are counts of calls, or milliseconds (`…Ms`). */
export interface StepResult {
  readonly name: string;
  /** From the failure until the repair, or the time that the work took. */
  readonly lastedMs: number;
  readonly calls: number;
  /** The longest call of partners on other servers, with its retries. */
  readonly othersCallMs: number;
  /** Calls of those partners that were answered with 503 at least once. */
  readonly othersRefused: number;
  /** From the failure until their due work was done. */
  readonly othersJobsMs: number;
  /** From the repair until each partner of the server had an answered call. */
  readonly ownCallsMs: number | null;
  /** From the repair until their due work was done. */
  readonly ownJobsMs: number | null;
}

export interface Pace {
  /** How long a server stays away. */
  readonly outageMs: number;
  /** Pause between a response and the tenant's next call. */
  readonly pauseMs: number;
}

export interface PlayedStep {
  readonly result: StepResult;
  readonly traffics: readonly Traffic[];
}

// The first payment after a plan's start is due within four weeks.
const passingMs = 8 * 86_400_000;
const warmUpMs = 5_000;
// Lanes look for due work once a minute.
const jobsTimeoutMs = 300_000;

/**
 * Lets days pass, so that payments, reminders, mails, payouts and changes of eligibility fall due, and runs the
 * step under traffic of all partners.
 */
export async function runStep(stage: Stage, step: Step, pace: Pace): Promise<PlayedStep> {
  const { db, service } = stage;
  const own = stage.partners.filter(({ port }) => port === step.port);
  const others = stage.partners.filter(({ port }) => port !== step.port);
  const at = await service.advance(passingMs);
  stage.aheadMs += passingMs;
  const traffic = await startLoad(stage, step.name, pace);
  await sleep(warmUpMs);

  const failedAt = performance.now();
  await step.begin();
  const jobsOf = async (partners: readonly Partner[], since: number) => {
    await untilDone(db, { partners: partners.map(({ id }) => id), at }, jobsTimeoutMs);
    return performance.now() - since;
  };
  const othersJobs = jobsOf(others, failedAt);
  // It is awaited below. Until then, a rejection would be unhandled and end the process.
  othersJobs.catch(() => {});
  if (step.end) {
    await sleep(pace.outageMs);
    await step.end();
  }
  const repairedAt = performance.now();
  const ownJobsMs = step.end ? await jobsOf(own, repairedAt) : null;
  const othersJobsMs = await othersJobs;
  await traffic.stop();

  const endedAfterFailure = ({ endedAt }: AnsweredCall) => endedAt >= failedAt;
  const othersCalls = others.flatMap(({ id }) => traffic.callsOf(id).filter(endedAfterFailure));
  const firstAnswers = own.map(({ id }) =>
    Math.min(
      ...traffic
        .callsOf(id)
        .map((it) => it.endedAt)
        .filter((it) => it >= repairedAt),
    ),
  );
  const result = {
    name: step.name,
    lastedMs: repairedAt - failedAt,
    calls: traffic.traffics.reduce((sum, it) => sum + it.calls(), 0),
    othersCallMs: Math.max(...othersCalls.map((it) => it.endedAt - it.beganAt)),
    othersRefused: othersCalls.filter(({ tries }) => tries > 1).length,
    othersJobsMs,
    ownCallsMs: step.end ? Math.max(...firstAnswers) - repairedAt : null,
    ownJobsMs,
  };
  return { result, traffics: traffic.traffics };
}

/** Starts traffic of every partner, with tenants that no other step has. */
export async function startLoad(stage: Stage, name: string, { pauseMs }: Pace) {
  const calls = new Map<string, AnsweredCall[]>(stage.partners.map(({ id }) => [id, []]));
  const traffics = await Promise.all(
    stage.partners.map(async (partner, index) => {
      // Spread over one pause. If all began at once, a hundred calls would come every few seconds, and some of them
      // would be refused.
      await sleep((pauseMs * index) / stage.partners.length);
      return startTraffic(stage.service.url, partner, {
        lanes: 1,
        prefix: `${name.replaceAll(' ', '-')}-${partner.pms}`,
        pauseMs,
        retryMs: 1_000,
        answered: (call) => calls.get(partner.id)?.push(call),
      });
    }),
  );
  return {
    traffics,
    callsOf: (partnerId: string) => calls.get(partnerId) ?? [],
    /** Resolves once every journey that has begun is over. */
    async stop() {
      await Promise.all(traffics.map((it) => it.stop()));
    },
  };
}
