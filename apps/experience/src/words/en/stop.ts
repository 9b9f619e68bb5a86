/** Where it does not go on: a decline, a reason why not now, a failure. */
export const stop = {
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
    file: 'notice',
    paper: 'Notice of our decision',
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
      title: 'That was a lot of tries',
      text: (seconds: number) => `No money moved. Wait ${seconds} seconds, then try again.`,
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
      text: 'You were a step further, perhaps in another window. Here is where you are now.',
    },
    plan_changed: {
      title: 'Your plan has changed meanwhile',
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
      title: 'Still looking',
      text: 'This page shows the answer as soon as it is there.',
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
  /** When the service refuses a field that looked right here. */
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
      todo: 'Go on from where you were.',
    },
    link_over: {
      title: 'Please open your plan in your portal',
      text: 'Each link in our mails works once, for a few days. To keep you safe, we also sign you out after a while. No money moved.',
      todo: 'You find the same plan in your resident or owner portal.',
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
};
