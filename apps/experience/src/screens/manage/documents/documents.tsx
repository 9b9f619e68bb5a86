import type { PlanManagement } from '@svc/contract';
import type { PlanDocument } from '../../../flow/store.ts';
import { fullDate } from '../../../format/dates.ts';
import { formatMoney } from '../../../format/money.ts';
import { signedOn } from '../../../format/plan-dates.ts';
import { receiptDay } from '../../../format/receipt-day.ts';
import { ActionRow } from '../../../parts/action-row.tsx';
import { methodName } from '../../../words/names.ts';
import { useWords } from '../../../words/use-words.ts';

interface DocumentsProps {
  management: PlanManagement;
  onDocument: (document: PlanDocument) => void;
}

/** The list of the plan's agreement and receipts. */
export function Documents({ management, onDocument }: DocumentsProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  return (
    <section class="group">
      <h2 class="subtitle">{copy.documents}</h2>
      <ul class="svc-card svc-card--flush list">
        <ActionRow
          title={copy.agreement}
          note={copy.agreementNote(fullDate(signedOn(management), locale))}
          onPress={() => onDocument({ kind: 'agreement' })}
        />
        {management.receipts.map((receipt) => (
          <ActionRow
            key={receipt.id}
            title={copy.receipt(receiptDay(management.receipts, receipt, locale).title)}
            note={copy.receiptNote(
              formatMoney(receipt.amount_in_cents, locale),
              methodName(receipt.payment_method, words),
            )}
            onPress={() => onDocument({ kind: 'receipt', id: receipt.id })}
          />
        ))}
      </ul>
    </section>
  );
}
