import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { joinWords } from '@svc/ui/console/text/join-words.ts';
import type { TermsChange, TermsVersion } from '../api/terms.ts';

export const statusMarks: Record<TermsVersion['status'], { tone: Tone; word: string }> = {
  in_force: { tone: 'good', word: 'In force' },
  upcoming: { tone: 'info', word: 'Upcoming' },
  replaced: { tone: 'neutral', word: 'Replaced' },
};

/** Describes where a version applies: "All partners, all states", "maple in TX". */
export function describeScope({ pms, state }: Pick<TermsVersion, 'pms' | 'state'>): string {
  if (pms === null) return state === null ? 'All partners, all states' : `All partners in ${state}`;
  return state === null ? `${pms}, all states` : `${pms} in ${state}`;
}

const days = (value: unknown) => (value === 1 ? '1 day' : `${value} days`);
const money = (value: unknown) => formatCents(Number(value));
const list = (value: unknown) => joinWords((value as unknown[]).map(sayWord));

function sayWord(word: unknown): string {
  return String(word).replaceAll('_', ' ');
}

interface FieldFormat {
  readonly label: string;
  /** Formats a value that is set. */
  readonly format: (value: never) => string;
}

/** The fields of terms in the order in which people read them. */
const fields: Readonly<Record<string, FieldFormat>> = {
  fee_in_cents: { label: 'Fee', format: money },
  fee_share_percent: { label: 'Fee at most', format: (value) => `${value}% of the amount` },
  minimum_in_cents: { label: 'Smallest amount', format: money },
  maximum_in_cents: { label: 'Largest amount', format: money },
  installment_counts: { label: 'Numbers of payments', format: list },
  span_days: { label: 'Last payment within', format: days },
  days_apart: { label: 'Payments apart by', format: days },
  opens_days_before: { label: 'Offered before the due date', format: days },
  closes_days_after: { label: 'Offered after the due date', format: days },
  part_payment_minimum_in_cents: { label: 'Smallest part payment', format: money },
  remind_days_before: { label: 'Reminder before a payment', format: days },
  retry_after_days: {
    label: 'Retries after',
    format: (value: readonly number[]) =>
      value.length === 0 ? 'No retry' : `${joinWords(value.map(String))} days`,
  },
  past_due_after_days: { label: 'Past due after', format: days },
  charge_off_after_days: { label: 'Charged off after', format: days },
  reapply_after_days: { label: 'New application after', format: days },
  decline_reasons: {
    label: 'Declines for',
    format: (value: readonly string[]) => (value.length === 0 ? 'No reason' : list(value)),
  },
  plan_starts: { label: 'A plan starts when', format: sayWord },
};

const unsetValues: Readonly<Record<string, string>> = { fee_share_percent: '10% of the amount' };

/** One line of a document: a value, or a long text of an agreement or notice. */
export interface TermsRow {
  readonly field: string;
  readonly label: string;
  readonly value: string;
  readonly isText: boolean;
}

/** Returns the terms as rows. Texts are last, each with its own row. */
export function rowsOf(terms: Readonly<Record<string, unknown>>): readonly TermsRow[] {
  const { documents, ...values } = terms;
  const known = Object.keys(fields).filter((field) => field in values || field in unsetValues);
  const others = Object.keys(values).filter((field) => !(field in fields));
  const rows = [...known, ...others].map((field) => rowOf(field, values[field]));
  const texts = leavesOf(documents, 'documents');
  return [...rows, ...[...texts].map(([field, text]) => textRow(field, text))];
}

/** A difference: `before` or `after` is null if the text is not the partner's own. */
export interface TermsDifference {
  readonly field: string;
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly isText: boolean;
}

/** Returns the changes as rows, with a row for each text that differs. */
export function differencesOf(changes: readonly TermsChange[]): readonly TermsDifference[] {
  return changes.flatMap(({ field, now, new: next }): TermsDifference[] => {
    if (field !== 'documents') {
      const [before, after] = [rowOf(field, now), rowOf(field, next)];
      return [{ ...before, before: before.value, after: after.value, isText: false }];
    }
    const [before, after] = [leavesOf(now, field), leavesOf(next, field)];
    const texts = [...new Set([...before.keys(), ...after.keys()])];
    return texts
      .filter((text) => before.get(text) !== after.get(text))
      .map((text) => ({
        ...textRow(text, ''),
        before: before.get(text) ?? null,
        after: after.get(text) ?? null,
      }));
  });
}

function rowOf(field: string, value: unknown): TermsRow {
  const { label = sayWord(field), format = String } = fields[field] ?? {};
  const isSet = value !== undefined && value !== null;
  const formatted = isSet ? format(value as never) : (unsetValues[field] ?? 'Not set');
  return { field, label, value: formatted, isText: false };
}

/** Returns a text as a row. The label of "documents.agreement.rent.en" is "Agreement, rent, en". */
function textRow(field: string, value: string): TermsRow {
  const words = field.split('.').slice(1).map(sayWord);
  const label = words.join(', ');
  return {
    field,
    label: label.charAt(0).toUpperCase() + label.slice(1),
    value,
    isText: true,
  };
}

/** Returns every text inside of a value, by its path. */
function leavesOf(value: unknown, path: string): ReadonlyMap<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') return new Map([[path, String(value)]]);
  return new Map(
    Object.entries(value).flatMap(([key, part]) => [...leavesOf(part, `${path}.${key}`)]),
  );
}
