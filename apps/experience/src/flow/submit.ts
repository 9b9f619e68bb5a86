import type {
  AcceptOutput,
  ExperienceState,
  Paydays,
  PaymentMethodInput,
  PaymentSetupInput,
  PaymentSetupOutput,
  QuoteOutput,
  QuotesOutput,
} from '@svc/contract';
import { defaultLocale, localeOf } from '@svc/contract/locales';
import type { Application, Disclosure } from '../api/experience-api.ts';
import type { Problem, Result } from '../api/request.ts';
import { applyState } from './apply-state.ts';
import { callOnce } from './call-once.ts';
import { emptyDrafts } from './drafts.ts';
import { emit, type Flow, goToStep, openMethod, openPanel, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';

export async function submitApplication(flow: Flow, application: Application): Promise<void> {
  const { language, locale } = flow.store;
  const onScreen = localeOf(language.value ?? locale.value ?? '') ?? defaultLocale;
  await submit(flow, async () => {
    const refused = await answerRecords(flow, application.recordsSha256);
    return refused ?? flow.api.apply(application, onScreen);
  });
}

/**
 * Stores how the tenant wants notices, if the application has asked. It is sent before the application, because
 * a decline may follow at once. During an upgrade, a process of the previous release may get the call. It has
 * no such route, and the tenant then counts as not asked.
 */
async function answerRecords({ store, api }: Flow, sha256: string | null | undefined) {
  if (sha256 === undefined) return null;
  const result = await api.chooseElectronicRecords(sha256);
  // The text has changed since it was loaded, so the form requests the new one.
  if (!result.ok && result.problem.code === 'version_conflict') {
    store.records.value = { kind: 'none' };
  }
  return result.ok || result.problem.code === 'not_found' ? null : result;
}

/** Adds a payment method, before a plan is chosen or for the rest of one. Returns whether it was accepted. */
export async function addPaymentMethod(flow: Flow, input: PaymentMethodInput): Promise<boolean> {
  return continueWithMethod(flow, () => flow.api.addPaymentMethod(input));
}

/** Asks for the processor's page on which the tenant enters an account or a card. */
export async function openSetup(
  flow: Flow,
  input: PaymentSetupInput,
): Promise<PaymentSetupOutput | null> {
  const { store, api } = flow;
  if (store.busy.value) return null;
  startRequest(flow);
  const result = await api.openSetup(input);
  store.busy.value = false;
  if (result.ok && result.data.state === 'ready') {
    // The tenant finished an earlier visit, and comes back in another session.
    await continueWithMethod(flow, () => api.state());
    return null;
  }
  if (result.ok) {
    store.setup.value = result.data;
    return result.data;
  }
  if (needsFreshState(result.problem)) await refreshAfter(flow, result.problem);
  else reportProblem(flow, result.problem);
  return null;
}

/** Loads the banks to pick from. Without them the numbers can still be typed. */
export async function loadBanks(flow: Flow): Promise<void> {
  const result = await flow.api.openSetup({ type: 'bank_account' });
  if (result.ok) flow.store.banks.value = result.data.banks ?? [];
  else reportProblem(flow, result.problem);
}

/** Polls while the tenant is on the processor's page. Network failures are ignored, since it polls again. */
export async function pollSetup(flow: Flow): Promise<void> {
  const { store, api } = flow;
  const setup = store.setup.value;
  if (store.busy.value || !setup?.id) return;
  if (setup.state !== 'open' && setup.state !== 'pending') return;
  const result = await api.checkSetup(setup.id);
  if (!result.ok || store.setup.value !== setup || store.busy.value) return;
  if (result.data.state !== 'ready') store.setup.value = result.data;
  else if (await continueWithMethod(flow, () => api.state())) store.setup.value = null;
}

/** Checks once the result of a visit that the page has no link to. If it is still open, the tenant begins another. */
export async function concludeSetup(flow: Flow, id: string): Promise<void> {
  const { setup } = flow.store;
  setup.value = { id, state: 'open', url: null, reason: null, message: null };
  await pollSetup(flow);
  if (setup.value?.state === 'open') setup.value = null;
}

/** Continues with a new payment method. Returns whether the call succeeded. */
async function continueWithMethod(
  flow: Flow,
  call: () => Promise<Result<ExperienceState>>,
): Promise<boolean> {
  const { store } = flow;
  const isForPlan = store.panel.value.kind === 'account';
  const isChange = store.state.value?.step === 'plan_choice';
  const accepted = await submit(flow, call);
  if (!accepted) return false;
  store.drafts.value = { ...store.drafts.value, account: emptyDrafts.account };
  // The agreement names the payment method, so quotes for the old one are outdated.
  store.quotes.value = { kind: 'none' };
  if (isChange && store.step.value === 'payment_method') goToStep(flow, store.methodExit.next);
  const method = store.state.value?.management?.payment_method;
  if (isForPlan && method) {
    openPanel(flow, { kind: 'home' });
    store.notice.value = { kind: 'account_changed', method };
  }
  return true;
}

/** Reloads the tenant's state, such as after a review or a paid balance. */
export async function refresh(flow: Flow): Promise<boolean> {
  return submit(flow, () => flow.api.state());
}

/** Checks whether the review has ended, and shows a notice if it has not. */
export async function checkReview(flow: Flow): Promise<void> {
  const isFresh = await refresh(flow);
  if (isFresh && isInReview(flow)) flow.store.notice.value = { kind: 'in_review' };
}

/** Polls while an application is in review. Network failures are ignored, since it polls again. */
export async function pollReview(flow: Flow): Promise<void> {
  const { store, api } = flow;
  if (store.busy.value || !isInReview(flow)) return;
  const result = await api.state();
  if (result.ok && !store.busy.value && isInReview(flow)) {
    if (result.data.application?.state !== 'in_review') store.notice.value = null;
    applyState(flow, result.data);
  } else if (!result.ok && result.problem.kind === 'session') reportProblem(flow, result.problem);
}

function isInReview({ store }: Flow): boolean {
  return store.state.value?.application?.state === 'in_review';
}

/** Loads the quotes, and chooses the most payments unless the tenant has chosen. */
export async function loadQuotes(flow: Flow): Promise<void> {
  if (flow.store.quotes.value.kind !== 'loading') await readQuotes(flow, flow.api.quotes);
}

/** The last choice of paydays that is not sent yet or is in flight; null if there is none. */
let pendingChoice: { readonly paydays: Paydays | null } | null = null;

/**
 * Puts the payments on the tenant's paydays, or back on the standard dates. Of the choices that are made while
 * one is in flight, only the last is sent after it, so that the server keeps the one on screen.
 */
export async function choosePaydays(flow: Flow, paydays: Paydays | null): Promise<void> {
  const isSending = pendingChoice !== null;
  pendingChoice = { paydays };
  if (isSending) return;
  await readQuotes(flow, async () => {
    for (;;) {
      const sent = pendingChoice;
      const result = await flow.api.choosePaydays(sent?.paydays ?? null);
      if (sent !== pendingChoice) continue;
      pendingChoice = null;
      return result;
    }
  });
  // After a failure, the earlier choice is shown again.
  if (flow.store.quotes.value.kind === 'failed') clearAnswers(flow);
}

/** Goes back to the standard dates. */
export function dropPaydays(flow: Flow): void {
  clearAnswers(flow);
  void choosePaydays(flow, null);
}

function clearAnswers({ store: { drafts } }: Flow): void {
  drafts.value = { ...drafts.value, paydays: null };
}

async function readQuotes(flow: Flow, read: () => Promise<Result<QuotesOutput>>): Promise<void> {
  const { store } = flow;
  const loading = { kind: 'loading' } as const;
  store.quotes.value = loading;
  const result = await read();
  // A later call has taken over and loads the quotes.
  if (store.quotes.value !== loading) return;
  if (result.ok) {
    const { items, paydays } = result.data;
    if (items.length === 0 && paydays === null) {
      // Too few days are left for a plan since the state was read: the server has another step by now.
      store.quotes.value = { kind: 'failed' };
      await refresh(flow);
      return;
    }
    store.quotes.value = { kind: 'ready', ...result.data };
    const counts = items.map((quote) => quote.installment_count);
    const chosen = store.installmentCount.value;
    if (chosen === null || !counts.includes(chosen)) {
      store.installmentCount.value = counts.at(-1) ?? chosen;
    }
    return;
  }
  store.quotes.value = { kind: 'failed' };
  if (needsFreshState(result.problem)) await refreshAfter(flow, result.problem);
  else reportProblem(flow, result.problem);
}

/** Returns the quote for the chosen number of payments. Null until the quotes have loaded. */
export function chosenQuote({ store }: Flow): QuoteOutput | null {
  const quotes = store.quotes.value;
  if (quotes.kind !== 'ready') return null;
  const count = store.installmentCount.value;
  return quotes.items.find((quote) => quote.installment_count === count) ?? null;
}

/** Accepts a quote with the agreement text that was shown. The idempotency key prevents a second payment. */
export async function acceptQuote(flow: Flow, quote: QuoteOutput, text: Disclosure): Promise<void> {
  const { store } = flow;
  if (store.busy.value) return;
  startRequest(flow);
  const result = await callOnce(flow, `${quote.id} ${text.locale}`, (key) =>
    flow.api.accept(quote.id, text, key),
  );
  store.busy.value = false;
  if (!result.ok) {
    if (needsFreshState(result.problem)) await refreshAfter(flow, result.problem);
    else reportProblem(flow, result.problem, 'network_plan');
    return;
  }
  const { state, settlement, failure } = result.data;
  const method = store.state.value?.payment_method ?? null;
  store.drafts.value = { ...store.drafts.value, agreed: '' };
  applyState(flow, state);
  store.quotes.value = { kind: 'none' };
  if (failure !== null || state.plan === null) {
    const account = { ...emptyDrafts.account, method: method?.type ?? ('' as const) };
    store.drafts.value = { ...store.drafts.value, account };
    openMethod(flow, { back: 'plan_choice', next: 'consent' });
    store.notice.value = { kind: 'payment_failed', method, returnCode: codeOf(failure) };
    return;
  }
  store.planMade = true;
  store.debitBy = quote.debit_by;
  if (settlement === null) {
    // The first payment is still pending, so the plan has not started.
    openPanel(flow, { kind: 'home' });
    return;
  }
  goToStep(flow, 'done');
  emit(flow, { type: 'SPLIT_RENT', data: { ...settlement, plan_id: state.plan.id } });
}

/** Returns the bank's return code, such as `R01` of the service's `first_payment_failed:R01`. */
export function codeOf(failure: AcceptOutput['failure']): string {
  return failure?.code.split(':').at(-1) ?? '';
}

/** Returns whether the state on screen is outdated, such as after a change in another tab. */
export function needsFreshState({ code }: Problem): boolean {
  return staleStateCodes.includes(code);
}

const staleStateCodes = [
  'step_not_allowed',
  'plan_already_exists',
  'plan_not_found',
  'quote_not_found',
  'version_conflict',
  // The session came from an email link: the state says how to continue.
  'confirmation_required',
];

async function refreshAfter(flow: Flow, problem: Problem): Promise<void> {
  const { store } = flow;
  const fresh = await submit(flow, () => flow.api.state());
  if (!fresh) return;
  if (problem.code === 'quote_not_found' && store.step.value === 'consent') {
    store.quotes.value = { kind: 'none' };
    goToStep(flow, 'plan_choice');
    store.notice.value = { kind: 'quotes_changed' };
  } else if (store.step.value === 'manage') {
    openPanel(flow, { kind: 'home' });
    store.notice.value = { kind: 'plan_changed' };
  } else if (store.step.value !== 'done') {
    store.notice.value = { kind: 'moved_on' };
  }
}

async function submit(flow: Flow, call: () => Promise<Result<ExperienceState>>) {
  const { store } = flow;
  if (store.busy.value) return false;
  startRequest(flow);
  const result = await call();
  store.busy.value = false;
  if (result.ok) applyState(flow, result.data);
  else if (needsFreshState(result.problem)) await refreshAfter(flow, result.problem);
  else reportProblem(flow, result.problem);
  return result.ok;
}
