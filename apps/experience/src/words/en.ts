import type { ProductVariant, Step } from '@svc/contract/frame';
import { apply } from './en/apply.ts';
import { link } from './en/link.ts';
import { manage } from './en/manage.ts';
import { plan } from './en/plan.ts';
import { stop } from './en/stop.ts';

/** What differs between rent, a roommate's share of it and dues; `yours` as inside a sentence. */
const product: Record<ProductVariant | 'share', Product> = {
  rent: {
    name: 'rent',
    yours: 'your rent',
    payee: 'your landlord',
    portal: 'your resident portal',
    split: 'Your rent is split',
  },
  share: {
    name: 'share of the rent',
    yours: 'your share of the rent',
    payee: 'your landlord',
    portal: 'your resident portal',
    split: 'Your share of the rent is split',
  },
  hoa: {
    name: 'dues',
    yours: 'your dues',
    payee: 'your association',
    portal: 'your owner portal',
    split: 'Your dues are split',
  },
};

interface Product {
  name: string;
  yours: string;
  payee: string;
  portal: string;
  split: string;
}

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
  goOn: 'Go on',
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
  help: (lender: string) => `A service of ${lender}, who lends the money. Need help?`,
  cost: {
    known: (total: string, part: string, name: string, fee: string, apr: string) =>
      `${total} in total: ${part} ${name} and a ${fee} fee (APR ${apr}).`,
    credited: (total: string, agreed: string, credit: string, payee: string, apr: string) =>
      `${total} in total: ${agreed} minus a ${credit} credit from ${payee} (APR ${apr}).`,
    estimate: (total: string, part: string, name: string, fee: string) =>
      `${total} in total: ${part} ${name} and a ${fee} fee. You see the APR before you agree.`,
  },
  credited: (amount: string) => `${amount} credit`,
  partlyPaid: (amount: string) => `${amount} paid`,
  paymentNumber: (number: number) => `Payment ${number}`,
  payments: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
  paymentsWord: 'payments',
  firstAndFee: (part: string, fee: string) => `${part} and the ${fee} fee`,
  left: (amount: string) => `${amount} left after it`,
  nothingLeft: 'Nothing left after it',
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
  ...manage,
  ...stop,
  ...link,
};

export type Words = typeof en;
