import { effect } from '@preact/signals';
import type { Step } from '@svc/contract/frame';
import { type Drafts, emptyDrafts } from '../flow/drafts.ts';
import type { Store } from '../flow/store.ts';
import { openSealed, type Sealed, seal } from './vault.ts';

/** Input that survives a reload of the tab. It never has account or card digits, a session, or a token. */
export interface Progress {
  step: Step;
  installmentCount: number | null;
  birth: string;
  replacesBirth: boolean;
  income: string;
  incomeIs: Drafts['incomeIs'];
  method: Drafts['account']['method'];
  typesNumbers: boolean;
  accountType: Drafts['account']['type'];
}

const key = 'svc-progress';
/** The time in milliseconds that the first screen waits for storage that does not respond. */
const timeoutMs = 500;
/** Delay before the first save, in milliseconds. Opening the storage is slow, and nothing has been typed yet. */
const firstSaveMs = 500;

/** Returns the progress that this tenant saved in this tab, or null. */
export async function loadProgress(tenant: string): Promise<Progress | null> {
  const timeout = new Promise<null>((resolve) => {
    setTimeout(resolve, timeoutMs, null);
  });
  return Promise.race([read(tenant), timeout]);
}

/**
 * Saves the tenant's progress soon and after each change, until the returned function is called.
 *
 * The effect runs synchronously for each signal that an action sets, and sealing is asynchronous. So
 * one write runs at a time, and continues with the latest value: an older one cannot overwrite it.
 */
export function saveProgress(store: Store, tenant: string): () => void {
  let isWriting = false;
  let latest: string | null = null;

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (latest !== null) {
      const progress = latest;
      latest = null;
      const sealed = await seal(progress, tenant);
      if (sealed !== null) put(sealed);
    }
    isWriting = false;
  }

  let saved = '';
  let firstSave: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    const progress = JSON.stringify(progressIn(store));
    if (progress === saved) return;
    const isFirst = saved === '';
    saved = latest = progress;
    if (isFirst) firstSave = setTimeout(() => void write(), firstSaveMs);
    else void write();
  });
  return () => {
    clearTimeout(firstSave);
    stop();
  };
}

export function progressIn({ step, installmentCount, drafts }: Store): Progress {
  // Personal data is no longer needed here once it has been sent.
  const isApplying = ['offer', 'application'].includes(step.value);
  const { account } = drafts.value;
  const { birth, replacesBirth, income, incomeIs } = isApplying ? drafts.value : emptyDrafts;
  return {
    step: step.value,
    installmentCount: installmentCount.value,
    birth,
    replacesBirth,
    income,
    incomeIs,
    method: account.method,
    typesNumbers: account.typesNumbers,
    accountType: account.type,
  };
}

async function read(tenant: string): Promise<Progress | null> {
  try {
    const saved = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Sealed | null;
    if (saved === null) return null;
    const text = await openSealed(saved, tenant);
    return text === null ? null : (JSON.parse(text) as Progress);
  } catch {
    // Storage is blocked in this frame, or the data is not ours.
    return null;
  }
}

function put(saved: Sealed): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(saved));
  } catch {
    // Storage is blocked or full: the progress lasts until the page is closed.
  }
}
