import type { ProductVariant, Step } from '@svc/contract/frame';

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

  offer: {
    title: (amount: string, name: string) => `Split your ${amount} ${name} into smaller payments?`,
    due: (charge: string, day: string) => `${charge}, due ${day}`,
    chargesTitle: 'What is due',
    choose: 'You choose how many',
    how: 'How it works',
    steps: (payee: string, amount: string, fee: string) => [
      `We pay ${payee} the full ${amount}.`,
      `You pay us the first part and the ${fee} fee at once.`,
      'You pay the rest on dates you see before you agree.',
    ],
    action: 'Start my application',
    actionNote: 'It takes about two minutes. Nothing is charged until you agree.',
  },

  application: {
    title: 'Tell us two things about you',
    lead: (name: string) => `We have the rest from your portal, ${name}.`,
    birth: 'When were you born?',
    birthHint: 'For example 4 27 1990',
    month: 'Month',
    day: 'Day',
    year: 'Year',
    birthError: 'Enter a real date, such as 4 27 1990.',
    birthFuture: 'This date is not in the past. Check the year.',
    income: 'What do you earn in a month?',
    incomeHint: 'Before tax, all income together.',
    incomeError: 'Enter an amount, such as 4,000.',
    consent: (lender: string) =>
      `I agree that ${lender} uses this and my payment history in the portal to decide.`,
    consentError: 'Tick the box to go on: we may not check without your yes.',
    privacy: (payee: string) => `We don’t show your income to ${payee}.`,
    action: 'Send my application',
  },

  account: {
    title: 'Which account do you pay from?',
    lead: 'Your payments leave this account on the days of your plan, never earlier.',
    keep: (label: string) => `Keep ${label}`,
    keepNote: 'The account you have now',
    testBank: (digits: string) => `Test bank, account ending ${digits}`,
    outcomes: {
      succeeds: 'Every payment goes through',
      first_payment_fails: 'The first payment fails: not enough money (R01)',
      account_closed: 'The first payment fails: account closed (R02)',
    },
    testLegend: 'Sandbox test bank',
    legend: 'Account',
    other: 'Another account',
    otherNote: 'Type the numbers from your bank or a check',
    routing: 'Routing number',
    routingHint: 'Nine digits, at the bottom left of a check.',
    routingError: 'Enter the nine digits of your bank.',
    number: 'Account number',
    numberHint: '4 to 17 digits.',
    numberError: 'Enter 4 to 17 digits, without spaces.',
    kind: 'Kind of account',
    checking: 'Checking',
    savings: 'Savings',
    action: 'Use this account',
  },

  decision: {
    title: (amount: string) => `You can split ${amount}`,
    lead: 'Your application is approved. Nothing is charged yet.',
    until: (day: string) => `Choose a plan by ${day}. After that day you would apply again.`,
    next: 'What comes next',
    steps: [
      'Choose how many payments.',
      'Read the cost and the dates.',
      'Agree, and the first payment is made.',
    ],
    action: 'Choose my payments',
    reviewTitle: 'We are looking at your application',
    reviewLead:
      'We take a closer look. Nothing is charged. You can close this and come back later.',
  },

  choice: {
    title: 'How do you want to split it?',
    legend: 'Number of payments',
    schedule: 'Your payments',
    from: 'Paid from',
    change: 'Change',
    changeLabel: 'Change the account',
    payeeGets: (payee: string) => `${payee} gets`,
    payeeGetsValue: (amount: string, day: string) => `${amount} by ${day}`,
    action: (count: number) => `Go on with ${count} payments`,
  },

  consent: {
    title: 'Check it and agree',
    box: 'The cost of your credit',
    apr: 'APR',
    aprNote: 'The cost of your credit as a yearly rate',
    charge: 'Finance charge',
    chargeNote: 'The dollar amount the credit will cost you',
    financed: 'Amount financed',
    financedNote: 'The credit provided to you or on your behalf',
    total: 'Total of payments',
    totalNote: 'What you will have paid after all payments',
    schedule: 'Payment schedule',
    text: 'The agreement',
    agree: 'I have read the agreement and I agree to it.',
    agreeNote: (lender: string) =>
      `This lets ${lender} take these payments from my account on these days.`,
    agreeError: 'Tick the box to agree. Without it nothing is charged.',
    action: (amount: string) => `Agree and pay ${amount} today`,
  },

  done: {
    title: (variant: ProductVariant) =>
      variant === 'hoa' ? 'Your dues are split' : 'Your rent is split',
    lead: (amount: string, account: string) => `${amount} leaves ${account} today.`,
    next: 'What happens next',
    steps: (payee: string, amount: string, day: string | null, first: string | null) => [
      day === null
        ? `${payee} gets ${amount} from us.`
        : `${payee} gets ${amount} from us by ${day}.`,
      `For ${payee} it is one ordinary payment.`,
      first === null
        ? 'You have nothing more to pay.'
        : `Your next payment is on ${first}. You don’t have to do anything.`,
    ],
    schedule: 'Your payments',
    calendar: 'Add the dates to my calendar',
    receipt: 'Receipt',
    see: 'See my plan',
    close: 'Done',
  },

  declined: {
    title: (name: string) => `We can’t split your ${name} this time`,
    lead: 'Nothing was charged, and you owe us nothing.',
    next: 'What you can do',
    pay: (name: string, day: string | null) =>
      day === null
        ? `Pay your ${name} in your portal, as usual.`
        : `Pay your ${name} in your portal, as usual, by ${day}.`,
    again: (day: string) => `You can apply again from ${day}.`,
    ask: (email: string) => `Think we got something wrong? Write to ${email}.`,
    notice: 'Your notice',
    decided: (day: string, creditor: string) => `Decided on ${day} by ${creditor}.`,
    reasons: 'Main reasons',
    rights: 'Your rights',
    privacy: (payee: string) => `We don’t tell ${payee} these reasons.`,
  },

  blocked: {
    what: 'What you can do',
    reasons: {
      past_due_balance: {
        title: 'An earlier month is still open',
        text: 'We can split this month once the months before it are paid.',
        todo: 'Pay the earlier balance in your portal, then open this again.',
      },
      security_deposit_open: {
        title: 'Your security deposit is still open',
        text: 'The deposit has to be paid before a month can be split.',
        todo: 'Pay the deposit in your portal, then open this again.',
      },
      late_fee_open: {
        title: 'A late fee is still open',
        text: 'We can split this month once the late fee is paid.',
        todo: 'Pay the late fee in your portal, then open this again.',
      },
      payments_disabled: {
        title: 'Online payments are switched off for you',
        text: 'The people who run your portal have switched them off.',
        todo: 'Ask them to switch online payments on, then open this again.',
      },
      open_plan: {
        title: 'You have a plan that is not paid off',
        text: 'One plan at a time: the next month can be split when this one is done.',
        todo: 'Make the payments that are left. Then come back.',
      },
      amount_above_cap: {
        title: 'This is more than we can split',
        text: 'Your balance is above the most we can split.',
        todo: 'Pay a part in your portal first. What is left may fit.',
      },
      amount_below_minimum: {
        title: 'This is too small to split',
        text: 'Your balance is below the least we can split.',
        todo: 'Pay it in your portal, as usual.',
      },
      nothing_due: {
        title: 'Nothing is due right now',
        text: 'There is no balance to split.',
        todo: 'Come back when the next bill is in your portal.',
      },
      would_land_late: {
        title: 'It is too late to split this month',
        text: 'Our payment would arrive after the late-fee date. We don’t sell a plan that makes you late.',
        todo: 'Pay in your portal today to stay clear of the late fee. Next month, come before the due date.',
      },
      declined_until: {
        title: 'You can apply again later',
        text: 'Your last application was turned down. Nothing was charged.',
        todo: 'Pay in your portal, as usual, until then.',
      },
      not_monthly: {
        title: 'These dues are not billed monthly',
        text: 'We can only split dues that are billed every month.',
        todo: 'Pay them in your portal, as usual.',
      },
      cycle_closed: {
        title: 'This month can’t be split right now',
        text: 'A bill can be split in the days around its due date.',
        todo: 'Pay in your portal, as usual, or come back for the next bill.',
      },
    },
    limits: (least: string, most: string) => `We split balances from ${least} to ${most}.`,
    opens: (day: string) => `You can split this bill from ${day}.`,
    from: (day: string) => `You can apply again from ${day}.`,
    balance: (amount: string) => `Your balance is ${amount}.`,
    seePlan: 'See my plan',
  },

  manage: {
    title: (count: number, left: string) =>
      count === 1 ? `One payment left: ${left}` : `${count} payments left: ${left}`,
    completed: 'All paid. Thank you',
    completedText: (total: string) => `You paid ${total} in all. Nothing is left to pay.`,
    late: 'A payment did not go through',
    lateText: (amount: string, day: string) =>
      `${amount} of ${day} is still open. Keep the money in your account, and write to us if that is hard.`,
    ring: (paid: number, all: number) => `${paid} of ${all} paid`,
    ringLabel: 'paid',
    next: 'Next payment',
    nextText: (day: string, account: string | null) =>
      account === null ? `We take it on ${day}.` : `We take it from ${account} on ${day}.`,
    schedule: 'All payments',
    details: 'Your plan',
    financed: (name: string) => `Your ${name}`,
    fee: 'Fee',
    total: 'Total of payments',
    apr: 'APR',
    started: 'Started',
    number: 'Plan number',
    history: 'History',
    historyStart: (amount: string, payee: string) => `Plan started: ${amount} for ${payee}`,
    historyPaid: (number: number, amount: string) => `Payment ${number} of ${amount} made`,
  },

  calendar: {
    file: 'payments.ics',
    title: (number: number, all: number, amount: string, name: string) =>
      `Payment ${number} of ${all}: ${amount} (${name})`,
    description: (lender: string, email: string) =>
      `${lender} takes this payment from your account. Help: ${email}`,
  },

  notices: {
    network: {
      title: 'We could not reach the service',
      text: 'No money moved. Check your connection and try again.',
    },
    network_plan: {
      title: 'The connection broke before an answer came',
      text: 'We can’t see yet if your first payment was made. Press the button again: you can’t be charged twice.',
    },
    server: {
      title: 'Something failed on our side',
      text: 'No money moved. Please try again in a moment.',
    },
    refused: { title: 'This did not work', text: 'No money moved.' },
    rate_limited: {
      title: 'That was a lot of tries',
      text: (seconds: number) => `No money moved. Wait ${seconds} seconds, then try again.`,
    },
    payment_failed: {
      title: (label: string) => `Your bank turned the payment down (${label})`,
      text: 'No money moved and no plan was made. Choose another account, or keep this one and try again.',
    },
    quotes_changed: {
      title: 'The dates have changed',
      text: 'No money moved. Here are the new ones; please look again.',
    },
    moved_on: {
      title: 'This was already done',
      text: 'You were a step further, perhaps in another window. Here is where you are now.',
    },
    reference: (id: string) => `Reference ${id}`,
  },

  trouble: {
    session_ended: {
      title: 'We are signing you in again',
      text: 'To keep you safe, we sign you out after a while. No money moved, and nothing you typed is lost.',
      todo: 'If nothing happens, close this and open it again in your portal.',
    },
    unreachable: {
      title: 'We can’t reach the service',
      text: 'No money moved. Check your connection and try again.',
      todo: 'If it still fails, pay the usual way in your portal.',
    },
    refused: {
      title: 'We can’t open this right now',
      text: 'No money moved. Your portal sent something we could not accept.',
      todo: 'You can still pay the usual way in your portal.',
    },
    unframed: {
      title: 'Please open this in your portal',
      text: 'For your safety this page works inside your resident or owner portal only.',
    },
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
};

export type Words = typeof en;
