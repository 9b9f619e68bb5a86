import { dateInWords } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import type { Payment } from '../../format/payments.ts';
import { useWords } from '../../words/use-words.ts';

interface ScheduleProps {
  payments: readonly Payment[];
  today: string;
  /** Marks the payment that comes next. */
  nextId?: string | null;
  label: string;
}

/** The rail: when, how much and, in words, what became of each payment. */
export function Schedule({ payments, today, nextId = null, label }: ScheduleProps) {
  return (
    <ol class="svc-schedule" aria-label={label}>
      {payments.map((payment) => (
        <Item key={payment.number} payment={payment} today={today} isNext={nextId === payment.id} />
      ))}
    </ol>
  );
}

function Item(props: { payment: Payment; today: string; isNext: boolean }) {
  const { payment, today, isNext } = props;
  const { words, locale } = useWords();
  const day = dateInWords(payment.dueDate, locale, today);
  const note = noteOf(payment);
  const state = isNext && payment.state === 'scheduled' ? 'next' : payment.state;
  return (
    <li class="svc-schedule__item" data-state={state}>
      <span class="svc-schedule__when">
        {payment.dueDate === today ? `${words.today}, ${day}` : day}
      </span>
      <span class="svc-schedule__amount">{money(payment.amountInCents, locale)}</span>
      {note !== '' && <span class="svc-schedule__note">{note}</span>}
    </li>
  );

  function noteOf({ feeInCents, amountInCents, leftInCents, state }: Payment): string {
    const parts: string[] = [];
    if (words.paymentState[state] !== '') parts.push(words.paymentState[state]);
    if (feeInCents > 0) {
      const part = money(amountInCents - feeInCents, locale);
      parts.push(words.firstAndFee(part, money(feeInCents, locale)));
    }
    if (leftInCents === 0) parts.push(words.nothingLeft);
    else if (leftInCents !== null) parts.push(words.left(money(leftInCents, locale)));
    return parts.join(' · ');
  }
}
