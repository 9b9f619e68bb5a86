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
  payInPortal: (yours: string, day: string | null) =>
    day === null
      ? `Pay ${yours} in your portal as soon as you can.`
      : `Pay ${yours} in your portal by ${day}, as usual.`,
  applyAgain: (day: string) => `You can apply again starting ${day}.`,
  wasDue: (day: string) => `Was due ${day}`,
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
  blocked: {
    what: 'What you can do',
    reasons: {
      past_due_balance: {
        title: 'Pay your earlier balance first',
        text: 'You still owe a balance from an earlier month. Once you pay it, you can split this month’s balance.',
        todo: 'Pay the earlier balance in your portal, then come back here.',
      },
      security_deposit_open: {
        title: 'Pay your security deposit first',
        text: 'You still owe part of your security deposit. Once you pay it, you can split this month’s balance.',
        todo: 'Pay the deposit in your portal, then come back here.',
      },
      late_fee_open: {
        title: 'Pay your late fee first',
        text: 'You still owe a late fee. Once you pay it, you can split this month’s balance.',
        todo: 'Pay the late fee in your portal, then come back here.',
      },
      payments_disabled: {
        title: 'Online payments are turned off for you',
        text: 'Your property manager turned them off, so we can’t split your balance.',
        todo: 'Ask your property manager to turn online payments on, then come back here.',
      },
      open_plan: {
        title: 'You already have a payment plan',
        text: 'You can have one plan at a time. Once it’s paid off, you can split your next balance.',
        todo: 'Make your remaining payments, then come back here.',
      },
      amount_above_cap: {
        title: 'Your balance is too high to split',
        text: 'It’s above the maximum we can split.',
        todo: 'Pay part of it in your portal, then come back here to split the rest.',
      },
      amount_below_minimum: {
        title: 'Your balance is too low to split',
        text: 'It’s below the minimum we can split.',
        todo: '',
      },
      nothing_due: {
        title: 'Nothing is due right now',
        text: 'You have no balance to split.',
        todo: 'Check back when you have a balance.',
      },
      would_land_late: {
        title: 'It’s too late to split this month’s balance',
        text: 'Our payment would arrive after late fees start. We don’t offer plans that make you late.',
        todo: 'To avoid a late fee, pay in your portal today. Next time, check back before the due date.',
      },
      declined_until: {
        title: 'You can apply again later',
        text: 'We couldn’t approve your last application. You weren’t charged.',
        todo: '',
      },
      lease_ended: {
        title: 'Your lease ends before this due date',
        text: 'We can only split what’s due while you live there.',
        todo: 'If the lease’s end date is wrong, ask your property manager to correct it.',
      },
      not_monthly: {
        title: 'This balance has no regular dues',
        text: 'We can split a special assessment or a fee only together with dues of the same month.',
        todo: '',
      },
      payments_unavailable: {
        title: 'Payment plans aren’t available yet',
        text: 'This service can’t accept payments yet, so we can’t offer you a plan. We haven’t asked for any information about you.',
        todo: '',
      },
      state_unknown: {
        title: 'We don’t know your state yet',
        text: 'Your portal hasn’t sent us a complete address, and plans differ by state.',
        todo: 'Ask your property manager to check your address, then come back here.',
      },
      not_offered_in_state: {
        title: 'Not available in your state',
        text: 'We don’t offer payment plans there.',
        todo: '',
      },
      cost_above_limit: {
        title: 'Not available in your state',
        text: 'Your state limits what a plan may cost, and a plan for this balance would cost more.',
        todo: '',
      },
      military: {
        title: 'We can’t offer you a plan',
        text: 'Federal law limits what a loan to members of the Armed Forces and their families may cost. We have no plan for this balance within the limit.',
        todo: '',
      },
      cycle_opens: {
        title: 'It’s too early to split this balance',
        text: 'You can split a balance in the days around its due date.',
        todo: 'You don’t need to do anything until then.',
      },
      cycle_closed: {
        title: 'It’s too late to split this balance',
        text: 'You can split a balance only in the days around its due date.',
        todo: 'Next time, check back a few days before the due date.',
      },
    },
    /** In place of `reasons`, for an owner in an association. */
    ownerReasons: {
      payments_disabled: {
        title: 'Online payments are turned off for you',
        text: 'Your association turned them off, so we can’t split your balance.',
        todo: 'Ask your association to turn online payments on, then come back here.',
      },
      lease_ended: {
        title: 'The home won’t be yours on this due date',
        text: 'We can only split what’s due while you own it.',
        todo: 'If your portal has the wrong date, ask your association to correct it.',
      },
      state_unknown: {
        title: 'We don’t know your state yet',
        text: 'Your portal hasn’t sent us a complete address, and plans differ by state.',
        todo: 'Ask your association to check your address, then come back here.',
      },
    },
    notIn: (state: string) => `Not available in ${state}`,
    payFirst: 'Total to pay first',
    balance: 'Your balance',
    thisBalance: 'this balance',
    due: 'Due',
    limits: 'We can split',
    range: (least: string, most: string) => `${least} to ${most}`,
    splitBy: (yours: string, day: string) => `You can still split ${yours} until ${day}.`,
    opens: (day: string) => `You can split it starting ${day}.`,
    askManager: (manager: string, portal: string, email: string) =>
      `If something looks wrong, ask ${manager} through ${portal}. You can also email us at ${email}.`,
    askUs: (email: string) => `Questions? Email us at ${email}.`,
    seePlan: 'See my plan',
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
      `${count} payments · ${total} in total · ${state}`,
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
