import { effect } from '@preact/signals';
import type { ElectronicRecordsOutput } from '@svc/contract';
import type { Result } from '../api/request.ts';
import { type Flow, openPanel, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';
import { needsFreshState, refresh } from './submit.ts';

/** Delay in milliseconds before the consent text is requested, so that it does not compete with the first screen. */
const afterFirstScreenMs = 500;

/** Requests the consent text once the offer is shown. A failure stays silent, because the form tries again. */
export function loadRecordsAhead(flow: Flow): void {
  const { view, step, state } = flow.store;
  effect(() => {
    if (view.value.kind !== 'step' || step.value !== 'offer') return;
    if (!state.value?.asks_electronic_records) return;
    const timer = setTimeout(() => void loadRecords(flow, { isAhead: true }), afterFirstScreenMs);
    return () => clearTimeout(timer);
  });
}

/** Requests the consent text, once. The form can be sent without it, because the consent is optional. */
export async function loadRecords(flow: Flow, { isAhead = false } = {}): Promise<void> {
  const { records, step, busy } = flow.store;
  if (records.value.kind === 'loading' || records.value.kind === 'ready') return;
  records.value = { kind: 'loading' };
  const result = await flow.api.electronicRecords();
  if (result.ok) {
    records.value = { kind: 'ready', texts: result.data.texts };
    return;
  }
  records.value = { kind: isAhead ? 'none' : 'failed' };
  // During an upgrade, a process of the previous release may get the call. It has no such route.
  if (isAhead || result.problem.code === 'not_found') return;
  // The tenant may have sent or left the form in the meantime.
  if (step.value === 'application' && !busy.value) reportProblem(flow, result.problem);
}

/** Reads how the tenant gets notices, and opens the page to change it. */
export async function openRecords(flow: Flow): Promise<void> {
  const records = await request(flow, () => flow.api.electronicRecords());
  if (records !== null) openPanel(flow, { kind: 'records', records });
}

/** Agrees to the text with this hash, or chooses paper with null. */
export async function chooseRecords(flow: Flow, sha256: string | null): Promise<void> {
  const chosen = await request(flow, () => flow.api.chooseElectronicRecords(sha256));
  if (chosen === null) return;
  openPanel(flow, { kind: 'home' });
  flow.store.notice.value = { kind: sha256 === null ? 'records_paper' : 'records_email' };
}

async function request(
  flow: Flow,
  call: () => Promise<Result<ElectronicRecordsOutput>>,
): Promise<ElectronicRecordsOutput | null> {
  const { store } = flow;
  if (store.busy.value) return null;
  startRequest(flow);
  const result = await call();
  store.busy.value = false;
  if (result.ok) return result.data;
  if (needsFreshState(result.problem)) await refresh(flow);
  else reportProblem(flow, result.problem);
  return null;
}
