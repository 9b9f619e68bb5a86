import { payFrom } from '../../flow/change-plan.ts';
import { openPanel, useFlow } from '../../flow/flow.ts';
import { openSetup } from '../../flow/submit.ts';
import { dateInWords } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { type Payment, paymentProgress, paymentsOfPlan, sum } from '../../format/payments.ts';
import { Facts } from '../../parts/facts.tsx';
import { Checkbox, FieldError } from '../../parts/field.tsx';
import { Screen } from '../../parts/screen.tsx';
import { capital, methodName } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { MethodFields, useMethod } from '../apply/method/method-fields.tsx';
import { isPayable, type PlanPageProps } from './plan-page.ts';

/** Pays late or early: choose the payments and the payment method. */
export function Pay({ state, plan, management }: PlanPageProps) {
  const flow = useFlow();
  const { store } = flow;
  const { words, locale } = useWords();
  const copy = words.pay;
  const progress = paymentProgress(paymentsOfPlan({ plan, management }));
  const payable = progress.open.filter(({ id }) => isPayable(management, id));
  const selected = store.drafts.value.pay ?? initialSelection(payable);
  const chosen = payable.filter(({ id }) => selected.includes(id));
  const today = sum(chosen);
  const left = management.amounts.left_in_cents - today;
  const currentMethod = management.payment_method;
  const method = useMethod(state, { currentMethod, refusal: management.method_refusal });
  // Hidden until the tenant asks for it, unless the bank has refused the current method.
  const showsMethods =
    store.drafts.value.account.method !== '' || management.method_refusal !== null;

  function select(id: string, on: boolean): void {
    const next = selected.filter((it) => it !== id);
    store.drafts.value = { ...store.drafts.value, pay: on ? [...next, id] : next };
    store.fieldErrors.value = {};
  }
  function send(): void {
    if (method.picksBank) return;
    if (method.page !== null) {
      void openSetup(flow, { type: method.page });
      return;
    }
    if (!method.check()) return;
    if (chosen.length === 0) {
      store.fieldErrors.value = { installment_ids: (it) => it.pay.choose };
      return;
    }
    const ids = chosen.map(({ id }) => id);
    void payFrom(flow, ids, method.input());
  }

  return (
    <Screen
      title={copy.title}
      onBack={() => openPanel(flow, { kind: 'home' })}
      onSubmit={send}
      footer={
        <>
          <p class="cost">{copy.costFree(left === 0 ? '' : money(left, locale))}</p>
          {!method.picksBank && (
            <button type="submit" class="svc-button svc-button--block" aria-busy={store.busy.value}>
              {method.page === null
                ? copy.action(money(today, locale))
                : words.account.page.continue}
            </button>
          )}
        </>
      }
    >
      <fieldset class="options">
        <legend class="svc-field__label">{copy.legend}</legend>
        {payable.map((payment) => (
          <Checkbox
            key={payment.id}
            name={payment.id}
            checked={selected.includes(payment.id)}
            note={dayOf(payment)}
            onValue={(on) => select(payment.id, on)}
          >
            <span class="option__title">{money(payment.amountInCents, locale)}</span>
          </Checkbox>
        ))}
        <FieldError name="installment_ids" />
      </fieldset>
      {showsMethods ? (
        <MethodFields {...method} />
      ) : (
        <div class="svc-card svc-card--flush list">
          <div class="list__row list__row--labeled">
            <div class="list__text">
              <p class="list__label">{words.choice.from}</p>
              <p class="list__value">{capital(methodName(currentMethod, words))}</p>
            </div>
            <button
              type="button"
              class="svc-button svc-button--quiet list__button"
              aria-label={words.choice.changeLabel}
              onClick={() => method.change({ method: 'keep' })}
            >
              {words.choice.change}
            </button>
          </div>
        </div>
      )}
      <Facts
        lines={[
          [copy.todaySum, money(today, locale)],
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

/** The initial selection: all late payments, or else the next one. */
function initialSelection(payable: readonly Payment[]): string[] {
  const late = payable.filter(({ state }) => ['failed', 'overdue'].includes(state));
  return (late.length > 0 ? late : payable.slice(0, 1)).map(({ id }) => id);
}
