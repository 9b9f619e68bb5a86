import type { Settlement } from '@svc/node';
import type { Account, Cycle, LedgerEntry } from '../answers.ts';
import type { Resident } from '../residents.ts';
import { type Day, firstOfMonth, nextFirst } from './calendar.ts';

type PaidCharge = Settlement['charges_and_amounts_paid'][number];

/** A payment by Svc, as reported by a verified webhook or the API. */
export interface Payment {
  settlementId: string;
  planId: string;
  receivedOn: Day;
  charges: readonly Pick<PaidCharge, 'charge_id' | 'amount_in_cents'>[];
}

const monthsOfHistory = 4;

/** Returns the resident's account on `today`: charges due on the first of next month, and earlier months. */
export function accountOn(today: Day, resident: Resident, payments: readonly Payment[]): Account {
  const due = nextFirst(today);
  const open = cycleOf(resident, due, payments);
  const past = Array.from({ length: monthsOfHistory }, (_, index) =>
    pastCycle(resident, firstOfMonth(due, -1 - index), payments),
  );
  const { property } = resident;
  return {
    tenant_id: resident.id,
    first_name: resident.firstName,
    name: `${resident.firstName} ${resident.lastName}`,
    email: resident.email,
    phone: resident.phone,
    variant: resident.variant,
    unit: resident.unit,
    lease: {
      id: resident.lease.id,
      starts_on: resident.lease.startsOn,
      ends_on: resident.lease.endsOn,
    },
    property: {
      name: property.name,
      line1: property.line1,
      city: property.city,
      state: property.state,
      postal_code: property.postalCode,
    },
    due_date: due,
    balance_in_cents: open.balance_in_cents,
    cycles: [open, ...past.filter(({ due_date }) => due_date >= resident.lease.startsOn)],
  };
}

interface OwedCharge {
  id: string;
  type: Resident['monthly'][number]['type'];
  description: string;
  due_date: Day;
  amount_in_cents: number;
  amount_paid_in_cents: number;
}

/** Returns the charges due on `due`, for portal_info and the ledger. */
export function chargesDue(
  resident: Resident,
  due: Day,
  payments: readonly Payment[],
): OwedCharge[] {
  const paid = payments.flatMap(({ charges }) => charges);
  return resident.monthly.map(({ key, type, description, amount }) => {
    const id = `${resident.id}-${due.slice(0, 7)}-${key}`;
    const received = sum(paid.filter(({ charge_id }) => charge_id === id));
    return {
      id,
      type,
      description,
      due_date: due,
      amount_in_cents: amount,
      amount_paid_in_cents: Math.min(received, amount),
    };
  });
}

/** Returns one month's charges and the payments by Svc toward them. */
function cycleOf(resident: Resident, due: Day, payments: readonly Payment[]): Cycle {
  const charges = chargesDue(resident, due, []).map(
    (charge): LedgerEntry => ({
      id: charge.id,
      kind: 'charge',
      date: due,
      description: charge.description,
      amount_in_cents: charge.amount_in_cents,
      settlement_id: null,
    }),
  );
  const ids = new Set(charges.map(({ id }) => id));
  const received = payments.map((payment): LedgerEntry => {
    const parts = payment.charges.filter(({ charge_id }) => ids.has(charge_id));
    return {
      id: payment.settlementId,
      kind: 'payment',
      date: payment.receivedOn,
      description: 'Paid by Svc',
      amount_in_cents: -sum(parts),
      settlement_id: payment.settlementId,
    };
  });
  const entries = [...charges, ...received.filter((entry) => entry.amount_in_cents !== 0)];
  return { due_date: due, entries, balance_in_cents: sum(entries) };
}

/** Returns a past month, in which everything that Svc did not pay was paid by bank transfer. */
function pastCycle(resident: Resident, due: Day, payments: readonly Payment[]): Cycle {
  const cycle = cycleOf(resident, due, payments);
  if (cycle.balance_in_cents <= 0) return cycle;
  const bank: LedgerEntry = {
    id: `${resident.id}-${due.slice(0, 7)}-bank`,
    kind: 'payment',
    date: due,
    description: 'Bank transfer',
    amount_in_cents: -cycle.balance_in_cents,
    settlement_id: null,
  };
  return { ...cycle, entries: [...cycle.entries, bank], balance_in_cents: 0 };
}

function sum(parts: readonly { amount_in_cents: number }[]): number {
  return parts.reduce((total, part) => total + part.amount_in_cents, 0);
}
