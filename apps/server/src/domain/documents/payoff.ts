import type { Locale, OwnPlanOutput } from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import { formatMoney, formatsOf } from '../../words/formats.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { DocumentContent, FoundDocument } from './document-content.ts';
import { dayOf, productOf, signedOn, termsBlock } from './plan-facts.ts';

interface LetterInput {
  readonly own: OwnPlanOutput;
  readonly tenantName: string;
  readonly creditor: Creditor;
  readonly locale: Locale;
}

/** Returns the letter that a plan is paid in full; undefined while something is owed. */
export function payoffLetter(input: LetterInput): FoundDocument | undefined {
  const { own, tenantName, creditor, locale } = input;
  const { plan, management } = own;
  const { amounts, history } = management;
  // Newest first. A plan that a bank has reopened is completed again on another day.
  const completedOn = history.find(({ kind }) => kind === 'completed')?.on;
  if (plan.state !== 'completed' || amounts.left_in_cents !== 0 || completedOn === undefined) {
    return undefined;
  }
  const { agreed_in_cents, credited_in_cents, waived_in_cents, paid_in_cents, refunded_in_cents } =
    amounts;
  const landlordCreditInCents = credited_in_cents - waived_in_cents;
  const { documents: words } = wordsByLocale[locale];
  const { fullDate } = formatsOf(locale);
  const compose = (): DocumentContent => ({
    title: words.payoff.title,
    locale,
    createdAt: dayOf(completedOn),
    blocks: [
      { kind: 'lead', text: words.payoff.lead(fullDate(completedOn)) },
      {
        kind: 'bar',
        segments: amounts.installments.map((it) => ({
          share: it.agreed_in_cents,
          state: it.paid_in_cents > 0 ? 'paid' : 'credited',
        })),
        alt: words.payoff.title,
      },
      termsBlock([
        tenantName === '' ? null : [words.tenant, tenantName],
        [words.planNumber, plan.id],
        [words.payoff.agreedOn, fullDate(signedOn(management))],
        [words.payoff.forWhat, productOf(own, locale)],
        [words.payoff.agreed, formatMoney(agreed_in_cents)],
        landlordCreditInCents > 0
          ? [words.payoff.credited(plan.product_variant), formatMoney(landlordCreditInCents)]
          : null,
        waived_in_cents > 0 ? [words.payoff.waived, formatMoney(waived_in_cents)] : null,
        [words.payoff.paid, formatMoney(paid_in_cents)],
        refunded_in_cents > 0 ? [words.payoff.refunded, formatMoney(refunded_in_cents)] : null,
        [words.payoff.owed, formatMoney(0)],
      ]),
      { kind: 'heading', text: words.payoff.payments },
      {
        kind: 'table',
        head: [words.columns.day, words.columns.paid],
        rows: [...management.receipts]
          .reverse()
          .map((it) => [fullDate(it.paid_on), formatMoney(it.amount_in_cents)]),
        total: [words.columns.total, formatMoney(paid_in_cents)],
      },
      { kind: 'paragraph', text: words.payoff.closing(creditor) },
    ],
  });
  const revision = `${completedOn}-${paid_in_cents}-${credited_in_cents}-${refunded_in_cents}`;
  return { revision, locale, compose };
}
