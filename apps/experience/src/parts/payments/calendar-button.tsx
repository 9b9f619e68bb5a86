import { useFlow } from '../../flow/flow.ts';
import { calendarFile } from '../../format/calendar-file.ts';
import { money } from '../../format/money.ts';
import { paymentsOfPlan } from '../../format/payments.ts';
import { useWords } from '../../words/use-words.ts';
import { Icon } from '../icons.tsx';

/** Saves the payments still to come as a calendar file, made here in the browser. */
export function CalendarButton() {
  const { words, locale } = useWords();
  const state = useFlow().store.state.value;
  const plan = state?.plan ?? null;
  if (state === null || plan === null) return null;
  const payments = paymentsOfPlan(plan);
  const open = payments.filter(({ state: it }) => !['paid', 'canceled'].includes(it));
  const coming = open.filter(({ dueDate }) => dueDate > state.today);
  if (coming.length === 0) return null;

  function save(): void {
    if (state === null || plan === null) return;
    const { lender_name, support_email } = state.terms;
    const { name } = words.product[state.tenant.product_variant];
    const entries = coming.map((payment) => ({
      id: payment.id,
      date: payment.dueDate,
      title: words.calendar.title(
        payment.number,
        payments.length,
        money(payment.amountInCents, locale),
        name,
      ),
      description: words.calendar.description(lender_name, support_email),
    }));
    const file = new Blob([calendarFile(entries, plan.created_at)], { type: 'text/calendar' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = words.calendar.file;
    link.click();
    // Chromium reads the file after the click has returned; a minute is ample.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  return (
    <button type="button" class="svc-button svc-button--secondary svc-button--block" onClick={save}>
      <Icon name="calendar" />
      {words.done.calendar}
    </button>
  );
}
