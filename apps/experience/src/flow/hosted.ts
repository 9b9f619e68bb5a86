import type { LinkCodeOutput, Locale } from '@svc/contract';
import { isHostedSession, keepCodeSent, wasCodeSent } from '../frame/take-link-secret.ts';
import { type Flow, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';
import { applyExchange } from './session.ts';
import { stayOnReload } from './stay-on-reload.ts';
import { concludeVisit, visitBefore } from './visit.ts';

/** Shows the page for a link that came in a message. It asks for the code that we send. */
export function showMessageLink({ store }: Flow, secret: string, pms: string): void {
  store.link = { secret, pms };
  store.isHosted = true;
  store.locale.value = navigator.language;
  store.view.value = { kind: 'code', sentTo: wasCodeSent(history) ? 'known' : null };
}

/** Sends the code, and asks for it. */
export async function sendLinkCode(flow: Flow, locale: Locale): Promise<void> {
  const { store, api } = flow;
  if (store.link === null || store.busy.value) return;
  startRequest(flow);
  const result = await api.sendLinkCode(store.link.secret, locale);
  store.busy.value = false;
  if (!result.ok) {
    reportProblem(flow, result.problem);
    return;
  }
  const { sent_to, problem } = result.data;
  if (problem !== null) showProblem(flow, problem);
  if (sent_to === null) return;
  keepCodeSent(history);
  store.view.value = { kind: 'code', sentTo: sent_to };
}

/** Opens the experience with the code. */
export async function confirmLinkCode(flow: Flow, code: string): Promise<void> {
  const { store, api } = flow;
  if (store.link === null || store.busy.value) return;
  startRequest(flow);
  const result = await api.confirmLink(store.link.secret, code);
  store.busy.value = false;
  if (!result.ok) {
    reportProblem(flow, result.problem);
    return;
  }
  const { opened, problem } = result.data;
  if (problem !== null) showProblem(flow, problem);
  if (opened === null) return;
  await applyExchange(flow, { ok: true, data: opened }, `${store.link.pms}+`);
  stayOnReload(flow, opened.session);
}

function showProblem(
  { store }: Flow,
  problem: NonNullable<LinkCodeOutput['problem']> | 'wrong_code' | 'code_expired',
): void {
  store.fieldErrors.value = { code: (words) => words.linkCode.problems[problem] };
}

/** Continues with the session of a link after a reload. */
export async function resumeSession(flow: Flow, session: string, pms: string): Promise<void> {
  flow.store.isHosted = isHostedSession(history);
  flow.store.locale.value = navigator.language;
  flow.api.useSession(session);
  const visit = visitBefore(history);
  const result = await flow.api.state();
  const before = result.ok && visit?.from === result.data.step ? visit.progress : null;
  const opened = result.ok
    ? { ...result, data: { ...result.data, session, expires_at: '' } }
    : result;
  await applyExchange(flow, opened, `${pms}+`, before);
  if (!result.ok) return;
  stayOnReload(flow, session);
  if (visit !== null) await concludeVisit(flow, visit);
}
