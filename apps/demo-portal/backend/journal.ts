import type { Activity, CallActivity, SdkActivity, WebhookActivity } from './answers.ts';

type Unnumbered<T> = Omit<T, 'seq' | 'at'>;
export type NewActivity =
  | Unnumbered<CallActivity>
  | Unnumbered<SdkActivity>
  | Unnumbered<WebhookActivity>;

/** What just happened, in order: the last 200 of each kind, and whoever listens. */
export interface Journal {
  /** Names this run: numbers start anew with the process. */
  readonly run: string;
  record(activity: NewActivity): void;
  /** What came after `seq`, oldest first. */
  since(seq: number): readonly Activity[];
  /** Calls back with each new one. Returns the way to stop. */
  follow(listener: (activity: Activity) => void): () => void;
}

const kept = 200;

export function createJournal(now: () => Date): Journal {
  let entries: Activity[] = [];
  let seq = 0;
  const listeners = new Set<(activity: Activity) => void>();
  return {
    run: crypto.randomUUID(),
    record(activity) {
      seq += 1;
      const entry = { ...activity, seq, at: now().toISOString() } as Activity;
      entries.push(entry);
      const sameKind = entries.filter(({ kind }) => kind === entry.kind);
      if (sameKind.length > kept) entries = entries.filter((one) => one !== sameKind[0]);
      for (const listener of listeners) listener(entry);
    },
    since: (after) => entries.filter((entry) => entry.seq > after),
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
