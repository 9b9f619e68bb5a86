import { cardBrands, type Locale, type ProductVariant, type QuoteOutput } from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import { formatMoney, formatsOf } from '../../words/formats.ts';
import { reportedText } from '../../words/reported-text.ts';
import type { AgreementFacts, Section, Words } from '../../words/words.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { Lending } from '../lending/lending-rules.ts';
import { type AgreementPlaceholder, fillAgreement } from '../partners/agreement-template.ts';
import type { Terms } from '../partners/terms.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';
import { retriedCodes } from '../payments/return-codes.ts';
import type { PersonalData } from '../tenants/personal-data.ts';
import type { Lease } from '../tenants/tenant.ts';

type Offer = Omit<QuoteOutput, 'id' | 'disclosure' | 'warnings'>;

/** The tenant and the home, as the agreement names them. */
interface Signer {
  readonly name: string;
  /** Null if the portal did not report the property. */
  readonly home: string | null;
}

export interface Parties {
  /** The plan that the offer becomes if it is accepted. */
  readonly planId: string;
  /** Null to write the agreement without personal data, as it is kept when the tenant is erased. */
  readonly signer: Signer | null;
  readonly variant: ProductVariant;
  readonly creditor: Creditor;
  readonly method: PaymentMethod;
  readonly terms: Terms;
  readonly lending: Pick<Lending, 'license' | 'military'>;
}

/** Returns the exact text that the tenant consents to, in the screen's language. It is stored with the plan. */
export function disclosureText(
  offer: Offer,
  { planId, signer, variant, creditor, method, terms, lending }: Parties,
  locale: Locale,
): string {
  const { fullDate, percent } = formatsOf(locale);
  const words = wordsByLocale[locale];
  const [first] = offer.installments;
  if (!first) throw new Error('an offer without installments');
  const facts: AgreementFacts = {
    planNumber: planId,
    // The first payment is made on the day of the signature.
    signedOn: fullDate(first.due_date),
    borrower: signer ? signer.name : words.removed,
    home: signer ? signer.home : words.removed,
    apr: percent(offer.apr_bps / 10_000),
    charge: formatMoney(offer.finance_charge_in_cents),
    financed: formatMoney(offer.amount_financed_in_cents),
    total: formatMoney(offer.total_of_payments_in_cents),
    fee: formatMoney(offer.fee_in_cents),
    payments: offer.installments.map(
      (it) => `${fullDate(it.due_date)}: ${formatMoney(it.amount_in_cents)}`,
    ),
    first: formatMoney(first.amount_in_cents),
    brand: method.brand && cardBrands[method.brand],
    last4: method.last4,
    debitBy: fullDate(offer.debit_by),
    creditor,
    license: lending.license,
    terms: {
      ...terms,
      retries: terms.retryAfterDays.length,
      retryReasons: retryReasons(locale),
    },
  };
  const template = terms.documents.agreement?.[variant]?.[locale];
  const agreement =
    template === undefined
      ? words.agreement(facts, variant).map(sectionText).join('\n\n')
      : fillAgreement(template, valuesOf(facts, words));
  const { military } = lending;
  return military === null
    ? agreement
    : [agreement, sectionText(words.military(military.phone))].join('\n\n');
}

/** Returns the reasons for which a payment is tried again, as one phrase: "A, B, or C". */
function retryReasons(locale: Locale): string {
  const { retryReasons: phrases } = wordsByLocale[locale];
  const all = retriedCodes.map((code) => {
    const phrase = phrases[code];
    if (phrase === undefined) throw new Error(`no words for a retry after ${code}`);
    return phrase;
  });
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(all);
}

/** Returns the values of a template, each as the built-in agreement writes it. */
function valuesOf(
  facts: AgreementFacts,
  words: Words,
): Readonly<Record<AgreementPlaceholder, string | null>> {
  const { creditor, terms } = facts;
  return {
    plan_number: facts.planNumber,
    signed_on: facts.signedOn,
    borrower: facts.borrower,
    home: facts.home,
    creditor_name: creditor.name,
    creditor_address: creditor.address,
    license: facts.license,
    support_email: creditor.supportEmail,
    apr: facts.apr,
    finance_charge: facts.charge,
    amount_financed: facts.financed,
    total_of_payments: facts.total,
    fee: facts.fee,
    payment_count: String(facts.payments.length),
    payments: facts.payments.map((it, index) => `${index + 1}. ${it}`).join('\n'),
    first_payment: facts.first,
    account: words.account(facts),
    debit_by: facts.debitBy,
    retries: String(terms.retries),
    retry_reasons: terms.retryReasons,
    remind_days_before: String(terms.remindDaysBefore),
    days_apart: String(terms.daysApart),
    past_due_days: String(terms.pastDueDays),
    charge_off_days: String(terms.chargeOffDays),
  };
}

/** Returns the tenant and the home from what the portal has reported. */
export function signerOf(personal: PersonalData | null, lease: Lease | null): Signer {
  const { firstName = '', lastName = '' } = personal ?? {};
  return { name: reportedText(`${firstName} ${lastName}`), home: homeOf(lease) };
}

function homeOf(lease: Lease | null): string | null {
  const { name, line1, line2, city, state, postal_code } = lease?.property ?? {};
  const region = [state, postal_code].filter(isGiven).join(' ');
  // Each part separately, so that an Arabic name does not reorder the street and the zip code after it.
  const parts = [name, line1, line2, city, region].filter(isGiven).map(reportedText);
  return parts.length === 0 ? null : parts.join(', ');
}

function isGiven(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.trim() !== '';
}

function sectionText({ heading, blocks }: Section): string {
  const texts = blocks.map((it) => (typeof it === 'string' ? it : it.join('\n')));
  return [heading.toUpperCase(), ...texts].join('\n\n');
}
