import { fullDate, monthAndYear } from '../../../format/dates.ts';
import { formatMoney } from '../../../format/money.ts';
import { receiptDay } from '../../../format/receipt-day.ts';
import { DocumentButtons } from '../../../parts/documents/document-buttons.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { SplitBar } from '../../../parts/payments/split-bar.tsx';
import { Screen } from '../../../parts/screen.tsx';
import { capital } from '../../../words/capital.ts';
import { methodName, payeeOf, productOfPlan } from '../../../words/names.ts';
import { useWords } from '../../../words/use-words.ts';
import type { DocumentPageProps } from '../plan-page.ts';

/** The receipt of one payment. */
export function Receipt({
  state,
  plan,
  management,
  id,
  onBack,
}: DocumentPageProps & { id: string }) {
  const { words, locale } = useWords();
  const copy = words.receipts;
  // The list is sorted newest first, so this is the receipt and the earlier ones.
  const made = management.receipts.slice(management.receipts.findIndex((it) => it.id === id));
  const receipt = made.find((it) => it.id === id);
  if (receipt === undefined) return null;
  const { name } = productOfPlan({ plan, management }, words);
  const what = words.offer.ofMonth(monthAndYear(plan.rent_cycle_date, locale), name);
  const day = receiptDay(management.receipts, receipt, locale);
  const lines = [
    [copy.paid, formatMoney(receipt.amount_in_cents, locale)],
    ...(receipt.returned_in_cents > 0
      ? [[copy.returned, formatMoney(receipt.returned_in_cents, locale)] as const]
      : []),
    [copy.on, fullDate(receipt.paid_on, locale)],
    [copy.from, capital(methodName(receipt.payment_method, words))],
    [copy.forWhat, capital(copy.forText(what, payeeOf(state, words)))],
    [copy.lender, state.terms.lender_name],
    [copy.number, receipt.id],
    [copy.plan, plan.id],
  ] as const;
  return (
    <Screen title={copy.title(day.title)} onBack={onBack}>
      {/* The plan as it was when this payment was made, as in the saved file. */}
      <SplitBar
        segments={plan.installments.map(({ number }) =>
          made.some((it) => it.number === number) ? 'paid' : 'scheduled',
        )}
      />
      <Facts lines={lines} />
      <DocumentButtons
        document={{ kind: 'receipt', id, fileName: `${copy.fileName}-${day.file}` }}
        save={copy.save}
        print={copy.print}
      />
    </Screen>
  );
}
