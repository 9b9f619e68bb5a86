import { createHash } from 'node:crypto';
import type {
  CertificationCaseOutput,
  CertificationOutput,
  CertificationStep,
  PageResultsInput,
} from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { markObserved } from '../doctor/go-live.ts';
import { findPayoutSetting } from '../partners/payout-setting.ts';
import { Refusal } from '../refusal.ts';
import { resetSimulation } from '../simulation/reset.ts';
import { certificationCases } from './cases.ts';
import type { Finding } from './finding.ts';
import { requireUnfinished } from './run-case.ts';
import { signReport } from './sign-report.ts';
import type { CertificationCtx } from './stage.ts';
import {
  type CertificationRun,
  lockRun,
  readCases,
  readCertification,
  readTenantsOfRun,
  storeResult,
} from './store.ts';

/** Stores the results that the CLI got on the partner's page. */
export async function storePageResults(
  ctx: Ctx<PartnerActor>,
  { id, results }: PageResultsInput & { readonly id: string },
): Promise<CertificationOutput> {
  const run = await lockRun(ctx, id);
  requireUnfinished(run);
  for (const { case: name, status, summary, cause, fix, docs, steps, duration_in_ms } of results) {
    const isMistake = status === 'warn' || status === 'fail';
    const finding: Finding = isMistake
      ? { status, summary, cause: cause ?? '', fix: fix ?? '' }
      : { status, summary };
    await storeResult(ctx, id, {
      name,
      finding,
      docs: docs ?? null,
      steps: (steps ?? []).map(({ title, detail, duration_in_ms: took }) => {
        return {
          title,
          detail: detail ?? null,
          request: null,
          response: null,
          duration_in_ms: took ?? null,
        };
      }),
      tenants: [],
      durationMs: duration_in_ms ?? null,
      reportedBy: 'cli',
    });
  }
  await ctx.tx.run(sql`
    update certification set last_step_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and id = ${id}`);
  return readCertification(ctx, { id });
}

/**
 * Ends a run: computes the verdict, signs the report and marks the items of the go-live checklist that follow.
 * It also ends the plans of the run's tenants, so that they cause no webhooks later. A repeated call returns the
 * report again.
 */
export async function finishRun(
  ctx: CertificationCtx,
  { id }: { readonly id: string },
): Promise<CertificationOutput> {
  const { service } = ctx;
  const steps = ctx.stepsWith(service);
  const certification = await steps.step((step) => judge(step, id));
  const quiet = ctx.stepsWith({ ...service, publish: async () => {}, wake: () => {} });
  const { partnerId } = ctx.actor;
  for (const external_id of await readTenantsOfRun(ctx.tx, { partnerId, id })) {
    if (certification.tenants.includes(external_id)) continue;
    await quiet.step((step) => resetSimulation(step, { external_id }));
  }
  return certification;
}

async function judge(ctx: Ctx<PartnerActor>, id: string): Promise<CertificationOutput> {
  const { tx, actor, service, now } = ctx;
  const run = await lockRun(ctx, id);
  if (run.state !== 'running' && run.state !== 'abandoned') return readCertification(ctx, { id });
  requireUnfinished(run);
  if (run.running_case !== null) {
    throw new Refusal('certification_running', {
      message: `The case ${run.running_case} is running. Finish the run when it has ended.`,
    });
  }
  const cases = await readCases(ctx, { ...run, state: 'incomplete' });
  const judged = await casesToJudge(ctx, cases);
  const state = stateOf(judged);
  const verdict = verdictOf(judged);
  const report = signReport(service.vault, {
    type: 'svc.certification',
    service: service.publicOrigin,
    environment: service.environment,
    pms: actor.pms,
    id,
    service_version: run.service_version,
    endpoint_url: run.endpoint_url.split('?', 1)[0],
    created_at: run.created_at.toISOString(),
    finished_at: now.toISOString(),
    state,
    verdict,
    cases: cases.map(({ name, area, status, summary, reported_by, steps }) => {
      const steps_sha256 = createHash('sha256').update(sortedJson(steps)).digest('hex');
      return { name, area, status, summary, reported_by, steps_sha256 };
    }),
  });
  await tx.run(sql`
    update certification set state = ${state}, finished_at = ${now}, last_step_at = ${now},
      verdict = ${verdict}, signed_payload = ${report.payload},
      signature = ${report.signature}, signing_key_id = ${report.keyId}
    where partner_id = ${actor.partnerId} and id = ${id}`);
  if (state !== 'failed') await markGoLiveItems(ctx, cases);
  await resetOwnTenants(ctx, run);
  return readCertification(ctx, { id });
}

/** Leaves out the cases that do not concern the partner: a portal that gets payouts makes no debits. */
async function casesToJudge(
  { tx, actor }: Ctx<PartnerActor>,
  cases: readonly CertificationCaseOutput[],
): Promise<readonly CertificationCaseOutput[]> {
  if (!(await findPayoutSetting(tx, actor.partnerId))) return cases;
  const aboutDebits = new Set<string>(
    certificationCases.filter(({ needsDebits }) => needsDebits).map(({ name }) => name),
  );
  return cases.filter(({ name }) => !aboutDebits.has(name));
}

function stateOf(cases: readonly CertificationCaseOutput[]): 'passed' | 'incomplete' | 'failed' {
  if (cases.some(({ status }) => status === 'fail')) return 'failed';
  return cases.some(({ status }) => status === 'skipped') ? 'incomplete' : 'passed';
}

/**
 * Resets the partner's own tenants, and notifies the partner. This is in the transaction that ends the run, because a
 * repeated call must not end a plan that such a tenant has begun since.
 */
async function resetOwnTenants(
  ctx: Ctx<PartnerActor>,
  { id, tenants }: Pick<CertificationRun, 'id' | 'tenants'>,
): Promise<void> {
  const { partnerId } = ctx.actor;
  const played = await readTenantsOfRun(ctx.tx, { partnerId, id });
  for (const external_id of played.filter((it) => tenants.includes(it))) {
    await resetSimulation(ctx, { external_id });
  }
}

/**
 * Serializes steps with sorted keys, because the database and the response have them in different orders and
 * `svc certify verify` compares the hashes.
 */
function sortedJson(steps: readonly CertificationStep[]): string {
  return JSON.stringify(steps, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function verdictOf(cases: readonly CertificationCaseOutput[]): string {
  const count = (of: string) => cases.filter(({ status }) => status === of).length;
  const parts = [
    `${count('pass') + count('warn')} of ${cases.length} cases passed`,
    ...(count('warn') > 0 ? [`${count('warn')} of them with a warning`] : []),
    ...(count('fail') > 0 ? [`${count('fail')} failed`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped')} were not run or could not be judged`] : []),
  ];
  return `${parts.join(', ')}.`;
}

async function markGoLiveItems(
  ctx: Ctx<PartnerActor>,
  cases: readonly CertificationCaseOutput[],
): Promise<void> {
  const passed = (...names: CertificationCaseOutput['name'][]) =>
    names.every((name) => cases.some((it) => it.name === name && it.status === 'pass'));
  if (passed('handshake')) await markObserved(ctx, 'forgery_refused');
  if (passed('duplicates')) await markObserved(ctx, 'duplicates_handled');
  if (passed('declined', 'disputed')) await markObserved(ctx, 'decline_rehearsed');
}
