import type { ChargeType, InstallmentState, RescheduleReason } from '@svc/contract';
import type { ProductVariant, Step } from '@svc/contract/frame';
import {
  type ChargebackCode,
  type ConfirmationCode,
  chargebackCodes,
  confirmationCodes,
  type FailureCode,
  failureCodes,
  type SetupFailure,
  setupFailures,
} from '@svc/contract/payment-failures';

/** The words that differ between rent, a roommate's share of it, and dues. Lower case, for use within a sentence. */
const product: Record<ProductVariant | 'share', Product> = {
  rent: {
    name: 'rent',
    yours: 'your rent',
    next: 'your next rent',
    payee: 'your landlord',
    portal: 'your resident portal',
    split: 'Your rent is split',
  },
  share: {
    name: 'share of the rent',
    yours: 'your share of the rent',
    next: 'your next share of the rent',
    payee: 'your landlord',
    portal: 'your resident portal',
    split: 'Your share of the rent is split',
  },
  hoa: {
    name: 'dues',
    yours: 'your dues',
    next: 'your next dues',
    payee: 'your association',
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
  portal: string;
  split: string;
}

/**
 * All text on screen, in English. Write short, plain sentences in the second person, with the words of
 * docs/glossary.md. Each other language is a file of this shape.
 */
export const en = {
  product,
  documentTitle: 'Pay over time',
  language: 'Language',
  back: 'Back',
  allRequired: 'All fields are required.',
  unclearAmount: (more: string, less: string) =>
    `Did you mean ${more} or ${less}? Enter the amount with two decimals.`,
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
    date: (day: string) => `simulated date: ${day}`,
  },
  help: (lender: string) => `Loan provided by ${lender}. Need help?`,
  payInPortal: (yours: string, day: string | null) =>
    day === null
      ? `Pay ${yours} in your portal as soon as you can.`
      : `Pay ${yours} in your portal by ${day}, as usual.`,
  applyAgain: (day: string) => `You can apply again starting ${day}.`,
  cost: {
    known: (total: string, part: string, name: string, fee: string, apr: string) =>
      `${total} in total: your ${part} ${name} plus a ${fee} fee (${apr} APR).`,
    credited: (total: string, agreed: string, credit: string, payee: string, apr: string) =>
      `${total} in total: ${agreed} minus a ${credit} credit from ${payee} (${apr} APR).`,
    estimate: (total: string, part: string, name: string, fee: string) =>
      `${total} in total: your ${part} ${name} plus a ${fee} fee. You’ll see the APR before you agree.`,
  },
  credited: (amount: string) => `${amount} credit`,
  partlyPaid: (amount: string) => `${amount} paid`,
  payments: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
  paymentsWord: 'payments',
  firstAndFee: (part: string, fee: string) => `${part} plus a ${fee} fee`,
  left: (amount: string) => `${amount} left after this`,
  nothingLeft: 'Nothing left after this',
  paymentState: {
    scheduled: '',
    processing: 'Processing',
    paid: 'Paid',
    failed: 'Declined',
    overdue: 'Past due',
    canceled: 'Canceled',
  } satisfies Record<InstallmentState, string>,
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

  // From the offer to the decision.
  offer: {
    title: (amount: string, name: string) => `Split your ${amount} ${name} into smaller payments?`,
    share: 'This is your share of the rent. Your roommates pay theirs separately.',
    ofMonth: (month: string, name: string) => `${month} ${name}`,
    due: (what: string, day: string) => `${what} · due ${day}`,
    chargesTitle: 'What’s due',
    choose: 'Your options',
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
  application: {
    title: 'Tell us two things about yourself',
    titleAgain: 'Is this still right?',
    lead: (name: string) => `We got the rest from your portal, ${name}.`,
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
    again: 'Confirm account number',
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
    /** Read aloud between the number of payments and their amount. */
    of: 'of',
    schedule: 'Your payments',
    from: 'Paid from',
    change: 'Change',
    changeLabel: 'Change how you pay',
    payeeGets: (payee: string) => `${payee} gets`,
    payeeGetsValue: (amount: string, day: string) => `${amount} by ${day}`,
    warnings: {
      would_land_late: (payee: string) =>
        `Our payment to ${payee} may arrive after late fees start, so you may be charged one.`,
      card_ends_early: (month: string, day: string) =>
        `Your card expires ${month}. Your last payment is due ${day}, so you’ll need another way to pay it.`,
    },
    action: (count: number) => `Continue with ${count} payments`,
  },
  consent: {
    title: 'Review and agree',
    box: 'The cost of your credit',
    apr: 'APR',
    aprNote: 'The cost of your credit as a yearly rate',
    charge: 'Finance charge',
    chargeNote: 'The dollar amount the credit will cost you',
    financed: 'Amount financed',
    financedNote: 'The amount of credit provided to you or on your behalf',
    total: 'Total of payments',
    totalNote: 'The amount you will have paid after you make all payments as scheduled',
    schedule: 'Payment schedule',
    text: 'Your agreement',
    save: 'Save a copy',
    fileName: 'agreement',
    fileTitle: 'Payment plan agreement',
    version: (sha256: string) => `Document ID ${sha256}`,
    agree: 'I have read the agreement and I agree to it.',
    agreeNote: (lender: string, account: string) =>
      `I authorize ${lender} to take these payments from my ${account} on these dates.`,
    agreeError: 'Check the box to agree. You won’t be charged until you do.',
    action: (amount: string) => `Agree and pay ${amount} today`,
  },
  done: {
    lead: (amount: string, account: string) => `You paid ${amount} today from your ${account}.`,
    next: 'What happens next',
    steps: (payee: string, amount: string, day: string | null, first: string | null) => [
      day === null ? `We’ll pay ${payee} ${amount}.` : `We’ll pay ${payee} ${amount} by ${day}.`,
      `To ${payee}, it’s one regular payment.`,
      first === null
        ? 'You have no payments left.'
        : `Your next payment is due ${first}. We’ll take it automatically.`,
    ],
    schedule: 'Your payments',
    calendar: 'Add to my calendar',
    see: 'See my plan',
    close: 'Done',
  },
  calendar: {
    fileName: 'payments.ics',
    title: (amount: string, name: string) => `Payment due: ${amount} (${name})`,
    description: (lender: string, email: string) =>
      `This payment to ${lender} is due today. Questions? Email ${email}`,
  },

  // The pages of a plan.
  manage: {
    payment: (day: string) => `${day} payment`,
    titles: {
      next: (day: string) => `Your next payment is ${day}`,
      today: 'Your payment is due today',
      byHand: (amount: string, day: string) => `Pay ${amount} by ${day}`,
      processing: (payment: string) => `Your ${payment} is on its way`,
      late: (payment: string) => `Your ${payment} is late`,
      lateCount: (count: number) => `${count} payments are late`,
      failed: (payment: string) => `Your ${payment} didn’t go through`,
      returned: (payment: string) => `Your ${payment} was returned`,
      pastDue: 'This plan is past due',
      refused: (account: string) => `We can’t use your ${account} anymore`,
      cardEnds: 'Your card expires before your last payment',
      earlier: (amount: string, month: string) => `You owe ${amount} on your ${month} plan`,
      waiting: 'Your first payment is on its way',
      completed: 'Your plan is paid off',
      canceled: 'This plan is canceled',
      chargedOff: 'This plan is closed, but you still owe a balance',
      settled: 'This plan is closed',
    },
    completedText: (total: string) => `You paid ${total}. You don’t owe anything on this plan.`,
    completedRefundedText: (total: string, refunded: string) =>
      `You paid ${total}, and we refunded you ${refunded}. You don’t owe anything on this plan.`,
    canceledText: 'We won’t take any more payments for it.',
    chargedOffText: (left: string, email: string) =>
      `You still owe ${left}. Email ${email} and we’ll work out a way to pay it.`,
    write: 'Email us',
    waitingText: (amount: string, account: string, yours: string) =>
      `We’re taking ${amount} from your ${account}. Banks can take a day or two. Once it goes through, your plan starts and we pay ${yours}.`,
    waitingCancel: 'You can cancel until then.',
    processingText: (amount: string, account: string) =>
      `We’re taking ${amount} from your ${account}. Banks can take a day or two.`,
    unconfirmed: 'Not paid yet. Confirm it at your bank first.',
    unpaidText: 'We haven’t tried to take it yet. You can pay now.',
    unpaidByHand: 'Autopay is off, so we didn’t take it. You can pay now.',
    refusedText: 'Choose another account or card for your payments.',
    lateFree: 'There’s no late fee.',
    lateRetry: (day: string) => `We’ll try again on ${day}. You can also pay now.`,
    lateNoRetry: 'We won’t try again automatically. Pay now, or choose another way to pay.',
    cardEndsText: (month: string, day: string) =>
      `Your card expires ${month}, and your last payment is ${day}. Choose another way to pay before then.`,
    reopenedText: (account: string) =>
      `Your bank returned a payment you made earlier. Use the button below to pay it from your ${account}.`,
    pastDueText: 'You can split again once it’s paid.',
    creditTitle: (amount: string, payee: string) => `${amount} credit from ${payee}`,
    creditText: 'We took it off your last payments. Your other payments stay the same.',
    chargeUp: 'Your plan stays as you agreed. Pay the difference in your portal.',
    chargeDown:
      'Your plan stays as you agreed. If your portal sends money back, we’ll take it off your last payments.',
    progress: (paid: number, all: number) =>
      `${paid} of ${all} ${all === 1 ? 'payment' : 'payments'} made`,
    left: (amount: string) => `${amount} left`,
    next: 'Next payment',
    dueToday: 'Due today',
    owed: 'You owe now',
    wasDue: (day: string) => `Was due ${day}`,
    autopayFrom: (day: string, account: string) => `We’ll take it on ${day} from your ${account}.`,
    autopayToday: (account: string) => `We’ll take it today from your ${account}.`,
    byHand: (day: string) => `Autopay is off. Pay it here by ${day}.`,
    byHandToday: 'Autopay is off. Pay it here today.',
    needsMethod: (day: string) => `Due ${day}. Choose another account or card to pay with.`,
    summary: 'Payment summary',
    schedule: 'All payments',
    originally: (what: string) => `Originally ${what}`,
    details: 'Cost of this plan',
    paidSoFar: 'Paid so far',
    leftToPay: 'Left to pay',
    credited: (payee: string) => `Credit from ${payee}`,
    totalNow: 'Total now',
    refunded: 'Refunded to you',
    fee: 'Fee',
    total: 'Total you agreed to',
    apr: 'APR',
    number: 'Plan number',
    do: 'Manage plan',
    payNow: (amount: string) => `Pay ${amount} now`,
    payAnotherWay: (amount: string) => `Pay ${amount} another way`,
    payEarly: 'Pay early',
    payEarlyNote: 'Pay one or more payments now. It costs nothing extra.',
    move: 'Move a payment',
    moveNote: 'Pick another day for one payment',
    account: 'Change how you pay',
    autopay: 'Autopay',
    autopayOn: 'On. We take each payment automatically.',
    autopayRefused: 'On, but we can’t use this account or card.',
    autopayOff: 'Off. You make each payment here.',
    cancel: 'Cancel this plan',
    cancelNote: 'You can cancel until your first payment goes through',
    documents: 'Documents',
    agreement: 'Your agreement',
    agreementNote: (day: string) => `Signed ${day}`,
    receipt: (day: string) => `Receipt for ${day}`,
    receiptNote: (amount: string, account: string) => `${amount} from your ${account}`,
    past: 'Earlier plans',
    pastStates: {
      completed: 'Paid off',
      canceled: 'Canceled',
      charged_off: 'Closed, balance owed',
      settled: 'Closed',
    },
    pastNote: (count: number, total: string, state: string) =>
      `${count} payments · ${total} in total · ${state}`,
  },
  cantPay: {
    title: 'Can’t make this payment?',
    note: 'Move it, pay part of it, or ask us',
    lead: (payment: string, amount: string) => `Your ${payment} is ${amount}. You have options.`,
    what: 'What you can do',
    move: 'Move it to another day',
    moveNote: (day: string) => `As late as ${day}, at no cost`,
    part: 'Pay part of it now',
    partNote: (least: string, most: string) => `From ${least} to ${most}`,
    ask: 'Ask us for help',
    askSubject: (plan: string) => `I can’t make a payment: plan ${plan}`,
    nothing: 'If you do nothing',
    autopay: (day: string) => `We’ll take the payment on ${day}.`,
    again: (retries: number) =>
      `If your bank declines it, we may try again ${retries === 1 ? 'once' : `up to ${retries} times`}.`,
    retry: (day: string) => `We’ll try to take the payment again on ${day}.`,
    stays: 'The payment stays due. We won’t take it automatically.',
    free: 'You won’t pay a late fee.',
    pastDue: (days: number) =>
      `If it’s ${days} days late, your plan will be past due. You can’t split again until you pay.`,
    closed: (days: number) =>
      `If it’s ${days} days late, we’ll close the plan. You’ll still owe what’s left.`,
  },
  pay: {
    title: 'What do you want to pay now?',
    legend: 'Payments',
    late: (day: string) => `Was due ${day}`,
    due: (day: string) => `Due ${day}`,
    todaySum: 'You’ll pay now',
    leftAfter: 'Left to pay after that',
    free: 'Paying early or late costs nothing extra.',
    choose: 'Choose at least one payment.',
    howMuch: 'How much?',
    inFull: (amount: string) => `All of it: ${amount}`,
    part: 'Part of it',
    partNote: 'For one payment at a time. The rest stays due on its date.',
    partAmount: 'Amount to pay now',
    partRange: (least: string, most: string) => `From ${least} to ${most}`,
    partError: (least: string, most: string) => `Enter an amount from ${least} to ${most}.`,
    action: (amount: string) => `Pay ${amount} now`,
    actionEmpty: 'Pay now',
  },
  move: {
    title: 'Move a payment',
    which: 'Which payment?',
    day: 'To which day?',
    daysHint: (next: string) => `Business days before ${next}.`,
    why: 'Why do you want to move it?',
    whyNote: (payee: string) => `We don’t share this with ${payee}.`,
    reasons: {
      paid_on_another_day: 'I get paid on another day',
      unexpected_expense: 'I have an unexpected expense',
      income_changed: 'I’m earning less right now',
      other: 'Another reason',
    } satisfies Record<RescheduleReason, string>,
    chooseDay: 'Choose a day.',
    chooseReason: 'Choose the closest reason.',
    cost: (left: string) => `Moving a payment is free. You’ll still have ${left} left to pay.`,
    action: (day: string) => `Move it to ${day}`,
    actionEmpty: 'Move it',
  },
  cancel: {
    title: 'Cancel this plan?',
    lead: 'Your first payment hasn’t gone through yet, so your plan hasn’t started.',
    next: 'What happens next',
    steps: (yours: string) => [
      'We’ll stop the first payment and won’t take any others.',
      `We won’t pay anything for you: ${yours} will still be due in your portal.`,
      'You can choose another plan while there’s still time this month.',
    ],
    keep: 'Keep the plan',
    action: 'Cancel the plan',
  },
  autopay: {
    offTitle: 'Turn autopay off?',
    offLead:
      'We won’t take payments automatically anymore. You’ll make each payment here, by its due date.',
    offAction: 'Turn autopay off',
    keep: 'Keep it on',
    onTitle: 'Turn autopay on?',
    onLead: (account: string) =>
      `We’ll take each payment automatically from your ${account} on its due date.`,
    onAction: 'Turn autopay on',
    leave: 'Keep it off',
  },
  history: {
    title: 'Activity',
    accepted: 'You agreed to this plan',
    paid: (payment: string) => `Your ${payment} went through`,
    partPaid: (payment: string) => `You paid part of your ${payment}`,
    failed: (payment: string, why: string) => `Your ${payment} didn’t go through. ${why}`,
    taken_back: (payment: string, why: string) => `Your ${payment} was returned. ${why}`,
    rescheduled: (payment: string, to: string) => `You moved your ${payment} to ${to}`,
    payment_method: 'You changed how you pay',
    autopay_enabled: 'Autopay was turned on',
    autopay_disabled: 'Autopay was turned off',
    past_due: 'Your plan became past due',
    recovered: 'Your plan is back on track',
    completed: 'You paid off your plan',
    canceled: 'The plan was canceled',
    charged_off: 'We closed the plan. You still owe a balance.',
    refunded: 'We refunded you',
    credited: (payee: string) => `Credit from ${payee}, taken off what you owe`,
    chargeUp: (amount: string) => `Your portal balance went up by ${amount}`,
    chargeDown: (amount: string) => `Your portal balance went down by ${amount}`,
  },
  receipts: {
    title: (day: string) => `Receipt for ${day}`,
    paid: 'Amount paid',
    returned: 'Also refunded to you',
    on: 'Date paid',
    from: 'Paid from',
    forWhat: 'For',
    forText: (what: string, payee: string) => `${what}, to ${payee}`,
    lender: 'Received by',
    number: 'Receipt number',
    plan: 'Plan number',
    save: 'Save',
    print: 'Print',
    fileName: 'receipt',
  },
  agreementPage: {
    title: 'Your agreement',
    otherLanguage: (language: string) => `You read it and signed it in ${language}.`,
    lead: (day: string) => `You agreed to this on ${day}. It can’t be changed.`,
    save: 'Save a copy',
    print: 'Print',
  },
  /** By the bank's return code, with `other` for unknown ones. */
  bankReasons: {
    ...failureCodes,
    ...chargebackCodes,
    ...confirmationCodes,
    other: 'The bank didn’t say why.',
  } as Record<FailureCode | ChargebackCode | ConfirmationCode | 'other', string>,

  // Declines, blocks and errors. Each gives the reason, the next step, the deadline and a contact, in that order.
  declined: {
    title: (yours: string) => `We can’t split ${yours} this time`,
    lead: 'We couldn’t approve your application. You weren’t charged.',
    next: 'What you can do',
    ask: (email: string) => `Questions, or think we got something wrong? Email ${email}.`,
    decided: (day: string, creditor: string) => `Decided on ${day} by ${creditor}.`,
    action: 'Action taken',
    actionTaken: 'Application for a payment plan declined',
    applicant: 'Applicant',
    amount: 'Amount requested',
    reasons: 'Main reasons',
    rights: 'Your rights',
    save: 'Save the notice',
    print: 'Print',
    fileName: 'notice',
    fileTitle: 'Notice of our decision',
    privacy: (payee: string) => `We don’t share these reasons with ${payee}.`,
  },
  blocked: {
    what: 'What you can do',
    reasons: {
      past_due_balance: {
        title: 'Pay your earlier balance first',
        text: 'You still owe a balance from an earlier month. Once you pay it, you can split this month’s balance.',
        todo: 'Pay the earlier balance in your portal, then open this again.',
      },
      security_deposit_open: {
        title: 'Pay your security deposit first',
        text: 'You still owe part of your security deposit. Once you pay it, you can split this month’s balance.',
        todo: 'Pay the deposit in your portal, then open this again.',
      },
      late_fee_open: {
        title: 'Pay your late fee first',
        text: 'You still owe a late fee. Once you pay it, you can split this month’s balance.',
        todo: 'Pay the late fee in your portal, then open this again.',
      },
      payments_disabled: {
        title: 'Online payments are turned off for you',
        text: 'Your property manager turned them off, so we can’t split your balance.',
        todo: 'Ask your property manager to turn online payments on, then open this again.',
      },
      open_plan: {
        title: 'You already have a payment plan',
        text: 'You can have one plan at a time. Once it’s paid off, you can split your next balance.',
        todo: 'Make your remaining payments, then open this again.',
      },
      amount_above_cap: {
        title: 'Your balance is too high to split',
        text: 'It’s above the maximum we can split.',
        todo: 'Pay part of it in your portal, then open this again to split the rest.',
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
        todo: 'To avoid a late fee, pay in your portal today. Next month, check back before the due date.',
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
        title: 'These dues aren’t charged every month',
        text: 'We can only split dues that are charged every month.',
        todo: '',
      },
      payments_unavailable: {
        title: 'Payment plans aren’t available yet',
        text: 'This service can’t take payments yet, so we can’t offer you a plan. We haven’t asked for any information about you.',
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
    payFirst: 'Total to pay first',
    balance: 'Your balance',
    due: 'Due',
    limits: 'We can split',
    range: (least: string, most: string) => `${least} to ${most}`,
    splitBy: (yours: string, day: string) => `You can still split ${yours} until ${day}.`,
    opens: (day: string) => `You can split it starting ${day}.`,
    askManager: (portal: string, email: string) =>
      `If something looks wrong, ask your property manager through ${portal}. You can also email us at ${email}.`,
    askUs: (email: string) => `Questions? Email us at ${email}.`,
    seePlan: 'See my plan',
  },
  notices: {
    network: {
      title: 'We couldn’t reach the service',
      text: 'No money moved. Check your connection and try again.',
    },
    network_plan: {
      title: 'We lost the connection',
      text: 'We can’t see yet if your first payment went through. Press the button again. You can’t be charged twice.',
    },
    network_pay: {
      title: 'We lost the connection',
      text: 'We can’t see yet if your payment went through. Press the button again. You can’t be charged twice.',
    },
    signed_out: {
      title: 'You were signed out for a moment',
      text: 'You’re signed in again. Nothing was paid and nothing changed. Press the button again.',
    },
    server: {
      title: 'Something went wrong on our end',
      text: 'No money moved. Try again in a few minutes. If it happens again, email us at the address below.',
    },
    refused: {
      title: 'That didn’t work',
      text: 'No money moved. Try again. If it happens again, email us at the address below.',
    },
    rate_limited: {
      title: 'Too many attempts',
      text: (seconds: number) => `No money moved. Wait ${seconds} seconds, then try again.`,
    },
    payments_paused: {
      title: 'Payments are paused right now',
      text: 'No money moved, and nothing has changed for you. Try again later today. For help, email us at the address below.',
    },
    payment_failed: {
      title: (label: string) =>
        label === '' ? 'Your payment was declined' : `Your payment was declined (${label})`,
      text: 'No money moved, and no plan was made. Pay with another account or card, or try this one again.',
    },
    repayment_failed: {
      title: (label: string) =>
        label === '' ? 'Your payment was declined' : `Your payment was declined (${label})`,
      text: 'No money moved. Pay with another account or card, or try again later.',
    },
    quotes_changed: {
      title: 'Your offer has changed',
      text: 'No money moved. Review the new offer here.',
    },
    moved_on: {
      title: 'You already finished this step',
      text: 'You may have done it in another tab. This is where you are now.',
    },
    plan_changed: {
      title: 'Your plan has changed',
      text: 'No money moved. Review your plan as it is now.',
    },
    paid: {
      title: (amount: string) => `You paid ${amount}`,
      text: 'Thank you. You can find your receipts with your documents.',
    },
    moved: {
      title: 'You moved a payment',
      text: (amount: string, day: string) => `${amount} is now due ${day}.`,
    },
    autopay_on: { title: 'Autopay is on', text: 'Your dates and amounts stay the same.' },
    autopay_off: {
      title: 'Autopay is off',
      text: 'Your dates and amounts stay the same. Make each payment here by its due date.',
    },
    canceled: {
      title: 'Your plan is canceled',
      text: 'No money moved. Pay your balance in your portal, or choose another plan.',
    },
    in_review: {
      title: 'We’re still reviewing your application',
      text: 'You’ll see our decision here as soon as we make it.',
    },
    bill_changed: {
      title: 'Your balance has changed',
      text: 'We canceled the plan you made, and no money moved. Choose a plan for the new balance.',
    },
    account_changed: {
      title: 'You changed how you pay',
      text: (label: string) => `Your next payments will come from your ${label}.`,
    },
    reference: (id: string) => `Reference ${id}`,
  },
  /** Errors for fields that the service rejects. */
  refusedFields: {
    date_of_birth: 'This date isn’t in the past. Check the year.',
    'date_of_birth.too_young': 'You must be 18 or older to apply.',
    monthly_income_in_cents: 'Enter an amount, such as 4,000.',
    routing_number: 'Enter the nine digits of the routing number.',
    'routing_number.invalid_value':
      'We don’t recognize this routing number. In the sandbox, use the test bank’s: 110000000.',
    account_number: 'Enter 4 to 17 digits.',
    number: 'Check the card number. We accept Visa and Mastercard debit cards.',
    'number.not_accepted': 'This is a credit card. Use a debit card.',
    expires: 'Enter the month and year, such as 09/28.',
    'expires.too_small': 'This card has expired. Use another one.',
    cvc: 'Enter the three digits on the back.',
    last4: 'Enter four digits.',
    due_date: 'This date isn’t available anymore. Choose another one.',
  } as Record<string, string>,
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

  // The page of an email link, and the questions that confirm the tenant's identity.
  link: {
    title: 'See your payment plan',
    text: 'Your plan opens on this page.',
    once: 'This link works once. You can always find your plan in your portal.',
    action: 'Open my plan',
  },
  confirm: {
    portalTitle: (portal: string) => `Continue in ${portal}`,
    portalLead:
      'You opened this page from an email, so you can only view your plan here. To pay or change anything, sign in to your portal.',
    portalAction: (portal: string) => `Go to ${portal}`,
    title: 'Confirm it’s you',
    lead: 'You opened this page from an email. Before you pay or change anything, answer two questions.',
    last4: 'Last four digits of the account or card you pay with',
    last4Hint: 'You’ll find them on your card or bank statement.',
    last4Error: 'Enter four digits.',
    tries: (left: number) => (left === 1 ? 'You have one try left.' : `You have ${left} tries.`),
    wrong: (left: number) =>
      left === 1
        ? 'The date or the digits don’t match our records. You have one try left.'
        : `The date or the digits don’t match our records. You have ${left} tries left.`,
    action: 'Continue',
  },

  // Why the payment processor's page gave no account or card.
  setupReasons: setupFailures as Record<SetupFailure, string>,

  // `svc-admin collections pause`: nothing is taken until the operator resumes.
  collectionsPaused: {
    title: 'Autopay is paused',
    text: 'We won’t take a payment until the pause ends. Paused days don’t count as late.',
    next: (day: string) => `It was planned for ${day}. We won’t take it during the pause.`,
  },

  // A payment that the card's bank makes only after the tenant has confirmed it.
  bankConfirmation: {
    title: 'Your bank wants you to confirm a payment',
    text: (amount: string) =>
      `Confirm ${amount} on your bank’s page. It opens in a new tab. Come back here when you’re done. If you don’t confirm it within an hour, no money moves.`,
    open: 'Confirm at my bank',
  },
};

export type Words = typeof en;
