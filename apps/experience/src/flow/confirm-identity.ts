import type { Answers } from '../api/experience-api.ts';
import type { Flow } from './flow.ts';
import { report } from './report.ts';
import { adopt } from './session.ts';
import { begin, needsFreshState, refresh } from './submit.ts';

/** Answers the questions of a session from a mail's link, then opens the requested screen. */
export async function confirmIdentity(flow: Flow, answers: Answers): Promise<void> {
  const { store, api } = flow;
  if (store.busy.value) return;
  begin(flow);
  const answer = await api.confirm(answers);
  store.busy.value = false;
  if (!answer.ok) {
    if (needsFreshState(answer.problem)) await refresh(flow);
    else report(flow, answer.problem);
    return;
  }
  const { confirmed, tries_left, state } = answer.data;
  if (!confirmed && tries_left === 0) {
    store.view.value = { kind: 'trouble', trouble: { kind: 'link_blocked' } };
    return;
  }
  adopt(flow, state);
  if (!confirmed) store.fieldErrors.value = { last4: (it) => it.confirm.wrong(tries_left) };
}
