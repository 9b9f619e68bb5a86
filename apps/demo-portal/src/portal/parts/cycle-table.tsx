import type { Cycle, LedgerEntry } from '../../../backend/answers.ts';
import { usd, useWords } from '../../words/use-words.ts';

/** A month's charges, payments, and balance. */
export function CycleTable({ cycle }: { cycle: Cycle }) {
  const { translate, shortDay } = useWords();
  const { balance_in_cents: balance, due_date } = cycle;
  return (
    <table className="svc-table ledger">
      <caption className="svc-visually-hidden">
        {translate('Charges and payments for {day}', { day: shortDay(due_date) })}
      </caption>
      <thead className="svc-visually-hidden">
        <tr>
          <th scope="col">{translate('When')}</th>
          <th scope="col">{translate('What')}</th>
          <th scope="col">{translate('Amount')}</th>
        </tr>
      </thead>
      <tbody>
        {cycle.entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {translate('Balance')}
          </th>
          <td className="svc-table__number">{usd(balance)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Row({ entry }: { entry: LedgerEntry }) {
  const { shortDay, translateData } = useWords();
  const isPayment = entry.kind === 'payment';
  return (
    <tr data-kind={entry.settlement_id ? 'settlement' : entry.kind}>
      <td className="ledger__date">{shortDay(entry.date)}</td>
      <td>
        {translateData(entry.description)}
        {entry.settlement_id ? <code className="ledger__id">{entry.settlement_id}</code> : null}
      </td>
      <td className="svc-table__number">
        {isPayment ? `−${usd(-entry.amount_in_cents)}` : usd(entry.amount_in_cents)}
      </td>
    </tr>
  );
}

/** A badge that says whether a month is due, paid, or paid by Svc. */
export function CycleBadge({ cycle }: { cycle: Cycle }) {
  const { translate } = useWords();
  if (cycle.balance_in_cents > 0) {
    return <span className="svc-badge svc-tone-warn">{translate('Due')}</span>;
  }
  const bySvc = cycle.entries.some(({ settlement_id }) => settlement_id !== null);
  return (
    <span className="svc-badge svc-tone-good">{translate(bySvc ? 'Paid by Svc' : 'Paid')}</span>
  );
}
