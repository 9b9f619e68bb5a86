import type { PayInput, PaymentMethodInput, PlanChangeOutput } from '@svc/contract';
import type { SvcEvent } from '@svc/contract/frame';
import type { Move } from '../api/experience-api.ts';
import type { Result } from '../api/request.ts';
import { applyState } from './apply-state.ts';
import { callOnce } from './call-once.ts';
import { emptyDrafts } from './drafts.ts';
import { emit, type Flow, openPanel, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';
import type { Notice } from './store.ts';
import { addPaymentMethod, codeOf, needsFreshState, refresh } from './submit.ts';

interface PayOptions {
  /** The id of the earlier plan that a bank has reopened, to pay that one instead of the open plan. */
  reopenedId?: string;
  /** Pays only a part of the one installment. */
  part?: PayInput['part'];
}

/** Pays installments of a plan. */
export async function pay(
  flow: Flow,
  installmentIds: readonly string[],
  { reopenedId, part }: PayOptions = {},
): Promise<void> {
  const amount = part === undefined ? '' : ` ${part.amount_in_cents} of ${part.of_in_cents}`;
  const operation = `pay ${installmentIds.join(' ')}${amount}`;
  const lateInCents = flow.store.state.value?.management?.amounts.late_in_cents ?? 0;
  const wasLate = lateInCents > 0 || reopenedId !== undefined;
  await change(flow, operation, {
    call: (planId, key) =>
      flow.api.pay(
        reopenedId ?? planId,
        { installment_ids: [...installmentIds], ...(part === undefined ? {} : { part }) },
        key,
      ),
    noticeOf: ({ repayment }) =>
      repayment === null
        ? null
        : { kind: 'paid', amountInCents: repayment.amount_in_cents, wasLate },
    networkNotice: 'network_pay',
  });
}

/** Pays with `input` if given, which then becomes the payment method for the rest of the plan. */
export async function payFrom(
  flow: Flow,
  installmentIds: readonly string[],
  input: PaymentMethodInput | null,
  part?: PayInput['part'],
): Promise<void> {
  if (input !== null && !(await addPaymentMethod(flow, input))) return;
  await pay(flow, installmentIds, part === undefined ? {} : { part });
}

export async function reschedule(flow: Flow, move: Move, amountInCents: number): Promise<void> {
  const { installmentId, dueDate, reason } = move;
  await change(flow, `move ${installmentId} ${dueDate} ${reason}`, {
    call: (planId, key) => flow.api.reschedule(planId, move, key),
    noticeOf: () => ({ kind: 'moved', amountInCents, day: dueDate }),
  });
}

export async function setAutopay(flow: Flow, enabled: boolean): Promise<void> {
  await change(flow, `autopay ${enabled}`, {
    call: (planId, key) => flow.api.setAutopay(planId, enabled, key),
    noticeOf: () => ({ kind: enabled ? 'autopay_on' : 'autopay_off' }),
  });
}

export async function cancelPlan(flow: Flow): Promise<void> {
  await change(flow, 'cancel', {
    call: (planId, key) => flow.api.cancel(planId, key),
    noticeOf: () => ({ kind: 'canceled' }),
  });
}

interface Change {
  call: (planId: string, key: string) => Promise<Result<PlanChangeOutput>>;
  /** The notice to show after success. */
  noticeOf: (output: PlanChangeOutput) => Notice | null;
  /** The notice for a lost connection. The default is for a change that moves no money. */
  networkNotice?: 'network_pay' | 'network_change';
}

/** Makes one change to the open plan, returns to its home page, and emits the SDK events. */
async function change(
  flow: Flow,
  operation: string,
  { call, noticeOf, networkNotice = 'network_change' }: Change,
): Promise<void> {
  const { store } = flow;
  const plan = store.state.value?.plan ?? null;
  if (plan === null || store.busy.value) return;
  if (store.state.value?.mail_access) {
    openPanel(flow, { kind: 'confirm' });
    return;
  }
  startRequest(flow);
  const result = await callOnce(flow, `${plan.id} ${operation}`, (key) => call(plan.id, key));
  store.busy.value = false;
  if (!result.ok) {
    if (!needsFreshState(result.problem)) reportProblem(flow, result.problem, networkNotice);
    else if (await refresh(flow)) {
      if (store.step.value === 'manage') openPanel(flow, { kind: 'home' });
      store.notice.value = { kind: 'plan_changed' };
    }
    return;
  }
  const { state, failure } = result.data;
  const method = store.state.value?.management?.payment_method ?? null;
  const { pay, part, move } = emptyDrafts;
  store.drafts.value = { ...store.drafts.value, pay, part, move };
  applyState(flow, state);
  if (store.step.value === 'manage') openPanel(flow, { kind: 'home' });
  store.notice.value =
    failure === null
      ? noticeOf(result.data)
      : { kind: 'repayment_failed', method, returnCode: codeOf(failure) };
  for (const event of eventsOf(result.data)) emit(flow, event);
}

function eventsOf({ change: changed, repayment }: PlanChangeOutput): SvcEvent[] {
  return [
    ...(repayment === null ? [] : [{ type: 'REPAY' as const, data: repayment }]),
    ...(changed === null ? [] : [{ type: 'PLAN_UPDATED' as const, data: changed }]),
  ];
}
