import type { ElectronicRecordsOutput } from '@svc/contract';
import type { Result } from '../api/request.ts';
import { type Flow, openPanel, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';
import { needsFreshState, refresh } from './submit.ts';

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
