import type { Locale, OwnPlanOutput, PlanManagement } from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import { formatMoney, formatsOf } from '../../words/formats.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { DocumentContent, FoundDocument } from './document-content.ts';
import { dayOf, productOf, termsBlock } from './plan-facts.ts';

interface StatementInput {
  /** Four digits. */
  readonly year: string;
  /** The plans with movements in that year, in any order. */
  readonly plans: readonly OwnPlanOutput[];
  readonly tenantName: string;
  readonly creditor: Creditor;
  readonly locale: Locale;
}

/** Lists each payment and refund of a tenant in a past year. */
export function yearStatement(input: StatementInput): FoundDocument {
  const { year, tenantName, creditor, locale } = input;
  const { documents: words } = wordsByLocale[locale];
  const { fullDate } = formatsOf(locale);
  const movements = input.plans
    .flatMap(movementsOf)
    .filter(({ on }) => on.startsWith(`${year}-`))
    .sort((a, b) => a.at.localeCompare(b.at));
  const sum = (column: 'paid' | 'refunded' | 'credited' | 'fee') =>
    movements.reduce((total, it) => total + it[column], 0);
  const hasCredits = movements.some(({ credited }) => credited > 0);
  const amount = (cents: number) => (cents === 0 ? '' : formatMoney(cents));
  const columns = (day: string, what: string, [paid, refunded, credited]: readonly string[]) => [
    `${day}\n${what}`,
    paid ?? '',
    refunded ?? '',
    ...(hasCredits ? [credited ?? ''] : []),
  ];
  const describe = ({ own, kind, number }: Movement): string => {
    const { payment, takenBack, credit, refund, feeWaiver } = words.statement;
    const entry = {
      payment: payment(number),
      takenBack: takenBack(number),
      credit: credit(own.plan.product_variant),
      refund,
      feeWaiver,
    }[kind];
    return `${entry} · ${productOf(own, locale)}`;
  };
  const paid = formatMoney(sum('paid'));
  const refunded = formatMoney(sum('refunded'));
  const credited = formatMoney(sum('credited'));
  const compose = (): DocumentContent => ({
    title: words.statement.title(year),
    locale,
    createdAt: dayOf(`${year}-12-31`),
    blocks: [
      { kind: 'lead', text: words.statement.lead(year) },
      termsBlock([
        tenantName === '' ? null : [words.tenant, tenantName],
        [words.columns.paid, paid],
        [words.statement.fees, formatMoney(sum('fee'))],
        [words.columns.refunded, refunded],
        hasCredits ? [words.columns.credited, credited] : null,
      ]),
      { kind: 'heading', text: words.statement.payments },
      ...(movements.length === 0
        ? [{ kind: 'paragraph', text: words.statement.nothing } as const]
        : [
            {
              kind: 'table',
              head: columns(words.columns.day, words.columns.what, [
                words.columns.paid,
                words.columns.refunded,
                words.columns.credited,
              ]),
              rows: movements.map((it) =>
                columns(fullDate(it.on), describe(it), [
                  amount(it.paid),
                  amount(it.refunded),
                  amount(it.credited),
                ]),
              ),
              total: columns(words.columns.total, '', [paid, refunded, credited]),
            } as const,
          ]),
      { kind: 'paragraph', text: words.statement.closing(creditor) },
    ],
  });
  const revision = [movements.length, sum('paid'), sum('refunded'), sum('credited')].join('-');
  return { revision, locale, compose };
}

interface Movement {
  readonly own: OwnPlanOutput;
  readonly at: string;
  readonly on: string;
  readonly kind: 'payment' | 'takenBack' | 'refund' | 'credit' | 'feeWaiver';
  readonly number: number;
  /** In cents; negative for a payment that the bank took back. */
  readonly paid: number;
  readonly refunded: number;
  readonly credited: number;
  /** The part of `paid` that is our fee; negative for a fee that we waived. */
  readonly fee: number;
}

/** Lists a plan's movements. Its history is append-only, and each entry keeps its day and amount. */
function movementsOf(own: OwnPlanOutput): Movement[] {
  // Newest first.
  return [...own.management.history].reverse().flatMap((entry) => movementOf(own, entry));
}

function movementOf(own: OwnPlanOutput, entry: PlanManagement['history'][number]): Movement[] {
  const cents = entry.amount_in_cents ?? 0;
  const { at, on } = entry;
  const emptyMovement = {
    own,
    at,
    on,
    number: entry.number ?? 0,
    paid: 0,
    refunded: 0,
    credited: 0,
    fee: 0,
  };
  // The first payment contains the whole fee.
  const fee = entry.number === 1 ? Math.min(own.plan.fee_in_cents, cents) : 0;
  switch (entry.kind) {
    case 'paid':
      return [{ ...emptyMovement, kind: 'payment', paid: cents, fee }];
    case 'taken_back':
      return [{ ...emptyMovement, kind: 'takenBack', paid: -cents, fee: -fee }];
    case 'refunded':
      return [{ ...emptyMovement, kind: 'refund', refunded: cents }];
    case 'credited':
      return [{ ...emptyMovement, kind: 'credit', credited: cents }];
    case 'fee_waived':
      // The fee is in the first payment, so this pays a part of the rent instead.
      return [{ ...emptyMovement, kind: 'feeWaiver', credited: cents, fee: -cents }];
    default:
      return [];
  }
}
