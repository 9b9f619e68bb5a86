import { dateInWords, shortDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import type { Payment } from '../../format/payments.ts';
import { capital } from '../../words/capital.ts';
import { useWords } from '../../words/use-words.ts';

interface ScheduleProps {
  payments: readonly Payment[];
  today: string;
  /** Marks the payment that comes next. */
  nextId?: string | null;
  label: string;
}

/** A timeline of payments: date, amount and status of each. */
export function Schedule({ payments, today, nextId = null, label }: ScheduleProps) {
  return (
    <ol class="svc-schedule" aria-label={label}>
      {payments.map((payment) => (
        <Item key={payment.number} payment={payment} today={today} isNext={nextId === payment.id} />
      ))}
    </ol>
  );
}

interface ItemProps {
  payment: Payment;
  today: string;
  isNext: boolean;
}

function Item({ payment, today, isNext }: ItemProps) {
  const { words, locale } = useWords();
  const { dueDate } = payment;
  const state = isNext && payment.state === 'scheduled' ? 'next' : payment.state;
  return (
    <li class="svc-schedule__item" data-state={state}>
      <span class="svc-schedule__when">
        {dueDate === today
          ? `${words.today}, ${shortDate(dueDate, locale)}`
          : capital(dateInWords(dueDate, locale, today))}
      </span>
      <span class="svc-schedule__amount">{formatMoney(payment.amountInCents, locale)}</span>
      {notesOf(payment).map((note) => (
        <span key={note} class="svc-schedule__note">
          {note}
        </span>
      ))}
    </li>
  );

  /** Returns the payment's status, then what is left after it. */
  function notesOf(payment: Payment): string[] {
    const { feeInCents, amountInCents, creditedInCents, leftInCents, state } = payment;
    const { partlyPaidInCents } = payment;
    const isCredited = state === 'canceled' && amountInCents === 0;
    const parts: string[] = [];
    if (!isCredited && words.paymentState[state] !== '') parts.push(words.paymentState[state]);
    if (partlyPaidInCents > 0) parts.push(words.partlyPaid(formatMoney(partlyPaidInCents, locale)));
    if (creditedInCents > 0) parts.push(words.credited(formatMoney(creditedInCents, locale)));
    if (feeInCents > 0) {
      const part = formatMoney(amountInCents - feeInCents, locale);
      parts.push(words.firstAndFee(part, formatMoney(feeInCents, locale)));
    }
    const before = originallyOf(payment);
    const status = capital(parts.join(' · '));
    if (leftInCents === null) return [status, ...before].filter((note) => note !== '');
    const left =
      leftInCents === 0 ? words.nothingLeft : words.left(formatMoney(leftInCents, locale));
    const all = feeInCents > 0 ? [status, left] : [capital([...parts, left].join(' · '))];
    return [...all, ...before];
  }

  /** Returns the agreed amount and day, if they have changed. If all of it was credited, the credit is the amount. */
  function originallyOf({ originally, creditedInCents }: Payment): string[] {
    const { amountInCents = null, dueDate = null } = originally ?? {};
    const hidesAmount = amountInCents === null || amountInCents === creditedInCents;
    const was = [
      ...(hidesAmount ? [] : [formatMoney(amountInCents, locale)]),
      ...(dueDate === null ? [] : [dateInWords(dueDate, locale, today)]),
    ];
    return was.length === 0 ? [] : [words.manage.originally(was.join(' · '))];
  }
}
