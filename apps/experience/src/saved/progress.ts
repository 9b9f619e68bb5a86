import { effect } from '@preact/signals';
import type { Step } from '@svc/contract/frame';
import { type Drafts, emptyDrafts } from '../flow/drafts.ts';
import type { Store } from '../flow/store.ts';
import { openSealed, type Sealed, seal } from './vault.ts';

/** The progress kept across a reload of the tab. Never account or card digits, a session or a token. */
export interface Progress {
  step: Step;
  installmentCount: number | null;
  birth: Drafts['birth'];
  income: string;
  method: Drafts['account']['method'];
  accountChoice: string;
  accountType: Drafts['account']['type'];
}

const key = 'svc-progress';
/** Storage that doesn't answer must not delay the first screen. */
const timeoutInMilliseconds = 500;

/** What this tenant had typed in this tab; null when there is nothing, or not for them. */
export async function loadProgress(tenant: string): Promise<Progress | null> {
  const giveUp = new Promise<null>((resolve) => {
    setTimeout(resolve, timeoutInMilliseconds, null);
  });
  return Promise.race([read(tenant), giveUp]);
}

/**
 * Saves the tenant's progress now and after each change, until the returned function is called.
 *
 * The effect runs synchronously for each signal that an action sets, and sealing is asynchronous. So
 * one write runs at a time, and continues with the latest value: an older one cannot overwrite it.
 */
export function keepProgress(store: Store, tenant: string): () => void {
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

  let kept = '';
  return effect(() => {
    const progress = JSON.stringify(progressOf(store));
    if (progress === kept) return;
    kept = latest = progress;
    void write();
  });
}

export function progressOf({ step, installmentCount, drafts }: Store): Progress {
  // Drop what was typed once it is sent: it is personal and no longer needed here.
  const isApplying = ['offer', 'application'].includes(step.value);
  const { account } = drafts.value;
  const { birth, income } = isApplying ? drafts.value : emptyDrafts;
  return {
    step: step.value,
    installmentCount: installmentCount.value,
    birth,
    income,
    method: account.method,
    accountChoice: account.choice,
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
    // No storage in this frame, or the data is not ours: start fresh.
    return null;
  }
}

function put(saved: Sealed): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(saved));
  } catch {
    // Blocked or full: what is typed lives as long as the page.
  }
}
