import type { ExchangeOutput, ExperienceState } from '@svc/contract';
import type { Theme, ToFrame } from '@svc/contract/frame';
import type { Answer } from '../api/request.ts';
import { keepProgress, loadProgress, type Progress } from '../saved/progress.ts';
import { changesBetween } from './changes.ts';
import { type Drafts, emptyDrafts } from './drafts.ts';
import { emit, type Flow } from './flow.ts';
import { endSession, errorEvent } from './report.ts';
import { stepAfter, stepOnReturn } from './step-after.ts';

/** Handles a message of the SDK. */
export function receive(flow: Flow, message: ToFrame): void {
  const { store } = flow;
  if (message.type === 'token') {
    void begin(flow, message.token);
    return;
  }
  if (message.type === 'appearance') {
    store.theme.value = themeOf(message.theme);
    store.locale.value = message.locale;
    return;
  }
  if (store.identity !== null) return;
  store.identity = {
    pms: message.pms,
    externalId: message.externalId,
    signature: message.signature,
    productVariant: message.productVariant,
  };
  store.theme.value = themeOf(message.theme);
  store.locale.value = message.locale;
  if (message.token !== null) void begin(flow, message.token);
}

/** From the page's `color-scheme`; a page that names none is light. */
function themeOf(scheme: string): Theme {
  const dark = scheme.includes('dark');
  if (scheme === 'auto' || (dark && scheme.includes('light'))) return 'auto';
  return dark ? 'dark' : 'light';
}

/** Exchanges a token for a session. The current token changes nothing; another one replaces the session. */
async function begin(flow: Flow, token: string): Promise<void> {
  const { store, api } = flow;
  if (store.identity === null) return;
  if (token === store.token) {
    if (store.view.value.kind !== 'loading') store.settled.value += 1;
    return;
  }
  store.token = token;
  const answer = await api.exchange(token, store.identity);
  if (store.token !== token) return;
  await take(flow, answer, `${store.identity.pms}+`);
}

/**
 * Opened by a mail's link, on a page of our own. The link works once, and mail scanners open pages
 * and run their scripts, so it is used only when somebody presses the button.
 */
export function showLink({ store }: Flow, secret: string, pms: string): void {
  store.link = { secret, pms };
  store.locale.value = navigator.language;
  store.view.value = { kind: 'link' };
}

/** Exchanges the mail's link for a session. */
export async function enterByLink(flow: Flow): Promise<void> {
  const { link, view } = flow.store;
  if (link === null) return;
  view.value = { kind: 'loading' };
  await take(flow, await flow.api.openLink(link.secret), `${link.pms}+`);
}

async function take(flow: Flow, answer: Answer<ExchangeOutput>, portal: string): Promise<void> {
  const { store, api } = flow;
  if (answer.ok) {
    api.useSession(answer.data.session);
    await enter(flow, answer.data, portal);
  } else if (answer.problem.kind === 'session') {
    endSession(flow);
    return;
  } else {
    const { problem } = answer;
    const mayPass = problem.kind !== 'refused' || problem.code === 'rate_limited';
    emit(flow, errorEvent(problem));
    store.view.value = {
      kind: 'trouble',
      trouble: { kind: mayPass ? 'unreachable' : 'refused', problem },
    };
  }
  store.settled.value += 1;
}

/** Repeats the exchange of the last token or link. The server accepts that for 30 s with our nonce. */
export function retryExchange(flow: Flow): void {
  const { token, view, link } = flow.store;
  if (link !== null) void enterByLink(flow);
  if (token === null) return;
  flow.store.token = null;
  view.value = { kind: 'loading' };
  void begin(flow, token);
}

/** Takes an answer of the server's as where the tenant stands now, and tells the partner's page. */
export function adopt(flow: Flow, next: ExperienceState): void {
  const { store } = flow;
  const before = store.state.value;
  const events = before === null ? [] : changesBetween(before, next);
  store.step.value = stepAfter(
    before === null ? null : { step: store.step.value, state: before },
    next,
  );
  store.state.value = next;
  for (const event of events) emit(flow, event);
}

async function enter({ store }: Flow, next: ExperienceState, portal: string): Promise<void> {
  const before = store.state.value;
  const sameTenant = before?.tenant.external_id === next.tenant.external_id;
  const sameAmount = before?.cycle?.amount_due_in_cents === next.cycle?.amount_due_in_cents;
  const tenant = portal + next.tenant.external_id;
  const saved = sameTenant ? null : await loadProgress(tenant);
  if (!sameTenant) store.drafts.value = saved === null ? emptyDrafts : draftsOf(saved);
  if (!sameTenant || !sameAmount) store.quotes.value = { kind: 'none' };
  store.step.value = stepAfter(
    before === null ? null : { step: store.step.value, state: before },
    next,
  );
  if (saved !== null) {
    store.step.value = stepOnReturn(saved.step, next);
    store.installmentCount.value = saved.installmentCount;
  }
  store.state.value = next;
  store.view.value = { kind: 'step' };
  if (sameTenant) return;
  store.stopKeeping();
  store.stopKeeping = keepProgress(store, tenant);
}

function draftsOf(saved: Progress): Drafts {
  const { birth, income, method, accountChoice, accountType } = saved;
  const account = { ...emptyDrafts.account, method, choice: accountChoice, type: accountType };
  return { ...emptyDrafts, birth, income, account };
}
