import { type Scenario, scenarios } from '../../backend/scenarios.ts';
import type { Phrase } from '../words/es.ts';

interface Moment {
  name: Phrase;
  /** One sentence about the scenario, for the visitor and for the partner's developer. */
  shows: Phrase;
}

const fromTheStart: Moment = {
  name: 'From the start',
  shows: 'Nothing has happened yet. See the options, apply, and split the balance yourself.',
};

export const moments: Readonly<Record<Scenario, Moment>> = {
  applied: {
    name: 'Applied',
    shows: 'The application is sent. The decision waits for an account or card.',
  },
  in_review: {
    name: 'In review',
    shows: 'A person reviews the application. The widget says so, and an email brings the answer.',
  },
  approved: {
    name: 'Approved',
    shows: 'The application is approved. The resident chooses 2, 3 or 4 payments.',
  },
  declined: {
    name: 'Declined',
    shows: 'The resident reads the reasons and their rights. The portal never learns the reasons.',
  },
  first_payment_failed: {
    name: 'First payment failed',
    shows: 'The bank declined the first payment, so the plan didn’t start and no money moved.',
  },
  split: {
    name: 'Split',
    shows: 'The first payment went through, and a webhook tells the portal to debit Svc.',
  },
  settled: {
    name: 'Settled',
    shows: 'The portal has its money, in full and on time. The plan continues without it.',
  },
  paid_off: {
    name: 'Paid off',
    shows: 'Every payment was made on its day. Each one sent a webhook.',
  },
  installment_failed: {
    name: 'Payment failed',
    shows: 'The second payment didn’t go through. The resident sees why, and what to do.',
  },
  past_due: {
    name: 'Past due',
    shows: 'Nothing was paid for 30 days. The portal keeps its money, and Svc carries the risk.',
  },
  refunded: {
    name: 'Refunded',
    shows: 'The portal sent the money back. Svc lowered what the resident owes.',
  },
  disputed: {
    name: 'Disputed',
    shows: 'The bank returned a payment that had gone through. It’s due once more.',
  },
  charged_off: {
    name: 'Charged off',
    shows: 'Nothing was paid for 120 days. The plan is closed, and the widget asks for attention.',
  },
  moved_out: {
    name: 'Moved out',
    shows:
      'The home is someone else’s now, so there is nothing to split. The balance is due as usual.',
  },
};

/** Returns the ID of a resident's tenant in a scenario; with null, of the tenant that has no scenario. */
export function tenantIn(personId: string, scenario: Scenario | null): string {
  return scenario === null ? personId : `${personId}.${scenario}`;
}

export function personOf(tenantId: string): string {
  return tenantId.split('.')[0] ?? tenantId;
}

export function scenarioOf(tenantId: string): Moment & { scenario: Scenario | null } {
  const scenario = scenarios.find((one) => tenantId.endsWith(`.${one}`)) ?? null;
  return { ...(scenario === null ? fromTheStart : moments[scenario]), scenario };
}

/** Returns the scenario after this one, or null after the last one. */
export function scenarioAfter(scenario: Scenario | null): Scenario | null {
  return scenarios[scenario === null ? 0 : scenarios.indexOf(scenario) + 1] ?? null;
}
