import { open, useFlow } from '../../flow/flow.ts';
import { fullDate } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { ActionRow } from '../../parts/action-row.tsx';
import { useWords } from '../../words/use-words.ts';
import type { RoomProps } from './manage.tsx';

/** What was agreed to and what was paid, to read and to keep; and the plans before. */
export function Documents({ state, plan, management }: RoomProps) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.manage;
  const past = state.past_plans.filter(({ id }) => id !== plan.id);
  return (
    <>
      <section class="group">
        <h2 class="subtitle">{copy.documents}</h2>
        <ul class="svc-card svc-card--flush lines">
          <ActionRow
            title={copy.agreement}
            note={copy.agreementNote(
              fullDate(management.agreement.accepted_at.slice(0, 10), locale),
            )}
            onPress={() => open(flow, { kind: 'agreement' })}
          />
          {management.receipts.map((receipt) => (
            <ActionRow
              key={receipt.id}
              title={copy.receipt(receipt.number)}
              note={copy.receiptNote(
                money(receipt.amount_in_cents, locale),
                fullDate(receipt.paid_on, locale),
              )}
              onPress={() => open(flow, { kind: 'receipt', id: receipt.id })}
            />
          ))}
        </ul>
      </section>
      {past.length > 0 && (
        <section class="group">
          <h2 class="subtitle">{copy.past}</h2>
          <ul class="svc-card svc-card--flush lines">
            {past.map((it) => (
              <li key={it.id} class="lines__line">
                <span class="lines__term">
                  {fullDate(it.rent_cycle_date, locale)}
                  <span class="lines__note">
                    {copy.pastNote(it.installment_count, copy.pastStates[it.state])}
                  </span>
                </span>
                <span class="lines__value">{money(it.total_of_payments_in_cents, locale)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
