import { dateInWords, listOfDays } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { type DatedEntry, datedHistory, dayName, historyLines } from '../../format/plan-dates.ts';
import { bankReason, payeeOf } from '../../words/names.ts';
import { type Language, useWords } from '../../words/use-words.ts';
import type { PlanPageProps } from './plan-page.ts';

/** Everything that happened to the plan, newest first: date, sentence and amount. */
export function History({ state, plan, management }: PlanPageProps) {
  const language = useWords();
  const { locale, words } = language;
  const installments = plan.installments.map(({ number, due_date }) => {
    const amounts = management.amounts.installments.find((it) => it.number === number);
    return { number, due_date, left_in_cents: amounts?.left_in_cents ?? 0 };
  });
  return (
    <section class="group">
      <h2 class="subtitle">{words.history.title}</h2>
      <ul class="svc-card svc-card--flush list activity">
        {historyLines(datedHistory(management.history, installments)).map((entry) => {
          const amount = amountOf(entry, plan.total_of_payments_in_cents);
          const { attempts } = entry;
          return (
            <li
              key={`${entry.at} ${entry.kind} ${entry.number} ${entry.amount_in_cents}`}
              class="activity__entry"
            >
              <span class="activity__text">{inWords(entry, state, language)}</span>
              {amount !== null && (
                <span class="activity__amount">{formatMoney(Math.abs(amount), locale)}</span>
              )}
              <span class="activity__date">
                {attempts.length > 1
                  ? words.history.tried(attempts.length, listOfDays(attempts, locale))
                  : dateInWords(entry.on, locale, state.today)}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Returns the amount at the end of the line. Changes of the portal's balance have it in their sentence. */
function amountOf({ kind, amount_in_cents }: DatedEntry, agreedInCents: number): number | null {
  switch (kind) {
    case 'accepted':
      return agreedInCents;
    case 'paid':
    case 'taken_back':
    case 'refunded':
    case 'credited':
    case 'fee_waived':
    case 'charged_off':
      return amount_in_cents;
    default:
      return null;
  }
}

function inWords(
  entry: DatedEntry,
  state: PlanPageProps['state'],
  { words, locale }: Language,
): string {
  const copy = words.history;
  const { kind, dueOn, to } = entry;
  const day = (date: string | null) => (date === null ? '' : dayName(date, locale, state.today));
  const payment = words.manage.payment(day(dueOn));
  const why = bankReason(entry.return_code ?? '', words);
  switch (kind) {
    case 'paid':
      return entry.isPart ? copy.partPaid(payment) : copy.paid(payment);
    case 'failed':
    case 'taken_back':
      return copy[kind](payment, why);
    case 'rescheduled':
      return copy.rescheduled(payment, day(to));
    case 'credited':
      return copy.credited(payeeOf(state, words));
    case 'charge_changed': {
      const change = entry.amount_in_cents ?? 0;
      const amount = formatMoney(Math.abs(change), locale);
      return change > 0 ? copy.chargeUp(amount) : copy.chargeDown(amount);
    }
    default:
      return copy[kind];
  }
}
