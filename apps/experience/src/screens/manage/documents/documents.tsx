import type { PlanManagement } from '@svc/contract';
import { useFlow } from '../../../flow/flow.ts';
import { saveDocument } from '../../../flow/save-document.ts';
import type { PlanDocument } from '../../../flow/store.ts';
import { fullDate } from '../../../format/dates.ts';
import { formatMoney } from '../../../format/money.ts';
import { signedOn } from '../../../format/plan-dates.ts';
import { receiptDay } from '../../../format/receipt-day.ts';
import { ActionRow } from '../../../parts/action-row.tsx';
import { methodName } from '../../../words/names.ts';
import { useWords } from '../../../words/use-words.ts';
import type { PlanPageProps } from '../plan-page.ts';

interface DocumentsProps extends PlanPageProps {
  onDocument: (document: PlanDocument) => void;
}

/** The list of the plan's agreement, receipts and statements. */
export function Documents({ state, management, onDocument }: DocumentsProps) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.manage;
  const { history } = management;
  // The current year has no statement yet.
  const years = [...new Set(history.filter(isPayment).map(({ on }) => on.slice(0, 4)))].filter(
    (year) => year < state.today.slice(0, 4),
  );
  // A session from an email link may read receipts only.
  const mayRead = state.mail_access === null;
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
        {mayRead &&
          years.map((year) => (
            <ActionRow
              key={year}
              title={copy.statement(year)}
              note={copy.statementNote}
              icon="download"
              onPress={() =>
                void saveDocument(flow, locale, {
                  kind: 'statement',
                  id: year,
                  fileName: `${copy.statementFile}-${year}`,
                })
              }
            />
          ))}
      </ul>
    </section>
  );
}

/** Returns whether the entry is in the statement of its year. */
function isPayment({ kind }: PlanManagement['history'][number]): boolean {
  return ['paid', 'taken_back', 'refunded', 'credited', 'fee_waived'].includes(kind);
}
