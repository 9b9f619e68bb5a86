import type { PlanManagement } from '@svc/contract';
import type { Paper } from '../../../flow/store.ts';
import { fullDate } from '../../../format/dates.ts';
import { money } from '../../../format/money.ts';
import { ActionRow } from '../../../parts/action-row.tsx';
import { useWords } from '../../../words/use-words.ts';

interface DocumentsProps {
  management: PlanManagement;
  onPaper: (paper: Paper) => void;
}

/** What was agreed to and what was paid, to read and to keep. */
export function Documents({ management, onPaper }: DocumentsProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  return (
    <section class="group">
      <h2 class="subtitle">{copy.documents}</h2>
      <ul class="svc-card svc-card--flush lines">
        <ActionRow
          title={copy.agreement}
          note={copy.agreementNote(fullDate(management.agreement.accepted_at.slice(0, 10), locale))}
          onPress={() => onPaper({ kind: 'agreement' })}
        />
        {management.receipts.map((receipt) => (
          <ActionRow
            key={receipt.id}
            title={copy.receipt(receipt.number)}
            note={copy.receiptNote(
              money(receipt.amount_in_cents, locale),
              fullDate(receipt.paid_on, locale),
            )}
            onPress={() => onPaper({ kind: 'receipt', id: receipt.id })}
          />
        ))}
      </ul>
    </section>
  );
}
