import { type RescheduleReason, rescheduleReasons } from '@svc/contract/vocabulary';
import { reschedule } from '../../flow/change-plan.ts';
import type { MoveDraft } from '../../flow/drafts.ts';
import { openPanel, useFlow } from '../../flow/flow.ts';
import type { FieldErrors } from '../../flow/store.ts';
import { dateInWords, longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { type Payment, paymentsOfPlan, withRemaining } from '../../format/payments.ts';
import { FieldError } from '../../parts/field.tsx';
import { Option, RadioGroup } from '../../parts/option.tsx';
import { Schedule } from '../../parts/payments/schedule.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { capital } from '../../words/capital.ts';
import { payeeOf, productOfPlan } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import type { PlanPageProps } from './plan-page.ts';

/** Moves one payment: which one, to what day, and why. The schedule previews the result. */
export function Move({ state, plan, management }: PlanPageProps) {
  const flow = useFlow();
  const { store } = flow;
  const { words, locale } = useWords();
  const copy = words.move;
  const payments = paymentsOfPlan({ plan, management });
  const movable = management.installments.filter((part) => part.reschedule_days.length > 0);
  const draft = store.drafts.value.move;
  const part = movable.find(({ id }) => id === draft.id) ?? movable[0];
  const days = part?.reschedule_days ?? [];
  const day = days.includes(draft.day) ? draft.day : null;
  const inWords = (date: string) => longDate(date, locale, state.today);
  const moved = payments.find(({ id }) => id === part?.id);
  const change = (to: Partial<MoveDraft>) => {
    store.drafts.value = { ...store.drafts.value, move: { ...draft, ...to } };
    store.fieldErrors.value = {};
  };

  function send(): void {
    const errors: FieldErrors = {};
    if (day === null) errors.due_date = (it) => it.move.chooseDay;
    store.fieldErrors.value = errors;
    if (day === null || moved === undefined) return;
    const move = { installmentId: moved.id, dueDate: day, reason: draft.reason || null };
    void reschedule(flow, move, moved.amountInCents);
  }

  return (
    <Screen
      title={copy.title}
      onBack={() => openPanel(flow, { kind: 'home' })}
      onSubmit={send}
      lead={copy.cost(formatMoney(management.amounts.left_in_cents, locale))}
      footer={
        <SubmitButton>{day === null ? copy.actionEmpty : copy.action(inWords(day))}</SubmitButton>
      }
    >
      <Payments
        payments={payments.filter((it) => movable.some(({ id }) => id === it.id))}
        today={state.today}
        chosen={part?.id ?? null}
        onChoose={(id) => change({ id, day: '' })}
      />
      <Days
        days={days}
        next={productOfPlan({ plan, management }, words).next}
        today={state.today}
        chosen={day}
        onChoose={(date) => change({ day: date })}
      />
      <Reasons
        payee={payeeOf(state, words)}
        chosen={draft.reason}
        onChoose={(reason) => change({ reason })}
      />
      <UpdatedSchedule payments={payments} id={part?.id ?? null} day={day} today={state.today} />
    </Screen>
  );
}

interface UpdatedScheduleProps {
  payments: readonly Payment[];
  id: string | null;
  day: string | null;
  today: string;
}

/** The schedule with the payment on its new day. */
function UpdatedSchedule({ payments, id, day, today }: UpdatedScheduleProps) {
  const { words } = useWords();
  const moved = payments.map((it) => (it.id === id && day !== null ? { ...it, dueDate: day } : it));
  const label = words.manage.schedule;
  return (
    <section class="group">
      <h2 class="subtitle">{label}</h2>
      <div class="svc-card">
        <Schedule payments={withRemaining(moved)} today={today} nextId={id} label={label} />
      </div>
    </section>
  );
}

interface ChoiceProps {
  today: string;
  chosen: string | null;
  onChoose: (value: string) => void;
}

function Payments(props: ChoiceProps & { payments: readonly Payment[] }) {
  const { payments, today, chosen, onChoose } = props;
  const { words, locale } = useWords();
  return (
    <RadioGroup legend={words.move.which}>
      {payments.map((it) => (
        <Option
          key={it.id}
          group="installment_id"
          value={it.id}
          checked={it.id === chosen}
          onChoose={() => onChoose(it.id)}
          title={formatMoney(it.amountInCents, locale)}
          note={words.due(longDate(it.dueDate, locale, today))}
        />
      ))}
    </RadioGroup>
  );
}

interface DaysProps extends ChoiceProps {
  days: readonly string[];
  /** "your next rent" */
  next: string;
}

function Days({ days, next, today, chosen, onChoose }: DaysProps) {
  const { words, locale } = useWords();
  return (
    <RadioGroup
      legend={words.move.day}
      layout="options--days"
      describedBy="due_date-hint due_date-error"
    >
      <p class="svc-field__hint options__hint" id="due_date-hint">
        {words.move.daysHint(next)}
      </p>
      {days.map((date) => (
        <Option
          key={date}
          group="due_date"
          value={date}
          checked={date === chosen}
          onChoose={() => onChoose(date)}
          title={capital(dateInWords(date, locale, today))}
          tile
        />
      ))}
      <FieldError name="due_date" />
    </RadioGroup>
  );
}

interface ReasonsProps {
  payee: string;
  chosen: string;
  onChoose: (reason: RescheduleReason) => void;
}

function Reasons({ payee, chosen, onChoose }: ReasonsProps) {
  const copy = useWords().words.move;
  return (
    <RadioGroup legend={copy.why} describedBy="reason-hint" isOptional>
      <p class="svc-field__hint options__hint" id="reason-hint">
        {copy.whyNote(payee)}
      </p>
      {rescheduleReasons.map((reason) => (
        <Option
          key={reason}
          group="reason"
          value={reason}
          checked={chosen === reason}
          onChoose={() => onChoose(reason)}
          title={copy.reasons[reason]}
        />
      ))}
    </RadioGroup>
  );
}
