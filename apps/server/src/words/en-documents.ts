import type { ProductVariant } from '@svc/contract';
import type { DocumentWords } from './document-words.ts';

/** The landlord or association that collects the payment. */
const recipient = (variant: ProductVariant) =>
  variant === 'hoa' ? 'your association' : 'your landlord';

export const enDocuments: DocumentWords = {
  product: (month, variant, isShared) =>
    `${month} ${variant === 'hoa' ? 'dues' : isShared ? 'share of the rent' : 'rent'}`,
  planNumber: 'Plan number',
  tenant: 'Name',
  agreement: {
    title: 'Payment plan agreement',
    accepted: (day) => `You agreed to this on ${day}. It can’t be changed.`,
    offered: 'You haven’t agreed to this yet. Nothing is charged until you do.',
    version: (sha256) => `Document ID ${sha256}`,
  },
  receipt: {
    title: (day) => `Receipt for ${day}`,
    bar: (number, count) => `Payment ${number} of ${count}`,
    paid: 'Amount paid',
    returned: 'Also refunded to you',
    on: 'Date paid',
    from: 'Paid from',
    forWhat: 'For',
    forText: (what, payee, variant) => `${what}, to ${payee ?? recipient(variant)}`,
    lender: 'Received by',
    number: 'Receipt number',
  },
  notice: {
    title: 'Notice of our decision',
    action: 'Action taken',
    actionTaken: 'Application for a payment plan declined',
    applicant: 'Applicant',
    amount: 'Amount requested',
    decided: (day, creditor) => `Decided on ${day} by ${creditor}.`,
    reasons: 'Main reasons',
    rights: 'Your rights',
  },
  calendar: {
    title: (amount, product) => `Payment due: ${amount} (${product})`,
    description: ({ name, supportEmail }) =>
      `This payment to ${name} is due today. Questions? Email ${supportEmail}`,
  },
  payoff: {
    title: 'Your plan is paid in full',
    lead: (day) => `You paid off this plan on ${day}. You owe nothing on it.`,
    agreedOn: 'Agreed on',
    forWhat: 'For',
    agreed: 'Total of payments agreed',
    credited: (variant) => `Credits from ${recipient(variant)}`,
    waived: 'Fee that we waived',
    paid: 'Paid',
    refunded: 'Refunded to you',
    owed: 'Still owed',
    payments: 'Your payments',
    closing: ({ name, supportEmail }) =>
      `${name} confirms that nothing is owed on this plan on the date above. If a bank reverses a payment later, the plan opens again and we’ll tell you. Questions? Email ${supportEmail}.`,
  },
  statement: {
    title: (year) => `Statement for ${year}`,
    lead: (year) =>
      `Everything that you paid on your payment plans and that was refunded to you from January 1 to December 31, ${year}.`,
    fees: 'Fees in these payments',
    payments: 'Payments and refunds',
    payment: (number) => `Payment ${number}`,
    takenBack: (number) => `Payment ${number}, reversed by the bank`,
    refund: 'Refund',
    credit: (variant) => `Credit from ${recipient(variant)}`,
    feeWaiver: 'Fee that we waived',
    nothing: 'There were no payments in this year.',
    closing: ({ supportEmail }) =>
      `Amounts are on the day on which they were paid or refunded. Questions? Email ${supportEmail}.`,
  },
  columns: {
    day: 'Date',
    what: 'What for',
    paid: 'Paid',
    refunded: 'Refunded',
    credited: 'Credited',
    total: 'Total',
  },
};
