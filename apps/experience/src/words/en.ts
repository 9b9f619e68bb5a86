import type { ChargeType, InstallmentState, RescheduleReason } from '@svc/contract';
import type { ProductVariant, Step } from '@svc/contract/frame';
import {
  type ChargebackCode,
  chargebackCodes,
  type FailureCode,
  failureCodes,
} from '@svc/contract/payment-failures';

/** The words that differ between rent, a roommate's share of it, and dues. All are lower case, for use within a sentence. */
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
 * All text on screen, in English. Write short, plain sentences in the second person. Say "payment",
 * never "installment". Each other language is a file of this shape.
 */
export const en = {
  product,
  documentTitle: 'Pay in parts',
  language: 'Language',
  back: 'Back',
  close: 'Close',
  backToPortal: (variant: ProductVariant) => `Back to ${product[variant].portal}`,
  tryAgain: 'Try again',
  continue: 'Continue',
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
  } satisfies Record<InstallmentState, string>,
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

  // From the offer to the decision.
  offer: {
    title: (amount: string, name: string) => `Split your ${amount} ${name} into smaller payments?`,
    share: 'This is your share of the rent. Your roommates pay theirs.',
    bill: (month: string, name: string) => `${month} ${name}`,
    due: (bill: string, day: string) => `${bill}, due ${day}`,
    chargesTitle: 'What is due',
    choose: 'How you would pay',
    chargeTypes: {
      rent: 'Rent',
      utility: 'Utilities',
      fee: 'Fee',
      late_fee: 'Late fee',
      security_deposit: 'Security deposit',
      credit: 'Credit',
      hoa_dues: 'Association dues',
      hoa_assessment: 'Assessment',
      other: 'Other charge',
    } satisfies Record<ChargeType, string>,
    preview: {
      title: (count: number) => `If you choose ${count} payments`,
      today: 'today',
      rest: (count: number, amount: string) =>
        count === 1 ? `then ${amount} once` : `then ${count}\u00a0×\u00a0${amount}`,
      within: 'All within 30 days. You see each date before you agree.',
    },
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
    titleAgain: 'Is this still right?',
    lead: (name: string) => `We have the rest from your portal, ${name}.`,
    leadAgain: (name: string) => `Welcome back, ${name}. We kept your answers from last time.`,
    birth: 'Date of birth',
    birthHint: 'Month, day and year, such as 04/27/1990',
    birthFormat: 'MM/DD/YYYY',
    birthOnFile: (year: number) => `On file, in ${year}`,
    birthChange: 'Change',
    birthChangeLabel: 'Change your date of birth',
    birthError: 'Enter a date, such as 04/27/1990.',
    birthFuture: 'This date isn’t in the past. Check the year.',
    birthTooYoung: 'You must be 18 or older to apply.',
    income: 'What’s your monthly income?',
    incomeHint: 'Before taxes, from all sources.',
    incomeError: 'Enter an amount, such as 4,000.',
    incomeSame: (amount: string) => `Do you still make ${amount} a month?`,
    incomeSameError: 'Answer yes or no.',
    yes: 'Yes',
    no: 'No, it changed',
    consent: (lender: string) =>
      `I agree that ${lender} may use this and my payment history in the portal to review my application.`,
    consentError:
      'Check the box to continue. We can’t review your application without your permission.',
    privacy: (payee: string) => `We don’t share your income with ${payee}.`,
    action: 'Send my application',
  },
  account: {
    title: 'How do you want to pay?',
    lead: 'We’ll take each payment on its due date, never earlier.',
    legend: 'Pay with',
    keep: (name: string) => `Keep your ${name}`,
    refused: (why: string) => `Payment declined. ${why}`,
    bank: 'Bank account',
    bankNote: 'Checking or savings',
    card: 'Debit card',
    cardNote: 'Visa or Mastercard',
    banks: {
      search: 'Find your bank',
      list: 'Banks',
      count: (count: number) => (count === 1 ? '1 bank' : `${count} banks`),
      none: (typed: string) => `We can’t find “${typed}”. Enter your account numbers instead.`,
      note: 'You sign in on your bank’s page. We never see your password.',
      signIn: (bank: string) => `Finish at ${bank}`,
      signInText: 'Its page opened in a new tab. Choose an account there, then come back here.',
      open: (bank: string) => `Open ${bank}`,
      another: 'Choose another bank',
      typed: 'Enter account numbers instead',
      find: 'Find my bank instead',
    },
    routing: 'Routing number',
    routingHint: 'The nine digits at the bottom left of a check.',
    routingError: 'Check the routing number. One of its digits is wrong or missing.',
    number: 'Account number',
    numberHint: '4 to 17 digits, to the right of the routing number on a check.',
    numberError: 'Enter the account number, 4 to 17 digits.',
    again: 'Account number again',
    againError: 'The two account numbers don’t match.',
    kind: 'Account type',
    checking: 'Checking',
    savings: 'Savings',
    actions: { keep: 'Keep it', bank_account: 'Use this account', card: 'Use this card' },
    page: {
      lead: 'You’ll enter the numbers on our payment provider’s secure page.',
      continue: 'Continue',
      openTitle: 'Finish on the secure page',
      openText: 'It opens in a new tab. Come back here when you’re done.',
      open: 'Open the secure page',
      pending:
        'Your bank account is being verified. This can take two business days, and you can come back later.',
      failed: 'Nothing was added. Try again.',
    },
  },
  card: {
    number: 'Card number',
    numberHint: '16 digits',
    testHint: 'In the sandbox: 4242 4242 4242 4242',
    expires: 'Expiration date',
    expiresHint: 'MM/YY',
    cvc: 'Security code',
    cvcHint: '3 digits on the back',
  },
  /** Inside a sentence, after "your". */
  methods: {
    bankAccount: (digits: string) => `bank account ending in\u00a0${digits}`,
    card: (brand: string, digits: string) => `${brand} card ending in\u00a0${digits}`,
  },
  decision: {
    title: (amount: string) => `You’re approved to split ${amount}`,
    lead: 'We won’t charge you until you agree.',
    until: (day: string) => `Choose by ${day}. After that, you’ll need to apply again.`,
    next: 'What happens next',
    reviewTitle: 'We’re reviewing your application',
    reviewLead: 'We need a little more time. You haven’t been charged.',
    reviewSteps: (until: string, yours: string) => [
      'You’ll see our decision here as soon as it’s ready. You can close this page and come back.',
      ...(until === '' ? [] : [`If you’re approved, choose a plan by ${until}.`]),
      `Can’t wait? Pay ${yours} in your portal, as usual.`,
    ],
  },

  // From the choice of payments to the receipt.
  choice: {
    title: 'How do you want to split it?',
    legend: 'Number of payments',
    schedule: 'Your payments',
    from: 'Paid from',
    change: 'Change',
    changeLabel: 'Change how you pay',
    payeeGets: (payee: string) => `${payee} gets`,
    payeeGetsValue: (amount: string, day: string) => `${amount} by ${day}`,
    warnings: {
      would_land_late: (payee: string) =>
        `Our payment to ${payee} may arrive after late fees begin.`,
      card_ends_early: (month: string, day: string) =>
        `Your card ends ${month}. Your last payment is on ${day}: you need another way to pay it.`,
    },
    action: (count: number) => `Continue with ${count} payments`,
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
    save: 'Save a copy',
    fileName: 'agreement',
    fileTitle: 'Payment agreement',
    version: (sha256: string) => `Copy ${sha256}`,
    agree: 'I have read the agreement and I agree to it.',
    agreeNote: (lender: string, account: string) =>
      `This lets ${lender} take these payments from my ${account} on these days.`,
    agreeError: 'Check the box to agree. Nothing is charged until you do.',
    action: (amount: string) => `Agree and pay ${amount} today`,
  },
  done: {
    lead: (amount: string, account: string) => `${amount} leaves your ${account} today.`,
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
    calendar: 'Add to my calendar',
    see: 'See my plan',
    close: 'Done',
  },
  calendar: {
    fileName: 'payments.ics',
    title: (number: number, all: number, amount: string, name: string) =>
      `Payment ${number} of ${all}: ${amount} (${name})`,
    description: (lender: string, email: string) =>
      `${lender} takes this payment from your account. Help: ${email}`,
  },

  // The pages of a plan.
  manage: {
    title: (count: number, left: string) =>
      count === 1 ? `One payment left: ${left}` : `${count} payments left: ${left}`,
    completed: 'All paid. Thank you',
    completedText: (total: string) => `You paid ${total}. Nothing is left to pay.`,
    canceled: 'This plan is canceled',
    canceledText: 'No more payments leave your account for it.',
    chargedOff: 'This plan is closed, but you still owe a balance',
    chargedOffText: (left: string, email: string) =>
      `You still owe ${left}. Write to ${email} and we’ll work out a plan with you.`,
    settled: 'This plan is closed',
    write: 'Email us',
    waiting: 'Your first payment is on its way',
    waitingText: (amount: string, account: string) =>
      `${amount} is leaving your ${account}. Banks can take a day or two. When it has gone through, the plan starts and your bill is paid.`,
    waitingCancel: 'Until then you can still cancel.',
    late: 'A payment did not go through',
    lateText: (amount: string, day: string) => `You still owe ${amount}, due ${day}.`,
    unpaid: (count: number) => (count === 1 ? 'A payment is late' : `${count} payments are late`),
    unpaidText: 'We haven’t tried to take it yet. You can pay now.',
    unpaidByHand: 'Autopay is off, so we didn’t try to take it. Pay it here when you’re ready.',
    refused: (account: string) => `We can’t use your ${account} anymore`,
    refusedText: 'Choose another account or card for your payments.',
    lateFree: 'There’s no late fee.',
    lateRetry: (day: string) => `We’ll try again on ${day}. You can also pay now.`,
    lateNoRetry: 'We won’t try again automatically. Pay now, or choose another way to pay.',
    cardEnds: (month: string) => `Your card ends ${month}`,
    cardEndsText: (day: string) =>
      `Your last payment is on ${day}. Choose another way to pay before then.`,
    paymentReversed: 'The bank took a payment back',
    reopened: (month: string) => `You owe money on your ${month} plan again`,
    reopenedText: (amount: string, account: string) =>
      `The bank took back a payment you had made. You still owe ${amount}. The button below pays it from your ${account}.`,
    pastDue: 'This plan is past due',
    pastDueText: 'Until this is paid you can’t split again.',
    creditTitle: (amount: string, payee: string) => `${amount} credit from ${payee}`,
    creditText: 'We took it off your last payments. The other amounts and days stay the same.',
    chargeUp: 'Your plan stays as you agreed to it. Pay the rest in your portal.',
    chargeDown:
      'Your plan stays as you agreed to it. What your portal gives back is taken off your last payments.',
    ring: (paid: number, all: number) => `${paid} of ${all} paid`,
    ringLabel: 'paid',
    next: 'Next payment',
    open: 'You owe now',
    openCount: (count: number) => `${count} payments are late.`,
    openText: (day: string) => `It was due on ${day}.`,
    nextText: (day: string, account: string) => `We’ll take it from your ${account} on ${day}.`,
    nextByHand: (day: string) => `Autopay is off. Pay it here by ${day}.`,
    schedule: 'All payments',
    details: 'Your plan',
    paidSoFar: 'Paid so far',
    leftToPay: 'Left to pay',
    credited: (payee: string) => `Credit from ${payee}`,
    totalNow: 'New total',
    refunded: 'Paid back to you',
    fee: 'Fee',
    total: 'Total of payments',
    apr: 'APR',
    number: 'Plan number',
    do: 'What you can do',
    payNow: (amount: string) => `Pay ${amount} now`,
    payAnotherWay: (amount: string) => `Pay ${amount} another way`,
    payEarly: 'Pay early',
    payEarlyNote: 'One, some or all payments. It costs nothing extra.',
    move: 'Move a payment',
    moveNote: 'Pick another day for one payment',
    account: 'Change how you pay',
    autopay: 'Autopay',
    autopayOn: 'On: we take each payment on its day.',
    autopayRefused: 'On, but this account or card can’t be used.',
    autopayOff: 'Off: you pay each one here yourself.',
    cancel: 'Cancel this plan',
    cancelNote: 'Possible until the first payment has gone through',
    documents: 'Documents',
    agreement: 'Your agreement',
    agreementNote: (day: string) => `Accepted on ${day}`,
    receipt: (number: number) => `Receipt of payment ${number}`,
    receiptNote: (amount: string, day: string) => `${amount}, ${day}`,
    past: 'Earlier plans',
    pastStates: {
      completed: 'Paid off',
      canceled: 'Canceled',
      charged_off: 'Closed, balance owed',
      settled: 'Closed',
    },
    pastTitle: (total: string, due: string) => `${total} for ${due}`,
    pastNote: (count: number, state: string) => `${count} payments · ${state}`,
  },
  pay: {
    title: 'What do you want to pay now?',
    legend: 'Payments',
    late: (day: string) => `Was due ${day}`,
    due: (day: string) => `Due ${day}`,
    todaySum: 'You pay now',
    leftAfter: 'Left after that',
    costFree: (left: string) =>
      left === ''
        ? 'Nothing is left after this. No extra cost.'
        : `${left} is left after this. No extra cost.`,
    choose: 'Choose at least one payment.',
    action: (amount: string) => `Pay ${amount} now`,
  },
  move: {
    title: 'Move a payment',
    which: 'Which payment?',
    day: 'To which day?',
    daysHint: 'Days when banks work, before your next bill.',
    why: 'Why do you want to move it?',
    whyNote: (payee: string) => `We don’t tell ${payee}.`,
    reasons: {
      paid_on_another_day: 'I get paid on another day',
      unexpected_expense: 'Something unexpected to pay',
      income_changed: 'I earn less right now',
      other: 'Another reason',
    } satisfies Record<RescheduleReason, string>,
    chooseDay: 'Choose a day.',
    chooseReason: 'Choose what fits best.',
    cost: (left: string) => `Moving costs nothing. ${left} is left, as before.`,
    action: (day: string) => `Move it to ${day}`,
    actionEmpty: 'Move it',
  },
  cancel: {
    title: 'Cancel this plan?',
    lead: 'Your first payment has not gone through yet, so the plan has not started.',
    next: 'What happens then',
    steps: (yours: string) => [
      'We stop the first payment and take no others.',
      `Nothing is paid for you: ${yours} is still due in your portal.`,
      'You can make another plan while the month is open.',
    ],
    keep: 'Keep the plan',
    action: 'Cancel the plan',
  },
  autopay: {
    offTitle: 'Turn autopay off?',
    offLead:
      'Then we no longer take payments automatically. You make each payment here, by its due date.',
    offAction: 'Turn autopay off',
    keep: 'Leave it on',
    onTitle: 'Turn autopay on?',
    onLead: (account: string) => `Then we take each payment from your ${account} on its day.`,
    onAction: 'Turn autopay on',
    leave: 'Leave it off',
  },
  history: {
    title: 'What happened',
    accepted: (amount: string) => `You agreed to the plan: ${amount} in all`,
    paid: (number: number, amount: string) => `Payment ${number} of ${amount} made`,
    failed: (number: number, why: string) => `Payment ${number} did not go through: ${why}`,
    rescheduled: (number: number, from: string, to: string) =>
      `Payment ${number} moved from ${from} to ${to}`,
    payment_method: 'You changed how you pay',
    autopay_enabled: 'Autopay was turned on',
    autopay_disabled: 'Autopay was turned off',
    past_due: 'The plan became past due',
    recovered: 'The plan is back on track',
    completed: 'Everything is paid',
    canceled: 'The plan was canceled',
    charged_off: 'The plan was closed with a balance owed',
    refunded: (amount: string) => `${amount} was paid back to you`,
    credited: (amount: string) => `A ${amount} credit was taken off what you owe`,
    taken_back: (number: number, why: string) => `The bank took payment ${number} back: ${why}`,
    chargeUp: (amount: string) => `Your bill went up by ${amount}`,
    chargeDown: (amount: string) => `Your bill went down by ${amount}`,
  },
  receipts: {
    title: (number: number, all: number) => `Receipt of payment ${number} of ${all}`,
    fileTitle: 'Receipt',
    paid: 'Paid',
    returned: 'Also sent back to you',
    on: 'On',
    from: 'From',
    forWhat: 'For',
    forText: (yours: string, month: string, payee: string) => `${yours}, ${month}, to ${payee}`,
    lender: 'Received by',
    number: 'Receipt number',
    plan: 'Plan number',
    save: 'Save',
    print: 'Print',
    fileName: 'receipt',
  },
  agreementPage: {
    title: 'Your agreement',
    otherLanguage: (language: string) => `You read it and accepted it in ${language}.`,
    lead: (day: string) => `This is what you accepted on ${day}. It can’t be changed anymore.`,
    save: 'Save a copy',
    print: 'Print',
  },
  /** By the bank's return code, with `other` for unknown ones. */
  bankReasons: {
    ...failureCodes,
    ...chargebackCodes,
    other: 'The bank did not say why.',
  } as Record<FailureCode | ChargebackCode | 'other', string>,

  // Declined, blocked, and errors.
  declined: {
    title: (yours: string) => `We can’t split ${yours} this time`,
    lead: 'Nothing was charged, and you owe us nothing.',
    next: 'What you can do',
    pay: (yours: string, day: string | null) =>
      day === null
        ? `Pay ${yours} in your portal, as usual.`
        : `Pay ${yours} in your portal, as usual, by ${day}.`,
    again: (day: string) => `You can apply again from ${day}.`,
    ask: (email: string) => `Think we got something wrong? Write to ${email}.`,
    notice: 'Your notice',
    decided: (day: string, creditor: string) => `Decided on ${day} by ${creditor}.`,
    reasons: 'Main reasons',
    rights: 'Your rights',
    save: 'Save the notice',
    print: 'Print',
    fileName: 'notice',
    fileTitle: 'Notice of our decision',
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
        todo: 'Pay in your portal, as usual, until the day below.',
      },
      lease_ended: {
        title: 'Your lease ends before this bill is due',
        text: 'We can only split a bill while you live here.',
        todo: 'Pay in your portal, as usual. If the end of your lease is wrong, ask there.',
      },
      not_monthly: {
        title: 'These dues are not billed monthly',
        text: 'We can only split dues that are billed every month.',
        todo: 'Pay them in your portal, as usual.',
      },
      payments_unavailable: {
        title: 'Splitting isn’t available yet',
        text: 'This service can’t take payments yet, so we can’t offer you a plan. We didn’t ask for any information about you.',
        todo: 'Pay in your portal, as usual.',
      },
      cycle_opens: {
        title: 'It is too early to split this bill',
        text: 'A bill can be split in the days around its due date.',
        todo: 'Come back on the day below. Until then there is nothing to do.',
      },
      cycle_closed: {
        title: 'It is too late to split this bill',
        text: 'A bill can be split in the days around its due date.',
        todo: 'Pay in your portal, as usual. Next time come around the due date.',
      },
    },
    payFirst: 'To pay first',
    balance: 'Your balance',
    due: 'Due',
    limits: 'We split',
    range: (least: string, most: string) => `${least} to ${most}`,
    opens: 'You can split it from',
    again: 'You can apply again from',
    seePlan: 'See my plan',
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
    network_pay: {
      title: 'The connection broke before an answer came',
      text: 'We can’t see yet if your payment was made. Press the button again: you can’t be charged twice.',
    },
    server: {
      title: 'Something failed on our side',
      text: 'No money moved. Please try again in a moment.',
    },
    refused: {
      title: 'This did not work',
      text: 'No money moved. Try again, or write to us: the address is below.',
    },
    rate_limited: {
      title: 'Too many tries',
      text: (seconds: number) => `No money moved. Wait ${seconds} seconds, then try again.`,
    },
    payments_paused: {
      title: 'Payments are paused for the moment',
      text: 'No money moved, and nothing has changed for you. Please come back later today.',
    },
    payment_failed: {
      title: (label: string) => `Your bank turned the payment down (${label})`,
      text: 'No money moved and no plan was made. Pay another way, or keep this and try again.',
    },
    repayment_failed: {
      title: (label: string) => `Your bank turned the payment down (${label})`,
      text: 'This payment was not made. Pay another way, or try again later.',
    },
    quotes_changed: {
      title: 'Your offer has changed',
      text: 'No money moved. Here is the new one; please look again.',
    },
    moved_on: {
      title: 'This was already done',
      text: 'You have already completed this step, perhaps in another window. Here is where you are now.',
    },
    plan_changed: {
      title: 'Your plan has changed',
      text: 'No money moved. This is how it is now; please look again.',
    },
    paid: {
      title: (amount: string) => `${amount} is paid`,
      text: 'Thank you. Receipts are with your documents.',
    },
    moved: {
      title: 'The day is changed',
      text: (amount: string, day: string) => `${amount} is now due on ${day}.`,
    },
    autopay_on: { title: 'Autopay is on', text: 'The days and amounts stay the same.' },
    autopay_off: { title: 'Autopay is off', text: 'The days and amounts stay the same.' },
    canceled: {
      title: 'The plan is canceled',
      text: 'No money moves. Your bill is still due in your portal; or choose again.',
    },
    in_review: {
      title: 'Still in review',
      text: 'This page shows the decision as soon as we have made it.',
    },
    bill_changed: {
      title: 'Your bill has changed',
      text: 'The plan you made is canceled. No money moved. Please choose again.',
    },
    account_changed: {
      title: 'You changed how you pay',
      text: (label: string) => `Your next payments leave your ${label}.`,
    },
    reference: (id: string) => `Reference ${id}`,
  },
  /** Errors for fields that the service rejects. */
  refusedFields: {
    date_of_birth: 'This date is not in the past. Check the year.',
    'date_of_birth.too_young': 'You must be 18 or older to apply.',
    monthly_income_in_cents: 'Enter an amount, such as 4,000.',
    routing_number: 'Enter the nine digits of your bank.',
    'routing_number.invalid_value':
      'We don’t know this bank. In the sandbox use the test bank, 110000000.',
    account_number: 'Enter 4 to 17 digits.',
    number: 'Check the number. We take Visa and Mastercard debit cards.',
    'number.not_accepted': 'This is a credit card. Use a debit card.',
    expires: 'Enter month and year, such as 09/28.',
    'expires.too_small': 'This card has expired. Use another one.',
    cvc: 'Enter the three digits on the back.',
    last4: 'Enter four digits.',
    due_date: 'This day is taken or no longer free. Choose another.',
  } as Record<string, string>,
  trouble: {
    session_ended: {
      title: 'You were signed out',
      text: 'To keep you safe, we sign you out after a while. Your last step moved no money, and nothing you typed is lost.',
      todo: 'Continue where you left off.',
    },
    link_over: {
      title: 'Please open your plan in your portal',
      text: 'Each link in our mails works once, for a few days. To keep you safe, we also sign you out after a while. No money moved.',
      todo: 'You can find the same plan in your resident or owner portal.',
    },
    link_blocked: {
      title: 'This link no longer works',
      text: 'The answers didn’t match five times, so we turned this link off. No money moved.',
      todo: 'You can still open your plan in your resident or owner portal. If you need help, write to us at the address below.',
    },
    left: {
      title: 'You can close this page',
      text: 'Your plan is kept as you left it.',
      todo: 'Open it any time in your resident or owner portal.',
    },
    unreachable: {
      title: 'We can’t reach the service',
      text: 'No money moved. Check your connection and try again.',
      todo: 'If it still fails, pay the usual way in your portal.',
    },
    broken: {
      title: 'This page stopped working',
      text: 'That is our mistake, not yours. What you agreed to and what you paid stay as they are.',
      todo: 'If it stops again, pay the usual way in your portal.',
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

  // The page of an email link, and the questions that confirm the tenant's identity.
  link: {
    title: 'See your payment plan',
    text: 'Your plan opens on this page.',
    once: 'This link works once. You can always find the same plan in your portal.',
    action: 'Open my plan',
  },
  confirm: {
    portalTitle: (portal: string) => `Continue in ${portal}`,
    portalLead:
      'You opened this page from an email, so you can only look at your plan here. To pay or change anything, sign in to your portal.',
    portalAction: (portal: string) => `Go to ${portal}`,
    title: 'Confirm it’s you',
    lead: 'You opened this page from an email. Before you pay or change anything, answer two questions.',
    last4: 'Last four digits of the account or card you pay with',
    last4Hint: 'You’ll find them on your card or bank statement.',
    last4Error: 'Enter four digits.',
    tries: (left: number) => (left === 1 ? 'You have one try left.' : `You have ${left} tries.`),
    wrong: (left: number) =>
      left === 1
        ? 'The date or the digits don’t match what we have. You have one try left.'
        : `The date or the digits don’t match what we have. You have ${left} tries left.`,
    action: 'Continue',
  },
};

export type Words = typeof en;
