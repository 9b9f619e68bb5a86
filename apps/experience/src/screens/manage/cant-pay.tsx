import { openPanel, openPlanPage, useFlow } from '../../flow/flow.ts';
import { longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { dayName } from '../../format/plan-dates.ts';
import { ActionRow } from '../../parts/action-row.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Language, useWords } from '../../words/use-words.ts';
import { type PlanPageProps, paymentInQuestion } from './plan-page.ts';

/** For a tenant who can't make a payment: the options within the program's terms, and what happens without one. */
export function CantPay(props: PlanPageProps) {
  const { state, plan } = props;
  const flow = useFlow();
  const language = useWords();
  const { words, locale } = language;
  const copy = words.cantPay;
  const asked = paymentInQuestion(props);
  if (asked === null) return null;
  const { payment, part } = asked;
  const amount = (cents: number) => formatMoney(cents, locale);
  const name = words.manage.payment(dayName(payment.dueDate, locale, state.today));
  const lastDay = part.reschedule_days.at(-1);
  const { support_email } = state.terms;
  const subject = encodeURIComponent(copy.askSubject(plan.id));
  return (
    <Screen
      title={copy.title}
      lead={copy.lead(name, amount(payment.amountInCents))}
      onBack={() => openPanel(flow, { kind: 'home' })}
    >
      <section class="group">
        <h2 class="subtitle">{copy.what}</h2>
        <ul class="svc-card svc-card--flush list">
          {lastDay !== undefined && (
            <ActionRow
              title={copy.move}
              note={copy.moveNote(longDate(lastDay, locale, state.today))}
              onPress={() =>
                openPlanPage(flow, 'move', { move: { id: payment.id, day: '', reason: '' } })
              }
            />
          )}
          {part.part_payment !== null && (
            <ActionRow
              title={copy.part}
              note={copy.partNote(
                amount(part.part_payment.least_in_cents),
                amount(part.part_payment.most_in_cents),
              )}
              onPress={() => openPlanPage(flow, 'pay', { pay: [payment.id], part: '' })}
            />
          )}
          <li class="action-row">
            <a class="action-row__button" href={`mailto:${support_email}?subject=${subject}`}>
              <span class="action-row__text">
                <span class="action-row__title">{copy.ask}</span>{' '}
                <span class="action-row__note">{support_email}</span>
              </span>
              <Icon name="next" />
            </a>
          </li>
        </ul>
      </section>
      <section class="group">
        <h2 class="subtitle">{copy.nothing}</h2>
        <ul class="bullets">
          {consequencesOf(props, asked, language).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </section>
    </Screen>
  );
}

/** Lists the consequences of not paying, in chronological order. */
function consequencesOf(
  { state, plan, management }: PlanPageProps,
  { payment, part }: NonNullable<ReturnType<typeof paymentInQuestion>>,
  { words, locale }: Language,
): string[] {
  const copy = words.cantPay;
  const { retries, past_due_after_days, charge_off_after_days } = state.terms;
  const isUsable = management.autopay && management.method_refusal?.is_final !== true;
  const day = (date: string) => longDate(date, locale, state.today);
  const first = () => {
    if (!isUsable) return copy.stays;
    if (payment.state === 'scheduled') {
      const taken = copy.autopay(day(payment.dueDate));
      return retries === 0 ? taken : `${taken} ${copy.again(retries)}`;
    }
    return part.next_attempt_on === null ? copy.stays : copy.retry(day(part.next_attempt_on));
  };
  return [
    first(),
    copy.free,
    plan.state === 'past_due' ? words.manage.pastDueText : copy.pastDue(past_due_after_days),
    copy.closed(charge_off_after_days),
  ];
}
