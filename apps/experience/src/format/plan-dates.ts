import type { PlanManagement } from '@svc/contract';
import { fullDate } from './dates.ts';

type History = PlanManagement['history'];
type Entry = History[number];

/** Formats a date that names a payment: `March 8`, `8 de marzo`. With the year if it is not today's. */
export function dayName(date: string, locale: string, today: string): string {
  if (date.slice(0, 4) !== today.slice(0, 4)) return fullDate(date, locale);
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(Date.parse(`${date}T00:00:00Z`));
}

/** Returns the day at the home on which the agreement was accepted. In the evening, UTC is already a day later. */
export function signedOn({ history, agreement }: Pick<PlanManagement, 'history' | 'agreement'>) {
  const entry = history.find(({ kind }) => kind === 'accepted');
  return entry?.on ?? agreement.accepted_at.slice(0, 10);
}

/** Returns the days on which the moved installments were first due, by number. */
export function originalDays(history: History): ReadonlyMap<number, string> {
  const days = new Map<number, string>();
  // The newest entry comes first, so the last one set is the oldest.
  for (const { kind, number, from } of history) {
    if (kind === 'rescheduled' && number !== null && from !== null) days.set(number, from);
  }
  return days;
}

export interface DatedEntry extends Entry {
  /** The day on which the entry's installment was due at that time; null if it has none. */
  dueOn: string | null;
  /** True for a payment that left a part of its installment unpaid. */
  isPart: boolean;
}

/** A line of the history. */
export interface HistoryLine extends DatedEntry {
  /** For failed attempts at one payment: the days of all of them, oldest first. Otherwise empty. */
  attempts: readonly string[];
}

interface Installment {
  number: number;
  due_date: string;
  left_in_cents: number;
}

/**
 * Returns the history with each payment's due day at that time, so that an entry keeps its name when the payment
 * moves later. It goes from the newest entry, with today's days, to the oldest.
 */
export function datedHistory(
  history: History,
  installments: readonly Installment[],
): readonly DatedEntry[] {
  const days = new Map(installments.map((it) => [it.number, it.due_date]));
  const newer = new Map<number, Entry['kind']>();
  return history.map((entry) => {
    const { kind, number } = entry;
    if (number === null) return { ...entry, dueOn: null, isPart: false };
    const left = installments.find((it) => it.number === number)?.left_in_cents ?? 0;
    const after = newer.get(number);
    if (kind === 'paid' || kind === 'taken_back') newer.set(number, kind);
    if (kind === 'rescheduled' && entry.from !== null) days.set(number, entry.from);
    return {
      ...entry,
      dueOn: days.get(number) ?? null,
      isPart: kind === 'paid' && (after === undefined ? left > 0 : after === 'paid'),
    };
  });
}

/** Merges the failed attempts at a payment into one line, in the place of the newest. */
export function historyLines(entries: readonly DatedEntry[]): readonly HistoryLine[] {
  const lines: HistoryLine[] = [];
  for (const entry of entries) {
    const isFailure = entry.kind === 'failed';
    const newest = lines.findIndex((it) => it.kind === 'failed' && it.number === entry.number);
    const line = lines[newest];
    if (!isFailure || line === undefined) {
      lines.push({ ...entry, attempts: isFailure ? [entry.on] : [] });
    } else {
      lines[newest] = { ...line, attempts: [entry.on, ...line.attempts] };
    }
  }
  return lines;
}
