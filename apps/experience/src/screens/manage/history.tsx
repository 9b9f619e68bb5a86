import type { PlanManagement } from '@svc/contract';
import { fullDate } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { bankReason } from '../../words/names.ts';
import { type Language, useWords } from '../../words/use-words.ts';
import type { Plan } from './plan-page.ts';

type Entry = PlanManagement['history'][number];

/** The history of the plan, newest first. */
export function History({ management, plan }: { management: PlanManagement; plan: Plan }) {
  const language = useWords();
  return (
    <section class="group">
      <h2 class="subtitle">{language.words.history.title}</h2>
      <ul class="svc-card svc-card--flush list">
        {management.history.map((entry) => (
          <li
            key={`${entry.at} ${entry.kind} ${entry.number}`}
            class="list__row list__row--stacked"
          >
            <span>{inWords(entry, plan, language)}</span>
            <span class="list__note">{fullDate(entry.on, language.locale)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function inWords(entry: Entry, plan: Plan, { words, locale }: Language): string {
  const copy = words.history;
  const number = entry.number ?? 0;
  const amount = money(Math.abs(entry.amount_in_cents ?? 0), locale);
  const day = (date: string | null) => (date === null ? '' : fullDate(date, locale));
  switch (entry.kind) {
    case 'accepted':
      return copy.accepted(money(plan.total_of_payments_in_cents, locale));
    case 'paid':
      return copy.paid(number, amount);
    case 'failed':
      return copy.failed(number, bankReason(entry.return_code ?? '', words));
    case 'taken_back':
      return copy.taken_back(number, bankReason(entry.return_code ?? '', words));
    case 'rescheduled':
      return copy.rescheduled(number, day(entry.from), day(entry.to));
    case 'refunded':
    case 'credited':
      return copy[entry.kind](amount);
    case 'charge_changed':
      return (entry.amount_in_cents ?? 0) > 0 ? copy.chargeUp(amount) : copy.chargeDown(amount);
    default:
      return copy[entry.kind];
  }
}
