import type { ExperienceState, QuoteOutput } from '@svc/contract';
import type { Application, BankAccount } from '../api/experience-api.ts';
import type { Answer, Problem } from '../api/request.ts';
import { type Flow, go } from './flow.ts';
import { report } from './report.ts';
import { adopt } from './session.ts';
import { emptyDrafts } from './store.ts';

export async function apply(flow: Flow, application: Application): Promise<void> {
  await submit(flow, () => flow.api.apply(application));
}

export async function addPaymentMethod(flow: Flow, account: BankAccount): Promise<void> {
  const { store } = flow;
  const isChange = store.state.value?.step === 'plan_choice';
  const accepted = await submit(flow, () => flow.api.addPaymentMethod(account));
  if (!accepted) return;
  store.drafts.value = {
    ...store.drafts.value,
    account: { choice: '', routing: '', number: '', type: 'checking' },
  };
  if (isChange && store.step.value === 'payment_method') go(flow, 'plan_choice');
}

/** Asks the server again where the tenant stands, such as after a review or a paid balance. */
export async function refresh(flow: Flow): Promise<void> {
  await submit(flow, () => flow.api.state());
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

/** Agrees to a quote. One key per quote until a definite answer, so a repeat can't pay twice. */
export async function accept(flow: Flow, quote: QuoteOutput): Promise<void> {
  const { store } = flow;
  if (store.busy.value) return;
  if (store.acceptKey?.quoteId !== quote.id) {
    store.acceptKey = { quoteId: quote.id, key: flow.newKey() };
  }
  begin(flow);
  const answer = await acceptPatiently(flow, quote, store.acceptKey.key);
  store.busy.value = false;
  if (answer.ok || isDefinite(answer.problem)) store.acceptKey = null;
  if (!answer.ok) {
    if (needsFreshState(answer.problem)) await refreshAfter(flow, answer.problem);
    else report(flow, answer.problem, { movesMoney: true });
    return;
  }
  const { state, settlement, failure } = answer.data;
  const label = store.state.value?.payment_method?.label ?? '';
  store.drafts.value = { ...store.drafts.value, agreed: false };
  adopt(flow, state);
  store.quotes.value = { kind: 'none' };
  if (settlement === null || state.plan === null) {
    const account = { ...emptyDrafts.account, choice: 'another' };
    store.drafts.value = { ...store.drafts.value, account };
    go(flow, 'payment_method');
    store.notice.value = { kind: 'payment_failed', label, bankSays: failure?.message ?? '' };
    return;
  }
  store.planMade = true;
  store.debitBy = quote.debit_by;
  go(flow, 'done');
  flow.send({
    svc: 1,
    type: 'event',
    event: { type: 'SPLIT_RENT', data: { ...settlement, plan_id: state.plan.id } },
  });
}

/** The first request may still be running when a second asks: wait for its answer, five times. */
async function acceptPatiently(flow: Flow, quote: QuoteOutput, key: string) {
  let answer = await flow.api.accept(quote, key);
  for (let turn = 0; turn < 5; turn += 1) {
    if (answer.ok || answer.problem.code !== 'idempotency_key_in_progress') return answer;
    const seconds = answer.problem.retryAfterSeconds ?? 1;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    answer = await flow.api.accept(quote, key);
  }
  return answer;
}

/** Whether nothing more can come of the request. After a 500 the open-plan rule still guards. */
function isDefinite(problem: Problem): boolean {
  const mayPass = ['rate_limited', 'idempotency_key_in_progress', 'unavailable'];
  return !['network', 'session'].includes(problem.kind) && !mayPass.includes(problem.code);
}

/** Another tab was faster, or the day has turned: what we show is out of date. */
function needsFreshState({ code }: Problem): boolean {
  return ['step_not_allowed', 'plan_already_exists', 'quote_not_found'].includes(code);
}

async function refreshAfter(flow: Flow, problem: Problem): Promise<void> {
  const { store } = flow;
  const fresh = await submit(flow, () => flow.api.state());
  if (!fresh) return;
  if (problem.code === 'quote_not_found' && store.step.value === 'consent') {
    store.quotes.value = { kind: 'none' };
    store.drafts.value = { ...store.drafts.value, agreed: false };
    go(flow, 'plan_choice');
    store.notice.value = { kind: 'quotes_changed' };
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

function begin({ store }: Flow): void {
  store.busy.value = true;
  store.notice.value = null;
  store.fieldErrors.value = {};
}
