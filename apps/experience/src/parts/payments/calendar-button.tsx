import { useFlow } from '../../flow/flow.ts';
import { calendarFile } from '../../format/calendar-file.ts';
import { formatMoney } from '../../format/money.ts';
import { isOpen, paymentsOfPlan } from '../../format/payments.ts';
import { saveFile } from '../../frame/save-file.ts';
import { productOfPlan } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { Icon } from '../icons.tsx';

/** Saves the upcoming payments as a calendar file. */
export function CalendarButton() {
  const { words, locale } = useWords();
  const state = useFlow().store.state.value;
  const plan = state?.plan ?? null;
  const management = state?.management ?? null;
  if (state === null || plan === null || management === null) return null;
  const payments = paymentsOfPlan({ plan, management });
  const upcoming = payments.filter((payment) => isOpen(payment) && payment.dueDate > state.today);
  if (upcoming.length === 0) return null;

  function save(): void {
    if (state === null || plan === null || management === null) return;
    const { lender_name, support_email } = state.terms;
    const { name } = productOfPlan({ plan, management }, words);
    const entries = upcoming.map((payment) => ({
      id: payment.id,
      date: payment.dueDate,
      title: words.calendar.title(formatMoney(payment.amountInCents, locale), name),
      description: words.calendar.description(lender_name, support_email),
    }));
    const text = calendarFile(entries, plan.created_at);
    saveFile(words.calendar.fileName, new Blob([text], { type: 'text/calendar' }));
  }

  return (
    <button type="button" class="svc-button svc-button--secondary svc-button--block" onClick={save}>
      <Icon name="calendar" />
      {words.done.calendar}
    </button>
  );
}
