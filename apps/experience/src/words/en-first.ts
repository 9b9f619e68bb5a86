import type { ChargeType } from '@svc/contract';
import type { ProductVariant, Step } from '@svc/contract/frame';

/** The words that differ between rent, a roommate's share of it, and dues. Lower case, for use within a sentence. */
const product: Record<ProductVariant | 'share', Product> = {
  rent: {
    name: 'rent',
    yours: 'your rent',
    next: 'your next rent',
    payee: 'your landlord',
    manager: 'your property manager',
    portal: 'your resident portal',
    split: 'Your rent is split',
  },
  share: {
    name: 'share of the rent',
    yours: 'your share of the rent',
    next: 'your next share of the rent',
    payee: 'your landlord',
    manager: 'your property manager',
    portal: 'your resident portal',
    split: 'Your share of the rent is split',
  },
  hoa: {
    name: 'dues',
    yours: 'your dues',
    next: 'your next dues',
    payee: 'your association',
    manager: 'your association',
    portal: 'your owner portal',
    split: 'Your dues are split',
  },
};

interface Product {
  /** After "your" and an amount: "your $1,520.12 rent". In Spanish with its own "tu". */
  name: string;
  yours: string;
  next: string;
  payee: string;
  /** Corrects what the portal reports. */
  manager: string;
  portal: string;
  split: string;
}

/** The English text of the first load: of what a tenant can see before the later screens have loaded. */
export const firstWords = {
  product,
  documentTitle: 'Pay over time',
  viewing: 'You see what the tenant sees. Nothing can be changed.',
  language: 'Language',
  back: 'Back',
  close: 'Close',
  backToPortal: (variant: ProductVariant) => `Back to ${product[variant].portal}`,
  tryAgain: 'Try again',
  continue: 'Continue',
  loading: 'Loading',
  sending: 'Sending. Please wait.',
  stepOf: (now: number, all: number) => `${now} of ${all}`,
  stepWord: 'Step',
  sandbox: {
    mark: 'Sandbox',
    note: 'no real money moves',
    date: (day: string) => `simulated date: ${day}`,
  },
  help: (lender: string) => `Loan provided by ${lender}. Need help?`,
  due: (day: string) => `Due ${day}`,
  reference: (id: string) => `Reference ${id}`,
  cost: {
    known: (total: string, part: string, name: string, fee: string, apr: string) =>
      `${total} in total: your ${part} ${name} plus a ${fee} fee (annual percentage rate ${apr}).`,
    credited: (total: string, agreed: string, credit: string, payee: string, apr: string) =>
      `${total} in total: ${agreed} minus a ${credit} credit from ${payee} (annual percentage rate ${apr}).`,
    estimate: (total: string, part: string, name: string, fee: string) =>
      `${total} in total: your ${part} ${name} plus a ${fee} fee. You’ll see the APR before you agree.`,
  },
  paymentsWord: 'payments',
  payments: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
  steps: {
    offer: 'Offer',
    application: 'Application',
    payment_method: 'How you pay',
    decision: 'Decision',
    plan_choice: 'Payments',
    consent: 'Agreement',
    done: 'Done',
    declined: 'Decision',
    manage: 'Plan',
    blocked: 'Not now',
  } satisfies Record<Step, string>,
  offer: {
    title: (amount: string, name: string) => `Split your ${amount} ${name} into smaller payments?`,
    share: 'This is your share of the rent. Your roommates pay theirs separately.',
    ofMonth: (month: string, name: string) => `${month} ${name}`,
    due: (what: string, day: string) => `${what}\u00a0· due ${day}`,
    chargesTitle: 'What’s due',
    choose: 'How do you want to split it?',
    count: 'Number of payments',
    chargeTypes: {
      rent: 'Rent',
      utility: 'Utilities',
      fee: 'Fee',
      late_fee: 'Late fee',
      security_deposit: 'Security deposit',
      credit: 'Credit',
      hoa_dues: 'Association dues',
      hoa_assessment: 'Special assessment',
      other: 'Other charge',
    } satisfies Record<ChargeType, string>,
    preview: {
      title: (count: number) => `With ${count} payments`,
      today: 'today',
      rest: (count: number, amount: string) =>
        count === 1 ? `then ${amount}` : `then ${count}\u00a0×\u00a0${amount}`,
      within: (days: number) => `All within ${days} days. You’ll see every date before you agree.`,
    },
    how: 'How it works',
    steps: (payee: string, amount: string, fee: string) => [
      `We pay ${payee} the full ${amount}.`,
      `You pay the first part plus a ${fee} fee today.`,
      'You pay the rest on dates you’ll see before you agree.',
    ],
    action: 'Start my application',
    actionNote: 'It takes about two minutes. You won’t be charged until you agree.',
  },
  pastPlans: {
    title: 'Earlier plans',
    states: {
      completed: 'Paid off',
      canceled: 'Canceled',
      charged_off: 'Closed, balance owed',
      settled: 'Closed',
    },
    note: (count: number, total: string, state: string) =>
      `${count} payments\u00a0· ${total} in total\u00a0· ${state}`,
  },
  trouble: {
    session_ended: {
      title: 'You were signed out',
      text: 'For your security, we sign you out after a while. Your last step didn’t move any money, and nothing you typed is lost.',
      todo: 'Continue where you left off.',
    },
    link_over: {
      title: 'Open your plan from your portal',
      text: 'Links in our emails work once, for a few days. For your security, we also sign you out after a while. No money moved.',
      todo: 'You can find your plan in your resident or owner portal.',
    },
    hosted_over: {
      title: 'This page is no longer open',
      text: 'The link works once, for a short time. For your security, we also sign you out after a while. What you finished is saved.',
      todo: 'Go back to your portal, or ask it for a new link.',
    },
    link_blocked: {
      title: 'This link no longer works',
      text: 'The answers didn’t match five times, so we turned this link off. No money moved.',
      todo: 'You can find your plan in your resident or owner portal. If you need help, email us at the address below.',
    },
    left: {
      title: 'You can close this page',
      text: 'Your plan is saved as you left it.',
      todo: 'You can open it anytime in your resident or owner portal.',
    },
    unreachable: {
      title: 'We can’t reach the service',
      text: 'No money moved. Check your connection and try again.',
      todo: 'If it still doesn’t work, pay in your portal, as usual, or email us at the address below.',
    },
    broken: {
      title: 'This page stopped working',
      text: 'That’s our mistake, not yours. What you agreed to and what you paid haven’t changed.',
      todo: 'Try again. If it happens again, pay in your portal, as usual, or email us at the address below.',
    },
    refused: {
      title: 'We can’t open this right now',
      text: 'Your portal sent something that we couldn’t accept. No money moved.',
      todo: 'You can still pay in your portal, as usual. To get help, email us the reference at the address below.',
    },
    unframed: {
      title: 'Open this from your portal',
      text: 'For your security, this page only works inside your resident or owner portal.',
    },
  },
  link: {
    title: 'See your payment plan',
    text: 'Your plan opens on this page.',
    once: 'This link works once. You can always find your plan in your portal.',
    action: 'Open my plan',
  },
  hosted: {
    title: 'Pay over time',
    text: 'See what you can do about your payment. Nothing is charged until you agree.',
    once: 'This link works once. If you leave, open it again from your portal.',
    action: 'Continue',
  },
};
