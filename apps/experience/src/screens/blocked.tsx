import type { ExperienceState } from '@svc/contract';
import { closeExperience, goToStep, useFlow } from '../flow/flow.ts';
import { dateInWords, dayOfMidnight } from '../format/dates.ts';
import { money } from '../format/money.ts';
import { Facts } from '../parts/facts.tsx';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { capital, chargeName } from '../words/names.ts';
import { useWords } from '../words/use-words.ts';
import { PastPlans } from './manage/documents/past-plans.tsx';

/** Why the tenant can't split now, and what to do about it. */
export function Blocked({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words } = useWords();
  const reason = words.blocked.reasons[reasonOf(state)];
  const facts = useFacts(state);
  const { product_variant } = state.tenant;
  return (
    <Screen
      title={reason.title}
      lead={reason.text}
      emblem={<Emblem name="pause" tone="plain" />}
      footer={
        <button
          type="button"
          class="svc-button svc-button--block"
          onClick={() => closeExperience(flow)}
        >
          {words.backToPortal(product_variant)}
        </button>
      }
    >
      <section class="svc-card group">
        <h2 class="subtitle">{words.blocked.what}</h2>
        <p>{reason.todo}</p>
        {state.plan !== null && (
          <button
            type="button"
            class="svc-button svc-button--secondary"
            onClick={() => goToStep(flow, 'manage')}
          >
            {words.blocked.seePlan}
          </button>
        )}
      </section>
      {facts.length > 0 && <Facts lines={facts} />}
      <PastPlans state={state} />
    </Screen>
  );
}

function reasonOf({ eligibility, cycle, today }: ExperienceState) {
  if (eligibility.reason !== null) return eligibility.reason;
  if (eligibility.state === 'declined') return 'declined_until';
  if (eligibility.state === 'nothing_due' || cycle === null) return 'nothing_due';
  return dayOfMidnight(cycle.opens_at, 'leading') > today ? 'cycle_opens' : 'cycle_closed';
}

/** The amounts and dates behind the reason. */
function useFacts(state: ExperienceState): [term: string, value: string][] {
  const { words, locale } = useWords();
  const { application, cycle, eligibility, terms, today } = state;
  const copy = words.blocked;
  const reason = reasonOf(state);
  const inWords = (day: string) => dateInWords(day, locale, today);
  const day = (date: string) => capital(inWords(date));
  const blocking = state.blocking_charges.map((charge) => ({
    name: chargeName(charge, words),
    day: (charge.due_date < today ? words.pay.late : words.pay.due)(inWords(charge.due_date)),
    inCents: charge.amount_in_cents - charge.amount_paid_in_cents,
  }));
  const facts = blocking.map(({ name, day, inCents }): [string, string] => [
    `${name} · ${day}`,
    money(inCents, locale),
  ]);
  if (facts.length > 1) {
    const total = blocking.reduce((sum, { inCents }) => sum + inCents, 0);
    facts.push([copy.payFirst, money(total, locale)]);
  }
  if (facts.length === 0 && cycle !== null && cycle.amount_due_in_cents > 0) {
    facts.push([copy.balance, money(cycle.amount_due_in_cents, locale)]);
    facts.push([copy.due, day(cycle.due_date)]);
  }
  if (reason === 'amount_above_cap' || reason === 'amount_below_minimum') {
    // An approved application may have a lower limit than the terms.
    const most = application?.approved_amount_in_cents ?? terms.maximum_in_cents;
    const range = [terms.minimum_in_cents, Math.min(most, terms.maximum_in_cents)] as const;
    facts.push([copy.limits, copy.range(money(range[0], locale), money(range[1], locale))]);
  }
  if (reason === 'declined_until' && eligibility.until !== null) {
    facts.push([copy.again, day(eligibility.until)]);
  }
  if (reason === 'cycle_opens' && cycle !== null) {
    facts.push([copy.opens, day(dayOfMidnight(cycle.opens_at, 'leading'))]);
  }
  return facts;
}
