import { type Flow, openPanel, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';

/** Opens a closed plan, so that the tenant can read it and its documents again. */
export async function openPastPlan(flow: Flow, planId: string): Promise<void> {
  const { store } = flow;
  if (store.busy.value) return;
  startRequest(flow);
  const result = await flow.api.plan(planId);
  store.busy.value = false;
  if (result.ok) openPanel(flow, { kind: 'past', past: result.data, document: null });
  else reportProblem(flow, result.problem);
}
