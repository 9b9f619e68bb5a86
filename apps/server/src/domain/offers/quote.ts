import { createHash } from 'node:crypto';
import { locales, type Paydays, type QuoteOutput } from '@svc/contract';
import type { Cycle } from '../charges/rent-cycle.ts';
import { defaultVersion, type Terms } from '../partners/terms.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';
import { debitBy } from '../tenants/banking-days.ts';
import { localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { aprInBps } from './apr.ts';
import { disclosureText, type Parties } from './disclosure.ts';
import { daysToPay, onPaydays } from './paydays.ts';
import { type Part, split } from './split.ts';

export interface QuoteInput extends Omit<Parties, 'method'> {
  readonly applicationId: string;
  readonly cycle: Cycle;
  readonly at: TenantTime;
  readonly timeZone: string;
  readonly terms: Terms;
  /** The payments after the first are due on these. Null: on the standard dates. */
  readonly paydays: Paydays | null;
  /**
   * The account or card to charge. A quote for one cannot be accepted for another, and one without
   * cannot be accepted.
   */
  readonly method: PaymentMethod | null;
  readonly warnings: QuoteOutput['warnings'];
}

/**
 * The plans on offer right now. Pure: the same facts give the same ids, so that nothing is stored
 * before consent and a quote from other facts no longer matches when it is accepted.
 */
export function computeQuotes(input: QuoteInput): QuoteOutput[] {
  return offers(input).map((offer) => withDisclosure(input, offer));
}

/** The quote with this id, if it is still on offer. Writes the disclosure of that one only. */
export function findQuote(input: QuoteInput, id: string): QuoteOutput | undefined {
  const offer = offers(input).find((it) => it.id === id);
  return offer && withDisclosure(input, offer);
}

/** The numbers of payments that the standard dates allow right now, so that a preview shows no others. */
export function offeredCounts(input: SplitFacts): number[] {
  return splits({ ...input, paydays: null }).map((parts) => parts.length);
}

/** The numbers of payments that only the standard dates allow. */
export function countsWithoutPaydays(input: QuoteInput): number[] {
  if (input.paydays === null) return [];
  const offered = splits(input).map((parts) => parts.length);
  return offeredCounts(input).filter((count) => !offered.includes(count));
}

type Offer = Omit<QuoteOutput, 'warnings' | 'disclosure'>;
type SplitFacts = Pick<QuoteInput, 'cycle' | 'at' | 'timeZone' | 'terms'>;

function offers(input: QuoteInput): Offer[] {
  return splits(input).map((parts) => offerOf(input, parts));
}

/** The parts for each number of payments that the amount, the days left and the paydays allow. */
function splits({
  cycle,
  at,
  timeZone,
  terms,
  paydays,
}: SplitFacts & Pick<QuoteInput, 'paydays'>): Part[][] {
  if (cycle.amountDueInCents < terms.minimumInCents) return [];
  const on = { today: localDate(at, timeZone), cycleDueDate: cycle.dueDate, terms };
  const days = paydays && daysToPay(paydays, on);
  return terms.installmentCounts.flatMap((count) => {
    const standard = split({ ...on, principalInCents: cycle.amountDueInCents, count });
    const parts = standard && days ? onPaydays(standard, days, on) : standard;
    return parts === null ? [] : [parts];
  });
}

function offerOf(input: QuoteInput, parts: readonly Part[]): Offer {
  const { cycle, at, timeZone, terms } = input;
  const today = localDate(at, timeZone);
  const principal = cycle.amountDueInCents;
  const fee = terms.feeInCents;
  const payments = parts.map((part) => ({
    ...part,
    amountInCents: part.amountInCents + (part.number === 1 ? fee : 0),
  }));
  const offer = {
    installment_count: parts.length,
    installments: payments.map((it) => ({
      number: it.number,
      due_date: it.dueDate,
      amount_in_cents: it.amountInCents,
    })),
    amount_financed_in_cents: principal,
    fee_in_cents: fee,
    finance_charge_in_cents: fee,
    total_of_payments_in_cents: principal + fee,
    apr_bps: aprInBps({ principalInCents: principal, payments, today }),
    debit_by: debitBy(at, timeZone),
  };
  const identity = JSON.stringify([
    input.applicationId,
    cycle.dueDate,
    input.method?.id ?? null,
    offer,
    // Other terms are another quote, even if its payments are equal. Without a version, the id stays as
    // services before 0.3.0 make it: they may serve at the same time.
    ...(terms.version === defaultVersion ? [] : [terms.version]),
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
