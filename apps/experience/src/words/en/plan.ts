/** From the choice of payments to the receipt. */
export const plan = {
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
    save: 'Save a copy',
    file: 'agreement',
    paper: 'Payment agreement',
    version: (sha256: string) => `Copy ${sha256}`,
    agree: 'I have read the agreement and I agree to it.',
    agreeNote: (lender: string, account: string) =>
      `This lets ${lender} take these payments from my ${account} on these days.`,
    agreeError: 'Tick the box to agree. Without it nothing is charged.',
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
    file: 'payments.ics',
    title: (number: number, all: number, amount: string, name: string) =>
      `Payment ${number} of ${all}: ${amount} (${name})`,
    description: (lender: string, email: string) =>
      `${lender} takes this payment from your account. Help: ${email}`,
  },
};
