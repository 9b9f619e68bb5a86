import type { SvcEvent } from '@svc/contract/frame';
import type { Problem } from '../api/request.ts';
import type { Words } from '../words/en.ts';
import { emit, type Flow } from './flow.ts';

/** Shows that the session ended and asks the SDK for a new token. */
export function endSession({ store, send }: Flow): void {
  const linkKind = store.isHosted ? 'hosted_over' : 'link_over';
  const kind = store.page.isStandalone ? linkKind : 'session_ended';
  store.view.value = { kind: 'trouble', trouble: { kind } };
  send({ svc: 1, type: 'token_needed' });
}

/** Shows a failed call to the tenant and reports it to the partner's page. */
export function reportProblem(
  flow: Flow,
  problem: Problem,
  /** The notice for a lost connection. `network_plan` and `network_pay` say that money may have moved. */
  networkNotice: 'network' | 'network_plan' | 'network_pay' | 'network_change' = 'network',
): void {
  const { store } = flow;
  if (problem.kind === 'session') {
    // Shown once the session is renewed, which may happen before the tenant notices that it had ended.
    if (networkNotice !== 'network') {
      const kind = store.pendingKey?.wasLost ? networkNotice : 'signed_out';
      store.notice.value = { kind, problem };
    }
    endSession(flow);
    return;
  }
  if (problem.fields.length > 0) {
    store.fieldErrors.value = Object.fromEntries(
      problem.fields.map(({ param, code, message }) => [
        param,
        ({ refusedFields: words }: Words) => words[`${param}.${code}`] ?? words[param] ?? message,
      ]),
    );
    return;
  }
  if (problem.code === 'rate_limited') {
    store.notice.value = { kind: 'rate_limited', seconds: problem.retryAfterSeconds ?? 30 };
    return;
  }
  if (problem.code === 'payments_paused') {
    store.notice.value = { kind: 'payments_paused' };
    return;
  }
  const kind = problem.kind === 'network' ? networkNotice : problem.kind;
  store.notice.value = { kind, problem };
  emit(flow, errorEvent(problem));
}

export function errorEvent(problem: Problem): SvcEvent {
  const { kind, code } = problem;
  return {
    type: 'ERROR',
    data: {
      code: sdkCodeOf(problem),
      msg: problem.message,
      error_code: code,
      ...(problem.requestId === null ? {} : { request_id: problem.requestId }),
      retryable: kind === 'network' || kind === 'server' || code === 'rate_limited',
    },
  };
}

/** The SDK's error codes: 1000 settings, 1001 signature, 1200 network, 1500 server. */
function sdkCodeOf({ kind, code }: Problem): 1000 | 1001 | 1200 | 1500 {
  if (code === 'signature_invalid' || code === 'portal_unknown') return 1001;
  if (kind === 'network') return 1200;
  if (code === 'validation_failed' || code === 'origin_not_allowed') return 1000;
  return 1500;
}
