import { parseMoney } from '@svc/contract/money';
import { payFrom } from '../../flow/change-plan.ts';
import { openPanel, useFlow } from '../../flow/flow.ts';
import type { FieldErrors } from '../../flow/store.ts';
import { openSetup } from '../../flow/submit.ts';
import { longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import {
  type Payment,
  paymentProgress,
  paymentsOfPlan,
  sumInCents,
} from '../../format/payments.ts';
import { Facts } from '../../parts/facts.tsx';
import { Checkbox, Field, FieldError, unclearAmount } from '../../parts/field.tsx';
import { Option, RadioGroup } from '../../parts/option.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { capital } from '../../words/capital.ts';
import { methodName } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { type ChosenMethod, MethodFields, useMethod } from '../apply/method/method-fields.tsx';
import { type Installment, isPayable, type PlanPageProps } from './plan-page.ts';

/** Pays late or early: choose the payments, how much of a single one, and the account or card. */
export function Pay(props: PlanPageProps) {
  const { state, management } = props;
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.pay;
  const order = useOrder(props);
  const { payable, chosen, part } = order;
  const method = useMethod(state, {
    currentMethod: management.payment_method,
    refusal: management.method_refusal,
  });

  function send(): void {
    if (method.picksBank) return;
    if (method.page !== null) {
      void openSetup(flow, { type: method.page });
      return;
    }
    if (!method.check()) return;
    const problem = problemOf(order, locale);
    if (problem) {
      flow.store.fieldErrors.value = problem;
      return;
    }
    const ids = chosen.map(({ id }) => id);
    void payFrom(flow, ids, method.input(), partInputOf(order));
  }

  return (
    <Screen
      title={copy.title}
      lead={copy.free}
      onBack={() => openPanel(flow, { kind: 'home' })}
      onSubmit={send}
      {...(method.picksBank
        ? {}
        : {
            footer: <SubmitButton>{actionText()}</SubmitButton>,
          })}
    >
      <fieldset class="options">
        <legend class="svc-field__label">{copy.legend}</legend>
        {payable.map((payment) => (
          <Checkbox
            key={payment.id}
            name={payment.id}
            checked={chosen.includes(payment)}
            note={dayOf(payment)}
            onValue={(on) => order.choose(payment.id, on)}
          >
            <span class="option__title">{formatMoney(payment.amountInCents, locale)}</span>
          </Checkbox>
        ))}
        <FieldError name="installment_ids" />
      </fieldset>
      <HowMuch all={sumInCents(chosen)} range={order.range} />
      <PayWith method={method} />
      <Facts lines={[[copy.leftAfter, formatMoney(order.leftInCents, locale)]]} />
    </Screen>
  );

  function actionText(): string {
    if (method.page !== null) return words.account.page.continue;
    return part !== null && part.typed.kind !== 'amount'
      ? copy.actionEmpty
      : copy.action(formatMoney(order.todayInCents, locale));
  }

  function dayOf(payment: Payment): string {
    const day = longDate(payment.dueDate, locale, state.today);
    return payment.dueDate < state.today ? words.wasDue(day) : words.due(day);
  }
}

/** Returns the payments that the tenant has chosen, and the part if only a part of a single one is paid. */
function useOrder({ plan, management }: PlanPageProps) {
  const { store } = useFlow();
  const drafts = store.drafts.value;
  const progress = paymentProgress(paymentsOfPlan({ plan, management }));
  const payable = progress.open.filter(({ id }) => isPayable(management, id));
  const selected = drafts.pay ?? initialSelection(payable);
  const chosen = payable.filter(({ id }) => selected.includes(id));
  const [payment] = chosen;
  /** The smallest and the largest part that can be paid of a single chosen payment. */
  const range =
    (chosen.length === 1 &&
      management.installments.find(({ id }) => id === payment?.id)?.part_payment) ||
    null;
  const part =
    payment && range && drafts.part !== null
      ? { payment, range, typed: parseMoney(drafts.part) }
      : null;
  const partInCents = part?.typed.kind === 'amount' ? part.typed.cents : 0;
  const todayInCents = part === null ? sumInCents(chosen) : partInCents;
  return {
    payable,
    chosen,
    range,
    part,
    todayInCents,
    leftInCents: management.amounts.left_in_cents - todayInCents,
    choose(id: string, on: boolean): void {
      const others = selected.filter((it) => it !== id);
      store.drafts.value = { ...drafts, pay: on ? [...others, id] : others, part: null };
      store.fieldErrors.value = {};
    },
  };
}

type Order = ReturnType<typeof useOrder>;

/** Returns the fields that the tenant has to correct first; null if there are none. */
function problemOf({ chosen, part }: Order, locale: string): FieldErrors | null {
  if (chosen.length === 0) return { installment_ids: (it) => it.pay.choose };
  if (part === null) return null;
  const { typed, range } = part;
  if (typed.kind === 'unclear') return { 'part.amount_in_cents': unclearAmount(typed, locale) };
  const { least_in_cents: least, most_in_cents: most } = range;
  if (typed.kind === 'amount' && typed.cents >= least && typed.cents <= most) return null;
  const limits = [formatMoney(least, locale), formatMoney(most, locale)] as const;
  return { 'part.amount_in_cents': (it) => it.pay.partError(...limits) };
}

function partInputOf({ part, todayInCents }: Order) {
  if (part === null) return undefined;
  return { amount_in_cents: todayInCents, of_in_cents: part.payment.amountInCents };
}

interface HowMuchProps {
  /** The sum of the chosen payments, in cents. */
  all: number;
  /** Null unless a single payment is chosen that can be divided. */
  range: Installment['part_payment'];
}

/** A choice between all of the chosen payments and, for a single one, an amount that the tenant types. */
function HowMuch({ all, range }: HowMuchProps) {
  const { store } = useFlow();
  const { words, locale } = useWords();
  const copy = words.pay;
  const part = range === null ? null : store.drafts.value.part;
  const change = (next: string | null) => {
    store.drafts.value = { ...store.drafts.value, part: next };
    store.fieldErrors.value = {};
  };
  return (
    <>
      <RadioGroup legend={copy.howMuch}>
        <Option
          group="part"
          value="all"
          checked={part === null}
          onChoose={() => change(null)}
          title={copy.inFull(formatMoney(all, locale))}
        />
        <Option
          group="part"
          value="part"
          checked={part !== null}
          onChoose={() => change('')}
          title={copy.part}
          note={copy.partNote}
          disabled={range === null}
        />
      </RadioGroup>
      {part !== null && range !== null && (
        <Field
          name="part.amount_in_cents"
          label={copy.partAmount}
          hint={copy.partRange(
            formatMoney(range.least_in_cents, locale),
            formatMoney(range.most_in_cents, locale),
          )}
          prefix="$"
          input={{
            value: part,
            inputMode: 'decimal',
            autoComplete: 'off',
            enterKeyHint: 'done',
            maxLength: 30,
          }}
          onValue={change}
        />
      )}
    </>
  );
}

/** The account or card, with a button to change it. If the bank has refused it, all choices are shown at once. */
function PayWith({ method }: { method: ChosenMethod }) {
  const { store } = useFlow();
  const { words } = useWords();
  const { currentMethod, refusal } = method;
  const isChanging = store.drafts.value.account.method !== '';
  if (isChanging || refusal !== null || currentMethod === null) return <MethodFields {...method} />;
  return (
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
  );
}

/** Returns the initial selection: all late payments, or else the next one. */
function initialSelection(payable: readonly Payment[]): string[] {
  const late = payable.filter(({ state }) => ['failed', 'overdue'].includes(state));
  return (late.length > 0 ? late : payable.slice(0, 1)).map(({ id }) => id);
}
