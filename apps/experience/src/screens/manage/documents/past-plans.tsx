import type { ExperienceState } from '@svc/contract';
import { useFlow } from '../../../flow/flow.ts';
import { openPastPlan } from '../../../flow/open-past-plan.ts';
import { monthAndYear } from '../../../format/dates.ts';
import { formatMoney } from '../../../format/money.ts';
import { ActionRow } from '../../../parts/action-row.tsx';
import { capital } from '../../../words/capital.ts';
import { useFirstWords } from '../../../words/use-words.ts';

/** The list of closed plans. Each opens its home page with its documents. */
export function PastPlans({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useFirstWords();
  const copy = words.pastPlans;
  const { name } = words.product[state.tenant.product_variant];
  const past = state.past_plans.filter(({ id }) => id !== state.plan?.id);
  if (past.length === 0) return null;
  return (
    <section class="group">
      <h2 class="subtitle">{copy.title}</h2>
      <ul class="svc-card svc-card--flush list">
        {past.map((it) => (
          <ActionRow
            key={it.id}
            title={capital(words.offer.ofMonth(monthAndYear(it.rent_cycle_date, locale), name))}
            note={copy.note(
              it.installment_count,
              formatMoney(it.amounts.agreed_in_cents - it.amounts.credited_in_cents, locale),
              copy.states[stateOf(it)],
            )}
            onPress={() => void openPastPlan(flow, it.id)}
          />
        ))}
      </ul>
    </section>
  );
}

function stateOf({ state, amounts }: ExperienceState['past_plans'][number]) {
  return state === 'charged_off' && amounts.left_in_cents === 0 ? 'settled' : state;
}
