import {
  cardBrands,
  type Locale,
  localeInfo,
  type ProductVariant,
  type QuoteOutput,
} from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';

type Offer = Omit<QuoteOutput, 'id' | 'disclosure' | 'warnings'>;

interface Parties {
  readonly variant: ProductVariant;
  readonly creditor: Creditor;
  readonly method: PaymentMethod;
}

/** The exact text that the tenant consents to, in the language of the screen. Stored with the plan. */
export function disclosureText(
  offer: Offer,
  { variant, creditor, method }: Parties,
  locale: Locale,
): string {
  const { day, rate } = formats(locale);
  return wordsByLocale[locale]
    .agreement(
      {
        apr: rate.format(offer.apr_bps / 10_000),
        charge: money(offer.finance_charge_in_cents),
        financed: money(offer.amount_financed_in_cents),
        total: money(offer.total_of_payments_in_cents),
        fee: money(offer.fee_in_cents),
        payments: offer.installments.map(
          (it) => `  ${it.number}. ${inWords(it.due_date, day)}: ${money(it.amount_in_cents)}`,
        ),
        brand: method.brand && cardBrands[method.brand],
        last4: method.last4,
        debitBy: inWords(offer.debit_by, day),
        creditor: `${creditor.name}, ${creditor.address}`,
        help: creditor.supportEmail,
      },
      variant,
    )
    .join('\n');
}

// Cached, because creating a formatter takes longer than the rest of a quote.
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const formatsByLocale = new Map<Locale, ReturnType<typeof makeFormats>>();

function formats(locale: Locale): ReturnType<typeof makeFormats> {
  const known = formatsByLocale.get(locale) ?? makeFormats(localeInfo[locale].tag);
  formatsByLocale.set(locale, known);
  return known;
}

function makeFormats(tag: string) {
  return {
    day: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }),
    rate: new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 }),
  };
}

function money(cents: number): string {
  return dollars.format(cents / 100);
}

function inWords(day: string, format: Intl.DateTimeFormat): string {
  return format.format(Date.parse(`${day}T00:00:00Z`));
}
