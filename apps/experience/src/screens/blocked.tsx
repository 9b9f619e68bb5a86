import type { ExperienceState } from '@svc/contract';
import { close, go, useFlow } from '../flow/flow.ts';
import { dateInWords, dayOfMidnight } from '../format/dates.ts';
import { money } from '../format/money.ts';
import { Facts } from '../parts/facts.tsx';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { PastPlans } from './manage/papers/past-plans.tsx';

/** Why not now, and what to do about it. */
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
        <button type="button" class="svc-button svc-button--block" onClick={() => close(flow)}>
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
            onClick={() => go(flow, 'manage')}
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

function reasonOf({ eligibility, cycle }: ExperienceState) {
  if (eligibility.reason !== null) return eligibility.reason;
  if (eligibility.state === 'declined') return 'declined_until';
  return eligibility.state === 'nothing_due' || cycle === null ? 'nothing_due' : 'cycle_closed';
}

/** The numbers and days behind the reason. */
function useFacts(state: ExperienceState): [term: string, value: string][] {
  const { words, locale } = useWords();
  const { cycle, eligibility, terms, today } = state;
  const copy = words.blocked;
  const reason = reasonOf(state);
  const inWords = (day: string) => dateInWords(day, locale, today);
  const facts: [string, string][] = [];
  if (cycle !== null && cycle.amount_due_in_cents > 0) {
    facts.push([copy.balance, money(cycle.amount_due_in_cents, locale)]);
    facts.push([copy.due, inWords(cycle.due_date)]);
  }
  if (reason === 'amount_above_cap' || reason === 'amount_below_minimum') {
    const [least, most] = [terms.minimum_in_cents, terms.maximum_in_cents];
    facts.push([copy.limits, copy.range(money(least, locale), money(most, locale))]);
  }
  if (reason === 'declined_until' && eligibility.until !== null) {
    facts.push([copy.again, inWords(eligibility.until)]);
  }
  if (reason === 'cycle_closed' && cycle !== null) {
    const opens = dayOfMidnight(cycle.opens_at, 'leading');
    if (opens > today) facts.push([copy.opens, inWords(opens)]);
  }
  return facts;
}
