import type { QuoteOutput } from '@svc/contract';
import { terms } from '../../partners/terms.ts';

type Offer = Omit<QuoteOutput, 'id' | 'disclosure' | 'warnings'>;

/** The exact words of the consent; kept with the plan as they were shown. */
export function disclosureText(offer: Offer, variant: 'rent' | 'hoa'): string {
  const noun = variant === 'hoa' ? 'association dues' : 'rent';
  const schedule = offer.installments.map(
    (it) => `  ${it.number}. ${it.due_date}   ${money(it.amount_in_cents)}`,
  );
  return [
    `Creditor: ${terms.lenderName}`,
    '',
    `ANNUAL PERCENTAGE RATE (the cost of your credit as a yearly rate): ${percent(offer.apr_bps)}`,
    `FINANCE CHARGE (the amount the credit will cost you): ${money(offer.finance_charge_in_cents)}`,
    `Amount financed (the ${noun} paid on your behalf): ${money(offer.amount_financed_in_cents)}`,
    `Total of payments (what you will have paid after all payments): ${money(offer.total_of_payments_in_cents)}`,
    '',
    `Payment schedule, ${offer.installment_count} payments:`,
    ...schedule,
    '',
    `The first payment includes the fee of ${money(offer.fee_in_cents)} and is taken today from the bank account you gave.`,
    'The others are taken from the same account on their dates. You may stop a payment by telling us at least 3 banking days before.',
    'Late payment: there is no late fee. Prepayment: you may pay early at any time without a penalty.',
    `We pay your ${noun} in full; the portal debits it by ${offer.debit_by}.`,
    `Questions: ${terms.supportEmail}`,
  ].join('\n');
}

// Kept: making one takes longer than all else in a quote.
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

function money(cents: number): string {
  return dollars.format(cents / 100);
}

function percent(bps: number): string {
  return `${(bps / 100).toFixed(2)} %`;
}
