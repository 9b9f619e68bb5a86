import { cardBrands, type Locale, type OwnPlanOutput } from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import { formatMoney, formatsOf } from '../../words/formats.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { BarState, DocumentContent, FoundDocument } from './document-content.ts';
import { dayOf, productOf, termsBlock } from './plan-facts.ts';

interface ReceiptInput {
  readonly own: OwnPlanOutput;
  readonly paymentId: string;
  readonly tenantName: string;
  /** The property's name; null if the portal has not named it. */
  readonly payee: string | null;
  readonly creditor: Creditor;
  readonly locale: Locale;
  /** True if `own` lacks the account's digits, as in a session from a mail's link. */
  readonly hidesAccount: boolean;
}

/** Returns a payment's receipt; undefined if the bank has taken all of it back, or the plan has no such payment. */
export function receiptDocument(input: ReceiptInput): FoundDocument | undefined {
  const { own, locale, creditor, tenantName } = input;
  const { plan, management } = own;
  const receipt = management.receipts.find(({ id }) => id === input.paymentId);
  if (receipt === undefined) return undefined;
  const { amount_in_cents: amount, returned_in_cents: returned, payment_method: method } = receipt;
  const { account, documents: words } = wordsByLocale[locale];
  const { fullDate } = formatsOf(locale);
  const { brand, last4 } = method;
  const from = account({ brand: brand && cardBrands[brand], last4 });
  const compose = (): DocumentContent => ({
    title: words.receipt.title(fullDate(receipt.paid_on)),
    locale,
    createdAt: dayOf(receipt.paid_on),
    blocks: [
      {
        kind: 'bar',
        segments: segmentsOf(own, receipt),
        alt: words.receipt.bar(receipt.number, plan.installments.length),
      },
      termsBlock([
        [words.receipt.paid, formatMoney(amount)],
        returned > 0 ? [words.receipt.returned, formatMoney(returned)] : null,
        [words.receipt.on, fullDate(receipt.paid_on)],
        [words.receipt.from, capitalize(from)],
        tenantName === '' ? null : [words.tenant, tenantName],
        [
          words.receipt.forWhat,
          capitalize(
            words.receipt.forText(productOf(own, locale), input.payee, plan.product_variant),
          ),
        ],
        [words.receipt.lender, creditor.name],
        [words.receipt.number, receipt.id],
        [words.planNumber, plan.id],
      ]),
    ],
  });
  const revision = `${amount}-${returned}${input.hidesAccount ? '-hidden' : ''}`;
  return { revision, locale, compose };
}

type Receipt = OwnPlanOutput['management']['receipts'][number];

/** Returns the plan's payments as they were when this one was made. */
function segmentsOf({ management }: OwnPlanOutput, { id, number }: Receipt) {
  const { receipts, amounts } = management;
  // Newest first.
  const earlier = receipts.slice(receipts.findIndex((it) => it.id === id) + 1);
  const stateOf = (each: number): BarState => {
    if (each === number) return 'now';
    return earlier.some((it) => it.number === each) ? 'paid' : 'open';
  };
  return amounts.installments.map((it) => ({
    share: it.agreed_in_cents,
    state: stateOf(it.number),
  }));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
