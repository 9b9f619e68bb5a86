import type { Activity, CallActivity, SdkActivity, WebhookActivity } from './answers.ts';

type Unnumbered<T> = Omit<T, 'seq' | 'at'>;
type NewActivity = Unnumbered<CallActivity> | Unnumbered<SdkActivity> | Unnumbered<WebhookActivity>;

/** A log of recent activity in order: the last 200 of each kind, with live subscribers. */
export interface Journal {
  /** Identifies this process, because `seq` restarts with it. */
  readonly run: string;
  record(activity: NewActivity): void;
  /** Activity after `seq`, oldest first. */
  since(seq: number): readonly Activity[];
  /** Calls `listener` with each new activity. Returns a function that unsubscribes. */
  follow(listener: (activity: Activity) => void): () => void;
}

const maxPerKind = 200;

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
      if (sameKind.length > maxPerKind) entries = entries.filter((one) => one !== sameKind[0]);
      for (const listener of listeners) listener(entry);
    },
    since: (after) => entries.filter((entry) => entry.seq > after),
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
