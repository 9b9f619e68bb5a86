import { pay } from '../../flow/change-plan.ts';
import { open, useFlow } from '../../flow/flow.ts';
import { dateInWords } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { type Payment, paymentsOfPlan, progressOf } from '../../format/payments.ts';
import { Facts } from '../../parts/facts.tsx';
import { Checkbox, FieldError } from '../../parts/field.tsx';
import { Screen } from '../../parts/screen.tsx';
import { methodName } from '../../words/method-name.ts';
import { useWords } from '../../words/use-words.ts';
import { isPayable, type RoomProps } from './room.ts';

/** Pay what is late, or early: tick the payments, see what leaves today and what is left. */
export function Pay({ state, plan, management }: RoomProps) {
  const flow = useFlow();
  const { store } = flow;
  const { words, locale } = useWords();
  const copy = words.pay;
  const progress = progressOf(paymentsOfPlan(plan));
  const payable = progress.open.filter(({ id }) => isPayable(management, id));
  const ticked = store.drafts.value.pay ?? firstTicked(payable);
  const chosen = payable.filter(({ id }) => ticked.includes(id));
  const sum = chosen.reduce((total, { amountInCents }) => total + amountInCents, 0);
  const left = progress.leftInCents - sum;

  function tick(id: string, on: boolean): void {
    const next = ticked.filter((it) => it !== id);
    store.drafts.value = { ...store.drafts.value, pay: on ? [...next, id] : next };
    store.fieldErrors.value = {};
  }
  function send(): void {
    if (chosen.length === 0) store.fieldErrors.value = { installment_ids: (it) => it.pay.choose };
    else
      void pay(
        flow,
        chosen.map(({ id }) => id),
      );
  }

  return (
    <Screen
      title={copy.title}
      lead={copy.from(methodName(management.payment_method, words))}
      onBack={() => open(flow, { kind: 'home' })}
      onSubmit={send}
      footer={
        <>
          <p class="cost">{copy.costFree(left === 0 ? '' : money(left, locale))}</p>
          <button type="submit" class="svc-button svc-button--block" aria-busy={store.busy.value}>
            {copy.action(money(sum, locale))}
          </button>
        </>
      }
    >
      <fieldset class="options">
        <legend class="svc-field__label">{copy.legend}</legend>
        {payable.map((payment) => (
          <Checkbox
            key={payment.id}
            name={payment.id}
            checked={ticked.includes(payment.id)}
            note={dayOf(payment)}
            onValue={(on) => tick(payment.id, on)}
          >
            <span class="option__title">{money(payment.amountInCents, locale)}</span>
          </Checkbox>
        ))}
        <FieldError name="installment_ids" />
      </fieldset>
      <Facts
        lines={[
          [copy.todaySum, money(sum, locale)],
          [copy.leftAfter, money(left, locale)],
        ]}
      />
    </Screen>
  );

  function dayOf(payment: Payment): string {
    const day = dateInWords(payment.dueDate, locale, state.today);
    return payment.dueDate < state.today ? copy.late(day) : copy.due(day);
  }
}

/** What is late; with nothing late the payment that comes next. */
function firstTicked(payable: readonly Payment[]): string[] {
  const late = payable.filter(({ state }) => ['failed', 'overdue'].includes(state));
  return (late.length > 0 ? late : payable.slice(0, 1)).map(({ id }) => id);
}
