import type { ExchangeOutput, ExperienceState } from '@svc/contract';
import { readPageAppearance } from '@svc/contract/appearance';
import type { AppearanceMessage, InitMessage, ToFrame } from '@svc/contract/frame';
import { applyAppearance, themeOf } from '@svc/ui/frame/apply-appearance.ts';
import type { Result } from '../api/request.ts';
import { loadProgress, type Progress, saveProgress } from '../saved/progress.ts';
import { type Drafts, emptyDrafts } from './drafts.ts';
import { emit, type Flow, goBack } from './flow.ts';
import { endSession, errorEvent } from './report-problem.ts';
import { settleLostChange } from './settle-lost-change.ts';
import { stayOnReload } from './stay-on-reload.ts';
import { stepAfter, stepOnReturn } from './step-after.ts';
import { isGood } from './store.ts';

/** Handles a message from the SDK. */
export function receive(flow: Flow, message: ToFrame): void {
  const { store } = flow;
  if (message.type === 'token') {
    void startSession(flow, message.token);
    return;
  }
  if (message.type === 'appearance') {
    followPage(flow, message);
    return;
  }
  if (message.type === 'back') {
    goBack(flow);
    return;
  }
  if (store.identity !== null) return;
  store.identity = {
    pms: message.pms,
    externalId: message.externalId,
    signature: message.signature,
    productVariant: message.productVariant,
  };
  followPage(flow, message);
  if (message.token !== null) void startSession(flow, message.token);
}

/** Applies the page's language, theme and brand. Its theme overrides the stored one only if the page has set it. */
function followPage({ store }: Flow, message: InitMessage | AppearanceMessage): void {
  const page = readPageAppearance(message.appearance);
  const stored = store.page.partner?.appearance ?? null;
  const storedTheme = stored?.theme ?? 'auto';
  store.locale.value = message.locale;
  store.theme.value =
    page.hasTheme || storedTheme === 'auto' ? themeOf(message.theme) : storedTheme;
  applyAppearance(document.documentElement, stored, page);
  const accent = page.accent ?? stored?.accent;
  if (!store.page.isSandbox || accent == null) return;
  const theme = store.theme.value;
  if (store.warnedAccent === `${accent} ${theme}`) return;
  store.warnedAccent = `${accent} ${theme}`;
  void import('../frame/warn-of-accent.ts').then(({ warnOfAccent }) => warnOfAccent(accent, theme));
}

/**
 * Exchanges a token for a session, which replaces the current one. Repeating the current token only
 * sends `ready` again. If another token arrives during the exchange, this result is dropped.
 */
async function startSession(flow: Flow, token: string): Promise<void> {
  const { store, api } = flow;
  if (store.identity === null) return;
  if (token === store.token) {
    if (store.view.value.kind !== 'loading') store.answeredTokens.value += 1;
    return;
  }
  store.token = token;
  const result = await api.exchange(token, store.identity);
  if (store.token !== token) return;
  await applyExchange(flow, result, `${store.identity.pms}+`);
  // The tenant comes back from the processor's page, which had replaced the portal's.
  const setupId = result.ok ? result.data.open_setup_id : null;
  if (!setupId || store.setup.value !== null) return;
  const { concludeSetup } = await import('./submit.ts');
  await concludeSetup(flow, setupId);
}

/**
 * Shows the page of an email link or a hosted link, outside a frame. The link works once, and mail scanners open
 * pages and run their scripts, so it is exchanged only when the tenant presses the button.
 */
export function showLink({ store }: Flow, secret: string, pms: string): void {
  store.link = { secret, pms };
  store.isHosted = secret.startsWith('svc_hl_');
  store.locale.value = navigator.language;
  store.view.value = { kind: 'link' };
}

/** Exchanges the email link for a session. */
export async function enterByLink(flow: Flow): Promise<void> {
  const { link, view } = flow.store;
  if (link === null) return;
  view.value = { kind: 'loading' };
  const result = await flow.api.openLink(link.secret);
  await applyExchange(flow, result, `${link.pms}+`);
  if (result.ok) stayOnReload(flow, result.data.session);
}

/** Shows an operator what the tenant sees. The session is read-only, and nothing is stored on this machine. */
export async function enterAsOperator(flow: Flow, session: string, pms: string): Promise<void> {
  flow.store.locale.value = navigator.language;
  flow.api.useSession(session);
  const result = await flow.api.state();
  const opened = result.ok
    ? { ...result, data: { ...result.data, session, expires_at: '' } }
    : result;
  await applyExchange(flow, opened, `${pms}+`);
}

export async function applyExchange(
  flow: Flow,
  result: Result<ExchangeOutput>,
  portal: string,
  /** Where the tenant was before a visit to the bank's page, from which this page was loaded again. */
  visited: Progress | null = null,
): Promise<void> {
  const { store, api } = flow;
  if (result.ok) {
    api.useSession(result.data.session);
    await enterSession(flow, result.data, portal, visited);
  } else if (result.problem.kind === 'session') {
    endSession(flow);
    return;
  } else {
    const { problem } = result;
    const isRetryable = problem.kind !== 'refused' || problem.code === 'rate_limited';
    emit(flow, errorEvent(problem));
    store.view.value = {
      kind: 'trouble',
      trouble: { kind: isRetryable ? 'unreachable' : 'refused', problem },
    };
  }
  store.answeredTokens.value += 1;
}

/** Repeats the exchange of the last token or link. With our nonce, the server accepts that for 30 s. */
export function retryExchange(flow: Flow): void {
  const { token, view, link } = flow.store;
  if (link !== null) void enterByLink(flow);
  if (token === null) return;
  flow.store.token = null;
  view.value = { kind: 'loading' };
  void startSession(flow, token);
}

async function enterSession(
  { store }: Flow,
  next: ExperienceState,
  portal: string,
  visited: Progress | null,
): Promise<void> {
  const before = store.state.value;
  const sameTenant = before?.tenant.external_id === next.tenant.external_id && before !== null;
  const sameAmount = before?.cycle?.amount_due_in_cents === next.cycle?.amount_due_in_cents;
  const tenant = portal + next.tenant.external_id;
  const isKept = !next.viewed_by_operator;
  const saved = sameTenant || !isKept ? null : (visited ?? (await loadProgress(tenant)));
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
  // The plan may have changed since the last visit. Notices of failed or unknown changes stay, to be read.
  const notice = store.notice.value;
  if (!sameTenant || (notice !== null && isGood(notice))) store.notice.value = null;
  if (sameTenant) {
    settleLostChange(store, before, next);
    return;
  }
  store.stopSaving();
  if (isKept) store.stopSaving = saveProgress(store, tenant);
}

function draftsOf(saved: Progress): Drafts {
  const { birth, replacesBirth, income, incomeIs, method, typesNumbers, accountType } = saved;
  const account = { ...emptyDrafts.account, method, typesNumbers, type: accountType };
  return { ...emptyDrafts, birth, replacesBirth, income, incomeIs, account };
}
