import type { Bank } from '@svc/contract';
import { type Progress, progressIn } from '../saved/progress.ts';
import { type Flow, openPanel } from './flow.ts';
import { concludeSetup, openSetup, pollSetup } from './submit.ts';

/** A visit to a page of the bank or the payment processor, which opens in place of our own page. */
interface Visit {
  /** The setup that the visit is for; null for the confirmation of a payment. */
  readonly setup: string | null;
  readonly bank: string;
  /** True if the account is for the rest of a plan. */
  readonly isForPlan: boolean;
  /** The server's step. If it changes during the visit, the tenant continues there. */
  readonly from: string | undefined;
  readonly progress: Progress;
}

/** The interval at which the page checks whether the tenant has closed the bank's tab, in milliseconds. */
const closedIntervalMs = 250;

/**
 * Opens the picked bank's page in place of our own page, or in another tab if we are in a frame. The tab opens
 * before the request, because browsers allow it only during a click. If they refuse, a link remains.
 */
export async function openBank(flow: Flow, bank: Bank): Promise<void> {
  const { store } = flow;
  if (store.busy.value) return;
  const tab = store.page.isStandalone ? null : openTab();
  const { account } = store.drafts.value;
  store.drafts.value = { ...store.drafts.value, account: { ...account, bank: bank.name } };
  store.setup.value = null;
  const setup = await openSetup(flow, { type: 'bank_account', bank: bank.id });
  const url = setup?.url ?? null;
  if (store.page.isStandalone && url !== null) {
    keepVisit(flow);
    location.assign(url);
    return;
  }
  if (tab === null || url === null) {
    tab?.close();
    return;
  }
  tab.location.replace(url);
  const timer = setInterval(() => {
    if (!tab.closed) return;
    clearInterval(timer);
    void pollSetup(flow);
  }, closedIntervalMs);
}

function openTab(): Window | null {
  const tab = window.open('', '_blank');
  // An Android WebView without several windows returns the window of the portal's page.
  if (tab === null || tab === window.top) return null;
  // The bank's page must not reach this one.
  tab.opener = null;
  return tab;
}

/**
 * Stores the visit. Call it right before the page is left. The visit is kept in `history.state`, because a
 * WebView may have no storage. `/setup/return` leads back to this entry.
 */
export function keepVisit(flow: Flow): void {
  const { store } = flow;
  const svcVisit: Visit = {
    setup: store.setup.value?.id ?? null,
    bank: store.drafts.value.account.bank,
    isForPlan: store.panel.value.kind === 'account',
    from: store.state.value?.step,
    progress: progressIn(store),
  };
  history.replaceState({ ...history.state, svcVisit }, '');
  // The browser may keep the page as it is, and show it again without a load.
  addEventListener('pageshow', () => void concludeVisit(flow, svcVisit), { once: true });
}

/** Returns the visit from which the tenant came back to a page that had to load again; null if there is none. */
export function visitBefore(history: History): Visit | null {
  return (history.state as { svcVisit?: Visit } | null)?.svcVisit ?? null;
}

/** Shows the visit's result. After the back button it is still open, and the tenant chooses again. */
export async function concludeVisit(flow: Flow, visit: Visit): Promise<void> {
  const { store } = flow;
  removeVisit();
  if (visit.setup === null) return;
  const { account } = store.drafts.value;
  store.drafts.value = { ...store.drafts.value, account: { ...account, bank: visit.bank } };
  if (visit.isForPlan) openPanel(flow, { kind: 'account' });
  await concludeSetup(flow, visit.setup);
}

/** Removes the visit from the history entry, because the next load of the page does not come from it. */
function removeVisit(): void {
  const { svcVisit: _, ...state } = history.state;
  history.replaceState(state, '');
}
