import type { ExperienceState } from '@svc/contract';
import { closeExperience, goToStep, useFlow } from '../flow/flow.ts';
import { dateInWords, dayOfMidnight, longDate } from '../format/dates.ts';
import { formatMoney } from '../format/money.ts';
import { Facts } from '../parts/facts.tsx';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { capital } from '../words/capital.ts';
import type { Words } from '../words/en.ts';
import { chargeName, productOf } from '../words/names.ts';
import { useWords } from '../words/use-words.ts';
import { PastPlans } from './manage/documents/past-plans.tsx';

/** Explains why the tenant can't split now and lists the amounts, the next steps, the deadline and a contact. */
export function Blocked({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words } = useWords();
  const reason = reasonOf(state);
  const { home_state } = state.tenant;
  const { title, text } = textsOf(state, words);
  const facts = useFacts(state);
  const advice = [...useSteps(state), useContact(state)].filter((line) => line !== '');
  return (
    <Screen
      title={
        home_state !== null && stateReasons.includes(reason)
          ? words.blocked.notIn(home_state)
          : title
      }
      lead={text}
      emblem={<Emblem name="pause" tone="plain" />}
      footer={
        <div class="actions">
          <button
            type="button"
            class={`svc-button svc-button--block${state.plan === null ? '' : ' svc-button--secondary'}`}
            onClick={() => closeExperience(flow)}
          >
            {words.backToPortal(state.tenant.product_variant)}
          </button>
          {state.plan !== null && (
            <button
              type="button"
              class="svc-button svc-button--block"
              onClick={() => goToStep(flow, 'manage')}
            >
              {words.blocked.seePlan}
            </button>
          )}
        </div>
      }
    >
      {facts.length > 0 && <Facts lines={facts} />}
      <section class="svc-card group">
        <h2 class="subtitle">{words.blocked.what}</h2>
        {advice.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </section>
      <PastPlans state={state} />
    </Screen>
  );
}

type Reason = keyof Words['blocked']['reasons'];

function reasonOf({ eligibility, cycle, today, military }: ExperienceState): Reason {
  if (eligibility.reason === 'cost_above_limit' && military !== null) return 'military';
  if (eligibility.reason !== null) return eligibility.reason;
  if (eligibility.state === 'declined') return 'declined_until';
  if (eligibility.state === 'nothing_due' || cycle === null) return 'nothing_due';
  return dayOfMidnight(cycle.opens_at, 'leading') > today ? 'cycle_opens' : 'cycle_closed';
}

/** Returns the texts about the reason. Some name the lease or the property manager, and differ for an owner. */
function textsOf(state: ExperienceState, { blocked }: Words): (typeof blocked.reasons)[Reason] {
  const reason = reasonOf(state);
  const owners: Partial<typeof blocked.reasons> = blocked.ownerReasons;
  const forOwner = state.tenant.product_variant === 'hoa' ? owners[reason] : undefined;
  return forOwner ?? blocked.reasons[reason];
}

/** The reasons that the tenant or the property can remove while the cycle is open. */
const removableReasons: readonly Reason[] = [
  'past_due_balance',
  'security_deposit_open',
  'late_fee_open',
  'payments_disabled',
  'amount_above_cap',
];

/** Reasons that apply to the home's state, which the title names. */
const stateReasons: readonly Reason[] = ['not_offered_in_state', 'cost_above_limit'];

/** Reasons whose advice needs no day: it says "today", or there is nothing to pay in the portal. */
const reasonsWithoutDay: readonly Reason[] = ['open_plan', 'nothing_due', 'would_land_late'];

/** Returns the next steps with their deadline. */
function useSteps(state: ExperienceState): string[] {
  const { words, locale } = useWords();
  const { cycle, eligibility, today } = state;
  const reason = reasonOf(state);
  const { todo } = textsOf(state, words);
  const { yours } = productOf(state, words);
  const inWords = (day: string) => longDate(day, locale, today);
  if (cycle === null || reasonsWithoutDay.includes(reason)) return [todo];
  if (reason === 'cycle_opens') {
    return [words.blocked.opens(inWords(dayOfMidnight(cycle.opens_at, 'leading'))), todo];
  }
  if (removableReasons.includes(reason)) {
    const lastDay = dayOfMidnight(cycle.closes_at, 'trailing');
    return [todo, words.blocked.splitBy(yours, inWords(lastDay))];
  }
  const pay = words.payInPortal(
    reason === 'not_monthly' ? words.blocked.thisBalance : yours,
    cycle.due_date < today ? null : inWords(cycle.due_date),
  );
  return reason === 'declined_until' && eligibility.until !== null
    ? [pay, words.applyAgain(inWords(eligibility.until))]
    : [pay, todo];
}

/** Reasons about charges, which the property manager can correct. Other steps name the manager. */
const chargeReasons: readonly Reason[] = [
  'past_due_balance',
  'security_deposit_open',
  'late_fee_open',
  'not_monthly',
];

function useContact(state: ExperienceState): string {
  const { words } = useWords();
  const { support_email } = state.terms;
  const { manager, portal } = words.product[state.tenant.product_variant];
  return chargeReasons.includes(reasonOf(state))
    ? words.blocked.askManager(manager, portal, support_email)
    : words.blocked.askUs(support_email);
}

/** Returns the amounts behind the reason. */
function useFacts(state: ExperienceState): [term: string, value: string, note?: string][] {
  const { words, locale } = useWords();
  const { application, cycle, terms, today } = state;
  const copy = words.blocked;
  const reason = reasonOf(state);
  const blocking = state.blocking_charges.map((charge) => ({
    name: chargeName(charge, words),
    day: (charge.due_date < today ? words.wasDue : words.due)(
      longDate(charge.due_date, locale, today),
    ),
    inCents: charge.amount_in_cents - charge.amount_paid_in_cents,
  }));
  const facts = blocking.map(({ name, day, inCents }): [string, string, string?] => [
    name,
    formatMoney(inCents, locale),
    day,
  ]);
  if (facts.length > 1) {
    const total = blocking.reduce((sum, { inCents }) => sum + inCents, 0);
    facts.push([copy.payFirst, formatMoney(total, locale)]);
  }
  if (facts.length === 0 && cycle !== null && cycle.amount_due_in_cents > 0) {
    facts.push([copy.balance, formatMoney(cycle.amount_due_in_cents, locale)]);
    facts.push([copy.due, capital(dateInWords(cycle.due_date, locale, today))]);
  }
  if (reason === 'amount_above_cap' || reason === 'amount_below_minimum') {
    // An approved application may have a lower limit than the terms.
    const most = application?.approved_amount_in_cents ?? terms.maximum_in_cents;
    const range = [terms.minimum_in_cents, Math.min(most, terms.maximum_in_cents)] as const;
    facts.push([
      copy.limits,
      copy.range(formatMoney(range[0], locale), formatMoney(range[1], locale)),
    ]);
  }
  return facts;
}
