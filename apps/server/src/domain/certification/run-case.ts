import type { CertificationCaseOutput, ServiceCaseName } from '@svc/contract';
import { sql } from '@svc/db';
import { type EndpointView, EngineRefusal, getEndpoint } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import type { CertificationCase } from './case.ts';
import { certificationCases } from './cases.ts';
import { CaseEnded, type Finding, skipped } from './finding.ts';
import { type CertificationCtx, Stage, subscribes } from './stage.ts';
import { isLoopback } from './start-run.ts';
import {
  type CertificationRun,
  lockRun,
  type NewResult,
  readResult,
  storeResult,
} from './store.ts';

/** How long a case whose process died blocks its run. */
const crashedMs = 90_000;
const mostAttempts = 300;

/**
 * Runs one case now and stores its result. A repeated call runs it again, with tenants that start over, so a run
 * whose caller or process died is continued by calling again.
 * @throws Refusal `certification_finished`, or `certification_running` while another case of the run is running
 */
export async function runCase(
  ctx: CertificationCtx,
  { id, name }: { readonly id: string; readonly name: ServiceCaseName },
): Promise<CertificationCaseOutput> {
  const steps = ctx.stepsWith(ctx.service);
  const run = await steps.step((step) => beginCase(step, { id, name }));
  try {
    const result = await evaluate(ctx, run, name);
    return await steps.step(async (step) => {
      await storeResult(step, id, result);
      await endCase(step, run);
      const stored = await readResult(step, id, name);
      if (!stored) throw new Error(`The result of ${name} was not stored.`);
      return stored;
    });
  } catch (error) {
    await steps.step((step) => endCase(step, run));
    throw error;
  }
}

/** Claims the run for one case. The returned `attempt` is that of the claim. */
async function beginCase(
  ctx: Ctx<PartnerActor>,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<CertificationRun> {
  const run = await lockRun(ctx, id);
  requireUnfinished(run);
  const { running_case: busy, running_since: since } = run;
  if (busy !== null && since && ctx.now.getTime() - since.getTime() < crashedMs) {
    throw new Refusal('certification_running', {
      message: `The case ${busy} of this run is running. Wait for its response; if its process died, call again after ${crashedMs / 1_000} seconds.`,
    });
  }
  if (run.attempt >= mostAttempts) {
    throw new Refusal('rate_limited', {
      message: `${mostAttempts} cases of this run were run. Finish it, and start another one.`,
    });
  }
  const attempt = run.attempt + 1;
  await ctx.tx.run(sql`
    update certification set attempt = ${attempt}, running_case = ${name},
      running_since = ${ctx.now}, last_step_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and id = ${id}`);
  return { ...run, attempt };
}

/** @throws Refusal `certification_finished` */
export function requireUnfinished({ state, id }: Pick<CertificationRun, 'state' | 'id'>): void {
  if (state === 'running') return;
  throw new Refusal('certification_finished', {
    message: `The run ${id} is ${state === 'abandoned' ? 'abandoned' : 'finished'}. Start another one.`,
  });
}

/** Releases the run, unless another call has claimed it because this one took too long. */
async function endCase(
  { tx, actor }: Ctx<PartnerActor>,
  { id, attempt }: CertificationRun,
): Promise<void> {
  await tx.run(sql`
    update certification set running_case = null, running_since = null
    where partner_id = ${actor.partnerId} and id = ${id} and attempt = ${attempt}`);
}

async function evaluate(
  ctx: CertificationCtx,
  run: CertificationRun,
  name: ServiceCaseName,
): Promise<NewResult> {
  const certificationCase = certificationCases.find((it) => it.name === name);
  if (!certificationCase) throw new Error(`There is no case ${name}.`);
  const result = { name, docs: certificationCase.docs, steps: [], tenants: [], durationMs: null };
  const endpoint = await getEndpoint(ctx.tx, ctx.actor.partnerId, run.endpoint_id).catch(ifDeleted);
  if (endpoint?.state !== 'enabled' || endpoint.url !== run.endpoint_url) {
    const why = `The endpoint was ${endpoint ? 'disabled or changed' : 'deleted'} since the run began. Start another one.`;
    return { ...result, finding: skipped(why), reportedBy: 'service' };
  }
  const skipReason = await skipReasonOf(ctx, run, certificationCase, endpoint);
  if (skipReason) return { ...result, finding: skipped(skipReason), reportedBy: 'service' };
  const startedMs = performance.now();
  const stage = new Stage(ctx, {
    runId: run.id,
    endpoint,
    tenantQueryUrl: run.tenant_query_url,
    productVariant: run.product_variant,
    tenantPrefix: `certify-${run.id.slice(-8)}-${name}-${run.attempt}`,
    ownTenants: run.tenants,
  });
  const finding = await findingOf(certificationCase, stage);
  return {
    name,
    finding,
    docs: 'docs' in finding && finding.docs ? finding.docs : certificationCase.docs,
    steps: stage.steps,
    tenants: stage.tenants,
    durationMs: Math.round(performance.now() - startedMs),
    reportedBy: 'service',
  };
}

async function findingOf(played: CertificationCase, stage: Stage): Promise<Finding> {
  try {
    if (played.needsDebits && !(await stage.debits())) {
      return skipped('Your settlements are paid in payouts, so you debit none.');
    }
    return await played.run(stage);
  } catch (error) {
    if (error instanceof CaseEnded) return error.finding;
    // Such as a scenario that this service's terms or processor do not allow.
    if (error instanceof Refusal) return skipped(`It could not be played: ${error.message}`);
    if (error instanceof EngineRefusal) {
      return skipped(`The request was not sent: ${error.message}`);
    }
    throw error;
  } finally {
    stage.close();
  }
}

function ifDeleted(error: unknown): undefined {
  if (error instanceof EngineRefusal) return undefined;
  throw error;
}

/** Returns why a case may not be run now; null if it may. */
async function skipReasonOf(
  ctx: CertificationCtx,
  run: CertificationRun,
  { name, needs }: CertificationCase,
  endpoint: EndpointView,
): Promise<string | null> {
  if (needs && !subscribes(endpoint, needs)) return `The endpoint does not receive ${needs}.`;
  if (name === 'handshake') return null;
  const handshake = await readResult(ctx, run.id, 'handshake');
  if (handshake?.status === 'pass') return null;
  if (handshake?.status === 'fail' && run.anyway && isLoopback(endpoint.url)) return null;
  if (handshake === null) {
    return 'Run the case "handshake" first: nothing else is sent before your endpoint has accepted a valid webhook and refused a forged one.';
  }
  return 'The case "handshake" did not pass, so nothing else is sent: the receiver may not be yours.';
}
