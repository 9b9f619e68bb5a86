import type { Ctx, RequestSteps, Steps } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { type CallToMake, claimCalls, isBeingSent } from '../payments/calls.ts';
import { makeCall, type Report } from '../payments/make-call.ts';
import type { TenantKey } from '../tenant-key.ts';
import { type AfterOutcome, applyOutcomes } from './apply-outcomes.ts';

// A batch of a lane has 50 calls, and most processors limit how many may be open at once.
const defaultConcurrency = 16;

/**
 * Makes calls whose intents have committed, then writes their outcomes in one transaction. If that
 * fails, each is written in its own, so that one tenant's error delays no other.
 */
export async function sendCalls(steps: Steps, calls: readonly CallToMake[]): Promise<void> {
  if (calls.length === 0) return;
  const reports = await makeCalls(steps, calls);
  try {
    await steps.step((uow) => applyOutcomes(uow, reports));
  } catch (error) {
    if (reports.length === 1) throw error;
    for (const report of reports) await applyAlone(steps, report);
  }
}

async function applyAlone(steps: Steps, report: Report): Promise<void> {
  try {
    await steps.step((uow) => applyOutcomes(uow, [report]));
  } catch (error) {
    // The call's lease ends, and a job asks the processor for the outcome.
    steps.log.error({ err: error, call: report.key }, 'outcome of a processor call not written');
  }
}

/** Makes the calls. The reports are in the order of the calls, and so are the events, whichever answer comes first. */
async function makeCalls(steps: Steps, calls: readonly CallToMake[]): Promise<Report[]> {
  const reports: Report[] = [];
  const waiting = calls.entries();
  const worker = async () => {
    for (const [index, call] of waiting) reports[index] = await makeLoggedCall(steps, call);
  };
  const concurrency = steps.service.processor?.callsAtOnce ?? defaultConcurrency;
  await Promise.all(Array.from({ length: Math.min(concurrency, calls.length) }, worker));
  return reports;
}

async function makeLoggedCall(steps: Steps, call: CallToMake): Promise<Report> {
  const report = await makeCall(steps, call);
  const { key, outcome } = report;
  if (outcome?.state === 'unknown') {
    steps.log.warn({ call: key, reason: outcome.reason }, 'outcome of a processor call is unknown');
  }
  return report;
}

// The tenant waits in front of a screen. After this timeout, the payment is shown as on its way.
const waitMs = 5_000;

/** Reads what to show. `known` is what this transaction knows after the outcome. */
type ReadAfter<T> = (ctx: Ctx<TenantActor>, known?: AfterOutcome) => Promise<T>;

/**
 * Sends a call that a tenant waits for, and reads the answer for the screen in the transaction that
 * writes the outcome. Without an outcome after a few seconds, reads what is stored by then; the call
 * continues, and its outcome is written when it arrives.
 */
export async function sendCallForTenant<T>(
  steps: RequestSteps<TenantActor>,
  call: CallToMake,
  read: ReadAfter<T>,
): Promise<T> {
  const sent = sendAndRead(steps, call, read);
  let cancelTimer = () => {};
  const waited = new Promise<'late'>((resolve) => {
    cancelTimer = steps.after(waitMs, () => resolve('late'));
  });
  try {
    const first = await Promise.race([sent.then((value) => ({ value })), waited]);
    if (first !== 'late') return first.value;
  } finally {
    cancelTimer();
  }
  sent.catch((error: unknown) =>
    steps.log.error({ err: error }, 'outcome of a late processor call not written'),
  );
  return steps.step((ctx) => read(ctx));
}

async function sendAndRead<T>(
  steps: RequestSteps<TenantActor>,
  call: CallToMake,
  read: ReadAfter<T>,
): Promise<T> {
  const report = await makeLoggedCall(steps, call);
  try {
    return await steps.step(async (ctx) => {
      const after = await applyOutcomes(ctx, [report]);
      return read(ctx, after.get(ctx.actor.tenantId));
    });
  } catch (error) {
    // The outcome must not depend on what the screen shows.
    await applyAlone(steps, report);
    throw error;
  }
}

const pollMs = 20;
// A lost charge is looked up in one round and, if the processor never received it, sent in the next.
const mostRounds = 2;

/**
 * Waits for calls that another request is making, at most until a tenant's call times out. An outcome that was
 * lost, because the process or the database went away, is looked up at once.
 */
export async function waitForSent(steps: Steps, tenant: TenantKey): Promise<void> {
  for (let waited = 0; waited < waitMs; waited += pollMs) {
    if (!(await steps.step((uow) => isBeingSent(uow, tenant)))) break;
    await new Promise<void>((resolve) => steps.after(pollMs, resolve));
  }
  for (let round = 0; round < mostRounds; round += 1) {
    const lost = await steps.step((uow) =>
      claimCalls(uow, { limit: defaultConcurrency, tenant, isLost: true }),
    );
    if (lost.length === 0) return;
    await sendCalls(steps, lost);
  }
}
