import { useFlow } from '../../flow/flow.ts';
import { saveDocument } from '../../flow/save-document.ts';
import { isOpen, paymentsOfPlan } from '../../format/payments.ts';
import { useWords } from '../../words/use-words.ts';
import { Icon } from '../icons.tsx';

/** Saves the upcoming payments as a calendar file. */
export function CalendarButton() {
  const { words, locale } = useWords();
  const flow = useFlow();
  const state = flow.store.state.value;
  const plan = state?.plan ?? null;
  const management = state?.management ?? null;
  if (state === null || plan === null || management === null) return null;
  const payments = paymentsOfPlan({ plan, management });
  if (!payments.some((payment) => isOpen(payment) && payment.dueDate > state.today)) return null;
  const { id } = plan;
  const { fileName } = words.calendar;
  return (
    <button
      type="button"
      class="svc-button svc-button--secondary svc-button--block"
      onClick={() => void saveDocument(flow, locale, { kind: 'calendar', id, fileName })}
    >
      <Icon name="calendar" />
      {words.done.calendar}
    </button>
  );
}
