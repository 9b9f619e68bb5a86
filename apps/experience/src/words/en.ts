import type { ProductVariant, Step } from '@svc/contract/frame';
import { apply } from './en/apply.ts';
import { plan } from './en/plan.ts';
import { stop } from './en/stop.ts';

/** What differs between rent and association dues. */
const product = {
  rent: { name: 'rent', payee: 'your landlord', portal: 'your resident portal' },
  hoa: { name: 'dues', payee: 'your association', portal: 'your owner portal' },
} as const satisfies Record<ProductVariant, Record<string, string>>;

/**
 * All words on screen, in English. Plain, short, second person; "payment", never "installment".
 * Another language is another file of this shape.
 */
export const en = {
  product,
  documentTitle: 'Pay in parts',
  back: 'Back',
  close: 'Close',
  backToPortal: (variant: ProductVariant) => `Back to ${product[variant].portal}`,
  tryAgain: 'Try again',
  checkAgain: 'Check again',
  loading: 'Loading',
  sending: 'Sending. Please wait.',
  stepOf: (now: number, all: number) => `${now} of ${all}`,
  stepWord: 'Step',
  today: 'Today',
  sandbox: {
    mark: 'Sandbox',
    note: 'no real money moves',
    date: (day: string) => `simulated date ${day}`,
  },
  help: (lender: string) => `A service of ${lender}. Need help?`,
  cost: {
    known: (total: string, part: string, name: string, fee: string, apr: string) =>
      `${total} in total: ${part} ${name} and a ${fee} fee (APR ${apr}).`,
    estimate: (total: string, part: string, name: string, fee: string) =>
      `${total} in total: ${part} ${name} and a ${fee} fee. You see the APR before you agree.`,
  },
  payments: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
  paymentsWord: 'payments',
  each: (amount: string) => `${amount} each`,
  aboutEach: (amount: string) => `about ${amount}`,
  firstAndFee: (part: string, fee: string) => `${part} and the ${fee} fee`,
  paymentState: {
    scheduled: '',
    processing: 'On its way',
    paid: 'Paid',
    failed: 'Did not go through',
    overdue: 'Late',
    canceled: 'Canceled',
  },
  steps: {
    offer: 'Offer',
    application: 'Application',
    payment_method: 'Account',
    decision: 'Decision',
    plan_choice: 'Payments',
    consent: 'Agreement',
    done: 'Done',
    declined: 'Decision',
    manage: 'Plan',
    blocked: 'Not now',
  } satisfies Record<Step, string>,

  ...apply,
  ...plan,
  ...stop,
};

export type Words = typeof en;
