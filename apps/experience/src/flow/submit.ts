import type { AcceptOutput, ExperienceState, PaymentMethodInput, QuoteOutput } from '@svc/contract';
import type { Application, Disclosure } from '../api/experience-api.ts';
import type { Answer, Problem } from '../api/request.ts';
import { emptyDrafts } from './drafts.ts';
import { emit, type Flow, go, open } from './flow.ts';
import { once } from './once.ts';
import { report } from './report.ts';
import { adopt } from './session.ts';

export async function apply(flow: Flow, application: Application): Promise<void> {
  await submit(flow, () => flow.api.apply(application));
}

/** Adds a payment method, before a plan is chosen or for the rest of one. Returns whether it was accepted. */
export async function addPaymentMethod(flow: Flow, typed: PaymentMethodInput): Promise<boolean> {
  const { store } = flow;
  const isForPlan = store.panel.value.kind === 'account';
  const isChange = store.state.value?.step === 'plan_choice';
  const accepted = await submit(flow, () => flow.api.addPaymentMethod(typed));
  if (!accepted) return false;
  store.drafts.value = { ...store.drafts.value, account: emptyDrafts.account };
  // The agreement names what is charged.
  store.quotes.value = { kind: 'none' };
  if (isChange && store.step.value === 'payment_method') go(flow, 'plan_choice');
  const method = store.state.value?.management?.payment_method;
  if (isForPlan && method) {
    open(flow, { kind: 'home' });
    store.notice.value = { kind: 'account_changed', method };
  }
  return true;
}

/** Reloads the tenant's state, such as after a review or a paid balance. */
export async function refresh(flow: Flow): Promise<boolean> {
  return submit(flow, () => flow.api.state());
}

/** The tenant asks whether the review is over. Shows a notice when it is not. */
export async function askAgain(flow: Flow): Promise<void> {
  const answered = await refresh(flow);
  if (answered && isInReview(flow)) flow.store.notice.value = { kind: 'in_review' };
}

/** Polls while an application is in review. Network failures are ignored, since it polls again. */
export async function look(flow: Flow): Promise<void> {
  const { store, api } = flow;
  if (store.busy.value || !isInReview(flow)) return;
  const answer = await api.state();
  if (answer.ok && !store.busy.value && isInReview(flow)) {
    if (answer.data.application?.state !== 'in_review') store.notice.value = null;
    adopt(flow, answer.data);
  } else if (!answer.ok && answer.problem.kind === 'session') report(flow, answer.problem);
}

function isInReview({ store }: Flow): boolean {
  return store.state.value?.application?.state === 'in_review';
}

/** Opens a plan that is over, to read it and its papers again. */
export async function openPastPlan(flow: Flow, planId: string): Promise<void> {
  const { store } = flow;
  if (store.busy.value) return;
  begin(flow);
  const answer = await flow.api.plan(planId);
  store.busy.value = false;
  if (answer.ok) open(flow, { kind: 'past', past: answer.data, paper: null });
  else report(flow, answer.problem);
}

export async function loadQuotes(flow: Flow): Promise<void> {
  const { store, api } = flow;
  if (store.quotes.value.kind === 'loading') return;
  store.quotes.value = { kind: 'loading' };
  const answer = await api.quotes();
  if (answer.ok) {
    const { items } = answer.data;
    store.quotes.value = { kind: 'ready', items };
    const counts = items.map((quote) => quote.installment_count);
    const chosen = store.installmentCount.value;
    if (chosen === null || !counts.includes(chosen)) {
      store.installmentCount.value = counts.at(-1) ?? null;
    }
    return;
  }
  store.quotes.value = { kind: 'failed' };
  if (needsFreshState(answer.problem)) await refreshAfter(flow, answer.problem);
  else report(flow, answer.problem);
}

/** Accepts a quote by the text that was read. The idempotency key keeps it from paying twice. */
export async function accept(flow: Flow, quote: QuoteOutput, text: Disclosure): Promise<void> {
  const { store } = flow;
  if (store.busy.value) return;
  begin(flow);
  const answer = await once(flow, `${quote.id} ${text.locale}`, (key) =>
    flow.api.accept(quote.id, text, key),
  );
  store.busy.value = false;
  if (!answer.ok) {
    if (needsFreshState(answer.problem)) await refreshAfter(flow, answer.problem);
    else report(flow, answer.problem, 'network_plan');
    return;
  }
  const { state, settlement, failure } = answer.data;
  const method = store.state.value?.payment_method ?? null;
  store.drafts.value = { ...store.drafts.value, agreed: '' };
  adopt(flow, state);
  store.quotes.value = { kind: 'none' };
  if (failure !== null || state.plan === null) {
    const account = { ...emptyDrafts.account, method: method?.type ?? ('' as const) };
    store.drafts.value = { ...store.drafts.value, account };
    go(flow, 'payment_method');
    store.notice.value = { kind: 'payment_failed', method, returnCode: codeOf(failure) };
    return;
  }
  store.planMade = true;
  store.debitBy = quote.debit_by;
  if (settlement === null) {
    // The first payment is on its way: the plan is made, and not begun.
    open(flow, { kind: 'home' });
    return;
  }
  go(flow, 'done');
  emit(flow, { type: 'SPLIT_RENT', data: { ...settlement, plan_id: state.plan.id } });
}

/** The bank's return code, from the service's `first_payment_failed:R01`. */
export function codeOf(failure: AcceptOutput['failure']): string {
  return failure?.code.split(':').at(-1) ?? '';
}

/** The state on screen is out of date: another tab was faster, or a new day began. */
export function needsFreshState({ code }: Problem): boolean {
  return stale.includes(code);
}

const stale = [
  'step_not_allowed',
  'plan_already_exists',
  'plan_not_found',
  'quote_not_found',
  'version_conflict',
  // Of a session that began with a mail's link: the state says how to continue.
  'confirmation_required',
];

async function refreshAfter(flow: Flow, problem: Problem): Promise<void> {
  const { store } = flow;
  const fresh = await submit(flow, () => flow.api.state());
  if (!fresh) return;
  if (problem.code === 'quote_not_found' && store.step.value === 'consent') {
    store.quotes.value = { kind: 'none' };
    go(flow, 'plan_choice');
    store.notice.value = { kind: 'quotes_changed' };
  } else if (store.step.value === 'manage') {
    open(flow, { kind: 'home' });
    store.notice.value = { kind: 'plan_changed' };
  } else if (store.step.value !== 'done') {
    store.notice.value = { kind: 'moved_on' };
  }
}

async function submit(flow: Flow, call: () => Promise<Answer<ExperienceState>>) {
  const { store } = flow;
  if (store.busy.value) return false;
  begin(flow);
  const answer = await call();
  store.busy.value = false;
  if (answer.ok) adopt(flow, answer.data);
  else if (needsFreshState(answer.problem)) await refreshAfter(flow, answer.problem);
  else report(flow, answer.problem);
  return answer.ok;
}

export function begin({ store }: Flow): void {
  store.busy.value = true;
  store.notice.value = null;
  store.fieldErrors.value = {};
}
