import type { Step } from '@svc/contract/frame';
import { type Drafts, emptyDrafts } from '../flow/drafts.ts';
import type { Store } from '../flow/store.ts';
import { afterChanges } from '../signal.ts';
import { openSealed, type Sealed, seal } from './vault.ts';

/** What survives a reload, as long as the tab. The digits of an account or card are never kept, nor is a session or token. */
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
/** Storage that does not answer must not hold up the first screen. */
const patienceInMilliseconds = 500;

/** What this tenant had typed in this tab; null when there is nothing, or not for them. */
export async function loadProgress(tenant: string): Promise<Progress | null> {
  const giveUp = new Promise<null>((resolve) => {
    setTimeout(resolve, patienceInMilliseconds, null);
  });
  return Promise.race([read(tenant), giveUp]);
}

/** Keeps what is typed from now on: the latest, one write at a time, sealed for this tenant. */
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
  const keep = () => {
    const progress = JSON.stringify(progressOf(store));
    if (progress === kept) return;
    kept = latest = progress;
    void write();
  };
  keep();
  return afterChanges(keep);
}

export function progressOf({ step, installmentCount, drafts }: Store): Progress {
  // Once it is sent, nobody needs to find it here.
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
    // No storage in this frame, or not our writing: one starts afresh.
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
