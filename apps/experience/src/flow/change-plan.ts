import type { PaymentMethodInput, PlanChangeOutput } from '@svc/contract';
import type { SvcEvent } from '@svc/contract/frame';
import type { Move } from '../api/experience-api.ts';
import type { Answer } from '../api/request.ts';
import { emptyDrafts } from './drafts.ts';
import { emit, type Flow, open } from './flow.ts';
import { once } from './once.ts';
import { report } from './report.ts';
import { adopt } from './session.ts';
import type { Notice } from './store.ts';
import { addPaymentMethod, begin, codeOf, needsFreshState, refresh } from './submit.ts';

/** Of the open plan, or of another one that is open again. */
export async function pay(
  flow: Flow,
  installmentIds: readonly string[],
  reopenedId?: string,
): Promise<void> {
  const intention = `pay ${installmentIds.join(' ')}`;
  await change(flow, intention, {
    call: (planId, key) => flow.api.pay(reopenedId ?? planId, installmentIds, key),
    done: ({ repayment }) =>
      repayment === null ? null : { kind: 'paid', amountInCents: repayment.amount_in_cents },
  });
}

/** Pays from another account or card when one was typed: it then pays the rest of the plan too. */
export async function payFrom(
  flow: Flow,
  installmentIds: readonly string[],
  typed: PaymentMethodInput | null,
): Promise<void> {
  if (typed === null || (await addPaymentMethod(flow, typed))) await pay(flow, installmentIds);
}

export async function reschedule(flow: Flow, move: Move, amountInCents: number): Promise<void> {
  const { installmentId, dueDate, reason } = move;
  await change(flow, `move ${installmentId} ${dueDate} ${reason}`, {
    call: (planId, key) => flow.api.reschedule(planId, move, key),
    done: () => ({ kind: 'moved', amountInCents, day: dueDate }),
  });
}

export async function setAutopay(flow: Flow, enabled: boolean): Promise<void> {
  await change(flow, `autopay ${enabled}`, {
    call: (planId, key) => flow.api.setAutopay(planId, enabled, key),
    done: () => ({ kind: enabled ? 'autopay_on' : 'autopay_off' }),
  });
}

export async function cancelPlan(flow: Flow): Promise<void> {
  await change(flow, 'cancel', {
    call: (planId, key) => flow.api.cancel(planId, key),
    done: () => ({ kind: 'canceled' }),
  });
}

interface Change {
  call: (planId: string, key: string) => Promise<Answer<PlanChangeOutput>>;
  /** The notice after success. */
  done: (output: PlanChangeOutput) => Notice | null;
}

/** Makes one change of the open plan, returns to its home and emits the SDK events. */
async function change(flow: Flow, intention: string, { call, done }: Change): Promise<void> {
  const { store } = flow;
  const plan = store.state.value?.plan ?? null;
  if (plan === null || store.busy.value) return;
  if (store.state.value?.mail_access) {
    open(flow, { kind: 'confirm' });
    return;
  }
  begin(flow);
  const answer = await once(flow, `${plan.id} ${intention}`, (key) => call(plan.id, key));
  store.busy.value = false;
  if (!answer.ok) {
    if (!needsFreshState(answer.problem)) report(flow, answer.problem, 'network_pay');
    else if (await refresh(flow)) {
      if (store.step.value === 'manage') open(flow, { kind: 'home' });
      store.notice.value = { kind: 'plan_changed' };
    }
    return;
  }
  const { state, failure } = answer.data;
  const method = store.state.value?.management?.payment_method ?? null;
  const { pay, move } = emptyDrafts;
  store.drafts.value = { ...store.drafts.value, pay, move };
  adopt(flow, state);
  if (store.step.value === 'manage') open(flow, { kind: 'home' });
  store.notice.value =
    failure === null
      ? done(answer.data)
      : { kind: 'repayment_failed', method, returnCode: codeOf(failure) };
  for (const event of eventsOf(answer.data)) emit(flow, event);
}

function eventsOf({ change: changed, repayment }: PlanChangeOutput): SvcEvent[] {
  return [
    ...(repayment === null ? [] : [{ type: 'REPAY' as const, data: repayment }]),
    ...(changed === null ? [] : [{ type: 'PLAN_UPDATED' as const, data: changed }]),
  ];
}
