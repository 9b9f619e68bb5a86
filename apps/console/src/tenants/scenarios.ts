import type { ScenarioInput } from '../api/tenants.ts';

/** A point in a plan's life to which a sandbox tenant can be moved. */
export interface Scenario {
  readonly name: ScenarioInput['scenario'];
  readonly label: string;
  /** The tenant's state afterwards, as a sentence. */
  readonly about: string;
  /** True if the number of payments and the payment method can be chosen. */
  readonly hasPlan: boolean;
  /** True if a payment fails or is reversed, so that a failure code can be chosen. */
  readonly fails: boolean;
}

const plain = { hasPlan: false, fails: false } as const;
const plan = { hasPlan: true, fails: false } as const;
const failing = { hasPlan: true, fails: true } as const;

/** The scenarios, in the order of a plan's life. */
export const scenarios: readonly [Scenario, ...Scenario[]] = [
  { name: 'applied', label: 'Applied', about: 'has applied and adds an account next', ...plain },
  { name: 'in_review', label: 'In review', about: 'waits for a person’s decision', ...plain },
  { name: 'approved', label: 'Approved', about: 'is approved and has no plan', ...plain },
  { name: 'declined', label: 'Declined', about: 'is declined', ...plain },
  {
    name: 'first_payment_failed',
    label: 'First payment failed',
    about: 'accepted a plan whose first payment failed; there is no settlement',
    ...failing,
  },
  {
    name: 'split',
    label: 'Split',
    about: 'has an active plan with an unsettled settlement',
    ...plan,
  },
  { name: 'settled', label: 'Settled', about: 'has a plan with a verified settlement', ...plan },
  {
    name: 'installment_failed',
    label: 'Later payment failed',
    about: 'has an active plan whose next payment failed',
    ...failing,
  },
  { name: 'past_due', label: 'Past due', about: 'has been past due for 30 days', ...failing },
  { name: 'paid_off', label: 'Paid off', about: 'has made all payments', ...plan },
  {
    name: 'refunded',
    label: 'Refunded',
    about: 'has a plan whose settlement was sent back in full',
    ...plan,
  },
  {
    name: 'disputed',
    label: 'Disputed',
    about: 'has a plan with a payment that the bank reversed',
    ...failing,
  },
  {
    name: 'charged_off',
    label: 'Charged off',
    about: 'has not paid for 120 days, and the plan is written off',
    ...failing,
  },
  {
    name: 'moved_out',
    label: 'Moved out',
    about: 'has moved out, and the lease has ended',
    ...plain,
  },
];
