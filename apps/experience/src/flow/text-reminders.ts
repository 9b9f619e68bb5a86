import type { TextChangeOutput, TextProblem, TextsOutput } from '@svc/contract';
import type { Result } from '../api/request.ts';
import { type Flow, openPanel, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';
import type { Notice } from './store.ts';
import { needsFreshState, refresh } from './submit.ts';

/** Reads whether reminders are sent by text message, and opens the page to turn them on or off. */
export async function openTexts(flow: Flow): Promise<void> {
  const { store, api } = flow;
  if (store.busy.value) return;
  startRequest(flow);
  const result = await api.texts();
  store.busy.value = false;
  if (!result.ok) {
    reportProblem(flow, result.problem);
    return;
  }
  const kind = result.data.state === 'on' ? 'texts' : 'text_number';
  openPanel(flow, { kind, texts: result.data });
}

type TextConsent = TextsOutput['consents'][number];

interface CodeRequest {
  readonly texts: TextsOutput;
  readonly number: string;
  readonly consent: TextConsent;
}

/** Requests a code for the number, and opens the page that asks for it. */
export async function requestTextCode(
  flow: Flow,
  { texts, number, consent }: CodeRequest,
): Promise<void> {
  const { sha256, locale } = consent;
  const input = { number, accepted_consent_sha256: sha256, locale };
  if (!(await change(flow, 'number', () => flow.api.requestTextCode(input)))) return;
  openPanel(flow, { kind: 'text_code', texts, last4: number.replaceAll(/\D/g, '').slice(-4) });
}

export async function confirmTextCode(flow: Flow, code: string): Promise<void> {
  if (await change(flow, 'code', () => flow.api.confirmTextCode(code))) goHome(flow, 'texts_on');
}

export async function stopTexts(flow: Flow): Promise<void> {
  if (await change(flow, 'number', () => flow.api.stopTexts())) goHome(flow, 'texts_off');
}

function goHome(flow: Flow, kind: Extract<Notice['kind'], 'texts_on' | 'texts_off'>): void {
  openPanel(flow, { kind: 'home' });
  flow.store.notice.value = { kind };
}

/** Makes one change. A problem is shown at the field. Returns whether the change was made. */
async function change(
  flow: Flow,
  field: 'number' | 'code',
  call: () => Promise<Result<TextChangeOutput>>,
): Promise<boolean> {
  const { store } = flow;
  if (store.busy.value) return false;
  startRequest(flow);
  const result = await call();
  store.busy.value = false;
  if (!result.ok) {
    if (needsFreshState(result.problem)) await refresh(flow);
    else reportProblem(flow, result.problem);
    return false;
  }
  const { problem } = result.data;
  if (problem !== null) showProblem(flow, field, problem);
  return problem === null;
}

function showProblem({ store }: Flow, field: string, problem: TextProblem): void {
  store.fieldErrors.value = { [field]: (words) => words.texts.problems[problem] };
}
