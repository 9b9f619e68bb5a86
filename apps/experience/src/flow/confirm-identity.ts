import type { IdentityAnswers } from '../api/experience-api.ts';
import { applyState } from './apply-state.ts';
import { type Flow, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';
import { needsFreshState, refresh } from './submit.ts';

/** Sends the answers that a session from an email link must give, then shows the requested screen. */
export async function confirmIdentity(flow: Flow, answers: IdentityAnswers): Promise<void> {
  const { store, api } = flow;
  if (store.busy.value) return;
  startRequest(flow);
  const result = await api.confirm(answers);
  store.busy.value = false;
  if (!result.ok) {
    if (needsFreshState(result.problem)) await refresh(flow);
    else reportProblem(flow, result.problem);
    return;
  }
  const { confirmed, tries_left, state } = result.data;
  if (!confirmed && tries_left === 0) {
    store.view.value = { kind: 'trouble', trouble: { kind: 'link_blocked' } };
    return;
  }
  applyState(flow, state);
  if (!confirmed) store.fieldErrors.value = { last4: (it) => it.confirm.wrong(tries_left) };
}
