import { createHash } from 'node:crypto';
import { locales, type QuoteOutput } from '@svc/contract';
import { type OnPaydays, offeredSplits, type Split, type SplitFacts } from '../lending/splits.ts';
import { defaultTermsVersion } from '../partners/terms.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';
import { debitBy } from '../tenants/banking-days.ts';
import { disclosureText, type Parties } from './disclosure.ts';

export interface QuoteInput extends Omit<Parties, 'method' | 'lending'>, SplitFacts, OnPaydays {
  readonly applicationId: string;
  /**
   * The account or card to charge. A quote for one cannot be accepted for another, and a quote without one
   * cannot be accepted.
   */
  readonly method: PaymentMethod | null;
  readonly warnings: QuoteOutput['warnings'];
}

/**
 * Returns the plans on offer right now. Pure: the same facts give the same ids, so that nothing is stored
 * before consent and a quote from other facts no longer matches when it is accepted.
 */
export function computeQuotes(input: QuoteInput): QuoteOutput[] {
  return offers(input).map((offer) => withDisclosure(input, offer));
}

/** Returns the quote with this id, if it is still on offer. Writes the disclosure of that quote only. */
export function findQuote(input: QuoteInput, id: string): QuoteOutput | undefined {
  const offer = offers(input).find((it) => it.id === id);
  return offer && withDisclosure(input, offer);
}

type Offer = Omit<QuoteOutput, 'warnings' | 'disclosure'>;

function offers(input: QuoteInput): Offer[] {
  return offeredSplits(input).map((it) => offerOf(input, it));
}

function offerOf(input: QuoteInput, { payments, aprBps }: Split): Offer {
  const { cycle, at, timeZone, terms } = input;
  const principal = cycle.amountDueInCents;
  const fee = terms.feeInCents;
  const offer = {
    installment_count: payments.length,
    installments: payments.map((it) => ({
      number: it.number,
      due_date: it.dueDate,
      amount_in_cents: it.amountInCents,
    })),
    amount_financed_in_cents: principal,
    fee_in_cents: fee,
    finance_charge_in_cents: fee,
    total_of_payments_in_cents: principal + fee,
    apr_bps: Math.round(aprBps),
    debit_by: debitBy(at, timeZone),
  };
  const identity = JSON.stringify([
    input.applicationId,
    cycle.dueDate,
    input.method?.id ?? null,
    offer,
    // Other terms make another quote, even if its payments are equal. Without a version, the id is the one
    // that services before 0.3.0 compute, because they may run at the same time.
    ...(terms.version === defaultTermsVersion ? [] : [terms.version]),
  ]);
  return { id: `qte_${digest(identity).slice(0, 26)}`, ...offer };
}

function withDisclosure(input: QuoteInput, offer: Offer): QuoteOutput {
  const { method, warnings } = input;
  if (method === null) return { ...offer, warnings, disclosure: null };
  const parties = { ...input, method };
  const [english, ...translations] = locales.map((locale) => {
    const text = disclosureText(offer, parties, locale);
    return { locale, sha256: digest(text), text };
  });
  if (!english) throw new Error('no language');
  return { ...offer, warnings, disclosure: { ...english, translations } };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
