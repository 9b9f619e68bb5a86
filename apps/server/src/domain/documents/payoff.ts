import type { Locale, OwnPlanOutput } from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import { formatMoney, formatsOf } from '../../words/formats.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { FoundDocument } from './document-content.ts';
import { dayOf, signedOn } from './plan-days.ts';

interface LetterInput {
  readonly own: OwnPlanOutput;
  readonly tenantName: string;
  readonly creditor: Creditor;
  readonly locale: Locale;
}

/** The letter that a plan is paid in full; undefined while something is owed. */
export function payoffLetter(input: LetterInput): FoundDocument | undefined {
  const { own, tenantName, creditor, locale } = input;
  const { plan, management } = own;
  const { amounts, history } = management;
  // Newest first. A plan that a bank has reopened is completed again on another day.
  const completedOn = history.find(({ kind }) => kind === 'completed')?.on;
  if (plan.state !== 'completed' || amounts.left_in_cents !== 0 || completedOn === undefined) {
    return undefined;
  }
  const { agreed_in_cents, credited_in_cents, paid_in_cents, refunded_in_cents } = amounts;
  const { documents: words } = wordsByLocale[locale];
  const { fullDate, month } = formatsOf(locale);
  const what = words.product(
    month(plan.rent_cycle_date),
    plan.product_variant,
    management.shares_lease,
  );
  const compose = () => ({
    title: words.payoff.title,
    locale,
    createdAt: dayOf(completedOn),
    blocks: [
      { kind: 'lead' as const, text: words.payoff.lead(fullDate(completedOn)) },
      {
        kind: 'bar' as const,
        segments: amounts.installments.map((it) => ({
          share: it.agreed_in_cents,
          state: 'paid' as const,
        })),
        alt: words.payoff.title,
      },
      {
        kind: 'terms' as const,
        terms: [
          ...(tenantName === '' ? [] : [[words.tenant, tenantName]]),
          [words.planNumber, plan.id],
          [words.payoff.agreedOn, fullDate(signedOn(management))],
          [words.payoff.forWhat, what],
          [words.payoff.agreed, formatMoney(agreed_in_cents)],
          ...(credited_in_cents > 0
            ? [[words.payoff.credited, formatMoney(credited_in_cents)]]
            : []),
          [words.payoff.paid, formatMoney(paid_in_cents)],
          ...(refunded_in_cents > 0
            ? [[words.payoff.refunded, formatMoney(refunded_in_cents)]]
            : []),
          [words.payoff.owed, formatMoney(0)],
        ].map(([term = '', value = '']) => ({ term, value })),
      },
      { kind: 'heading' as const, text: words.payoff.payments },
      {
        kind: 'table' as const,
        head: [words.columns.day, words.columns.paid],
        rows: [...management.receipts]
          .reverse()
          .map((it) => [fullDate(it.paid_on), formatMoney(it.amount_in_cents)]),
        total: [words.columns.total, formatMoney(paid_in_cents)],
      },
      { kind: 'paragraph' as const, text: words.payoff.closing(creditor) },
    ],
  });
  const revision = `${completedOn}-${paid_in_cents}-${credited_in_cents}-${refunded_in_cents}`;
  return { revision, locale, compose };
}
