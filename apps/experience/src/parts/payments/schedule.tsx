import { dateInWords } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import type { Payment } from '../../format/payments.ts';
import { capital } from '../../words/payee.ts';
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
  const state = isNext && payment.state === 'scheduled' ? 'next' : payment.state;
  return (
    <li class="svc-schedule__item" data-state={state}>
      <span class="svc-schedule__when">
        {payment.dueDate === today ? `${words.today}, ${day}` : capital(day)}
      </span>
      <span class="svc-schedule__amount">{money(payment.amountInCents, locale)}</span>
      {notesOf(payment).map((note) => (
        <span key={note} class="svc-schedule__note">
          {note}
        </span>
      ))}
    </li>
  );

  /** What it is, then what is left: a line each. */
  function notesOf({ feeInCents, amountInCents, leftInCents, state }: Payment): string[] {
    const parts: string[] = [];
    if (words.paymentState[state] !== '') parts.push(words.paymentState[state]);
    if (feeInCents > 0) {
      const part = money(amountInCents - feeInCents, locale);
      parts.push(words.firstAndFee(part, money(feeInCents, locale)));
    }
    const what = parts.join(' · ');
    if (leftInCents === null) return [what];
    const left = leftInCents === 0 ? words.nothingLeft : words.left(money(leftInCents, locale));
    return feeInCents > 0 ? [what, left] : [[...parts, left].join(' · ')];
  }
}
