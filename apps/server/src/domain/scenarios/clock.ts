import { type LivePlan, loadPlan } from '../plans/live-plan.ts';
import { nextAction } from '../plans/next-action.ts';
import { runDueUntil } from '../simulation/run-due-until.ts';
import type { TenantTime } from '../tenants/time.ts';
import { keyOf, type Scene } from './scene.ts';
import type { Situation } from './situation.ts';

// Each of four installments has a reminder, a collection, two retries and an end. The rest is a margin.
const mostActions = 60;

/**
 * Moves the clock from one action of the plan's calendar to the next and runs each of them, until the plan is
 * as wanted. Stops early if nothing more falls due, such as while collections are paused.
 */
export async function passUntil(
  { steps }: Pick<Scene, 'steps'>,
  now: Situation,
  isAsWanted: (plan: LivePlan) => boolean,
): Promise<void> {
  const key = keyOf(now);
  const planId = now.plan?.id;
  if (planId === undefined) return;
  let before = '';
  for (let turn = 0; turn < mostActions; turn += 1) {
    const plan = await steps.step(({ tx }) => loadPlan(tx, { ...key, planId }));
    const next = plan && nextAction(plan);
    if (!plan || isAsWanted(plan) || !next) return;
    const reached = `${plan.version} ${plan.clockOffsetMs}`;
    if (reached === before) return;
    before = reached;
    await runDueUntil(steps, key, next.at as TenantTime);
  }
}

/** Moves the clock to the next report of the simulated bank, such as the answer to a slow payment. */
export async function passToNextReport(
  { steps }: Pick<Scene, 'steps'>,
  now: Situation,
): Promise<boolean> {
  const key = keyOf(now);
  const reports = await steps.step(
    async ({ tx, service }) => (await service.simulator?.upcoming(tx, key)) ?? [],
  );
  const [first] = reports.toSorted((a, b) => a.getTime() - b.getTime());
  if (!first) return false;
  await runDueUntil(steps, key, first);
  return true;
}
