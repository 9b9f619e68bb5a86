import type { ProductVariant } from '@svc/contract';
import type { MailFacts, Words } from './words.ts';

export const en: Words = {
  mail: {
    greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
    open: 'Open my plan',
    link: 'The link works once, for four days. After that, open your plan from your portal.',
    foot: ({ creditor: { name, address, supportEmail } }) =>
      `${name} lends to you. Postal address: ${address}. Questions: ${supportEmail}`,
    types: {
      'installment.upcoming': ({ amount, day, variant, method, cardEnd }) => ({
        subject: `${amount} is due on ${day}`,
        lines: [
          `Your next ${noun(variant)} payment of ${amount} is due on ${day}.`,
          ...(method === null ? [] : [`We’ll take it${from(method)} on that day.`]),
          ...(cardEnd === null
            ? []
            : [
                `Your card ends ${cardEnd.month}. Your last payment is on ${cardEnd.lastDay}. Choose another way to pay for it.`,
              ]),
          'You can pay now, move the day, or change how you pay.',
        ],
      }),
      'installment.failed': ({ amount, again, reversed, variant, method }) => ({
        subject: reversed
          ? `Your bank took back your payment of ${amount}`
          : `Your payment of ${amount} did not go through`,
        lines: [
          reversed
            ? `Your bank took back a ${noun(variant)} payment of ${amount} that you had made. You owe it again. There is no late fee.`
            : `Your bank did not make your ${noun(variant)} payment of ${amount}${from(method)}. There is no late fee.`,
          again === null
            ? 'Pay it from your plan when you can, or use another account or card.'
            : `We’ll try again on ${again}. To pay before then, or another way, open your plan.`,
        ],
      }),
      'installment.paid': ({ amount, variant, method }) => ({
        subject: `Receipt: ${amount} paid`,
        lines: [
          `We have received your ${noun(variant)} payment of ${amount}${from(method)}. Thank you.`,
          'Your plan shows what is left to pay, and when.',
        ],
      }),
    },
  },
  agreement: (
    { apr, charge, financed, total, fee, payments, brand, last4, debitBy, creditor, help },
    variant,
  ) => {
    const due = variant === 'hoa' ? 'association dues' : 'rent';
    const method = brand === null ? 'bank account' : `${brand} card`;
    return [
      `Creditor: ${creditor}`,
      '',
      `ANNUAL PERCENTAGE RATE (the cost of your credit as a yearly rate): ${apr}`,
      `FINANCE CHARGE (the dollar amount the credit will cost you): ${charge}`,
      `Amount financed (what we pay for your ${due}): ${financed}`,
      `Total of payments (what you will have paid after all payments): ${total}`,
      '',
      `Payment schedule, ${payments.length} payments:`,
      ...payments,
      '',
      `The first payment includes the fee of ${fee}. It is taken today from your ${method} ending in ${last4}.`,
      '',
      'The others are taken from it on their dates. You may stop a payment by telling us at least 3 business days before.',
      '',
      'Late payment: there is no late fee. Prepayment: you may pay early at any time without a penalty.',
      '',
      `We pay ${financed} for your ${due}. The portal takes it from us by ${debitBy}.`,
      '',
      'You sign by ticking the box and pressing the button. This agreement and our notices come to you electronically. Write to us for a free copy on paper, or if you no longer want them this way.',
      '',
      `Questions: ${help}`,
    ];
  },
  notice: {
    reasons: {
      income_too_low: 'Income is too low for the amount',
      account_too_new: 'Length of residence is too short',
      past_plan_unpaid: 'An earlier plan was not paid in full',
      unable_to_verify: 'We were unable to verify the information given',
    },
    rights:
      'The federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the basis of race, color, religion, national origin, sex, marital status, or age (provided the applicant has the capacity to enter into a binding contract); because all or part of the applicant’s income derives from any public assistance program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act. The federal agency that administers compliance with this law concerning this creditor is the Federal Trade Commission, Equal Credit Opportunity, Washington, DC 20580.',
  },
};

/** Never the last four digits: the page behind the mail's link asks for them. */
function from(method: MailFacts['method']): string {
  if (method === null) return '';
  return ` from your ${method.brand === null ? 'bank account' : `${method.brand} card`}`;
}

function noun(variant: ProductVariant): string {
  return variant === 'hoa' ? 'association dues' : 'rent';
}
