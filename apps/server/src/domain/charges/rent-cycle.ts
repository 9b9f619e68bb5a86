import type { RentCycle } from '@svc/contract';
import type { Terms } from '../partners/terms.ts';
import { addDays, monthOf, startOfDay } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { type Charge, isUnpaid } from './charge.ts';

export interface Cycle {
  readonly dueDate: string;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly state: 'upcoming' | 'open' | 'closed';
  readonly amountDueInCents: number;
  /** The month's charges, credits included. */
  readonly charges: readonly Charge[];
}

interface Question {
  readonly charges: readonly Charge[];
  /** The simulation's `rent_cycle_date`, while it applies. */
  readonly simulatedDate: string | null;
  readonly at: TenantTime;
  readonly timeZone: string;
  readonly terms: WindowTerms;
}

/** The days around a due date on which its cycle is open. */
type WindowTerms = Pick<Terms, 'opensDaysBefore' | 'closesDaysAfter'>;

/** Returns the open cycle, else the next one to open, else the last closed one; null without an unpaid charge. */
export function currentCycle(question: Question): Cycle | null {
  const named = currentSimulatedDate(question);
  const dates = named === null ? earliestByMonth(question.charges) : [named];
  const cycles = dates
    .filter((date) => named === null || question.charges.some((it) => it.dueDate === date))
    .map((date) => cycleOf(date, question));
  return (
    cycles.find((it) => it.state === 'open') ??
    cycles.find((it) => it.state === 'upcoming') ??
    cycles.at(-1) ??
    null
  );
}

/** Returns the simulated date, until its cycle closes. After that the usual rule applies again. */
export function currentSimulatedDate(question: Omit<Question, 'charges'>): string | null {
  const { simulatedDate, at } = question;
  if (simulatedDate === null) return null;
  return at < windowOf(simulatedDate, question).closes ? simulatedDate : null;
}

export function viewCycle(cycle: Cycle | null): RentCycle | null {
  return (
    cycle && {
      due_date: cycle.dueDate,
      opens_at: cycle.opensAt.toISOString(),
      closes_at: cycle.closesAt.toISOString(),
      is_open: cycle.state === 'open',
      amount_due_in_cents: cycle.amountDueInCents,
    }
  );
}

/** Returns when the cycle of a due date opens and closes, in the property's time zone. */
export function cycleEdges(
  dueDate: string,
  question: Pick<Question, 'timeZone' | 'terms'>,
): Date[] {
  const { opens, closes } = windowOf(dueDate, question);
  return [opens, closes];
}

function cycleOf(dueDate: string, question: Question): Cycle {
  const { charges, at } = question;
  const month = charges.filter((it) => monthOf(it.dueDate) === monthOf(dueDate));
  const owed = month.reduce((sum, it) => sum + it.amountInCents - it.amountPaidInCents, 0);
  const { opens, closes } = windowOf(dueDate, question);
  return {
    dueDate,
    opensAt: opens,
    closesAt: closes,
    state: at < opens ? 'upcoming' : at < closes ? 'open' : 'closed',
    amountDueInCents: Math.max(owed, 0),
    charges: month,
  };
}

interface Window {
  readonly opens: Date;
  readonly closes: Date;
}

function windowOf(
  dueDate: string,
  { timeZone, terms }: Pick<Question, 'timeZone' | 'terms'>,
): Window {
  return {
    opens: startOfDay(addDays(dueDate, -terms.opensDaysBefore), timeZone),
    closes: startOfDay(addDays(dueDate, terms.closesDaysAfter + 1), timeZone),
  };
}

/** Returns each month's earliest due date among its unpaid charges, in order. */
function earliestByMonth(charges: readonly Charge[]): string[] {
  const earliest = new Map<string, string>();
  for (const charge of charges.filter(isUnpaid)) {
    const month = monthOf(charge.dueDate);
    const known = earliest.get(month);
    if (known === undefined || charge.dueDate < known) earliest.set(month, charge.dueDate);
  }
  return [...earliest.values()].sort();
}
