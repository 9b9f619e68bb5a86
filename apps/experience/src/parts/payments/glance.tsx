import type { ExperienceState } from '@svc/contract';
import { useFlow } from '../../flow/flow.ts';
import { money } from '../../format/money.ts';
import { evenSplit } from '../../format/payments.ts';
import { useWords } from '../../words/use-words.ts';

/** A split before its days are known: what is paid today and how often the same follows. */
export function Glance({ state }: { state: ExperienceState }) {
  const { words } = useWords();
  const { installmentCount } = useFlow().store;
  const counts = state.terms.installment_counts;
  const count = installmentCount.value ?? counts.at(-1);
  if (count === undefined || state.cycle === null) return null;
  return (
    <section class="svc-card glance" aria-label={words.offer.glance.title(count)}>
      <h2 class="minor">{words.offer.glance.title(count)}</h2>
      <GlanceRow state={state} count={count} />
      <p class="quiet">{words.offer.glance.within}</p>
    </section>
  );
}

/** The bar in its parts and the two amounts; the first part is today's. */
export function GlanceRow({ state, count }: { state: ExperienceState; count: number }) {
  const { words, locale } = useWords();
  const due = state.cycle?.amount_due_in_cents ?? 0;
  const { today, each } = evenSplit(due, state.terms.fee_in_cents, count);
  return (
    <div class="glance__row">
      <span class="parts" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <i key={index} />
        ))}
      </span>
      <p class="glance__amounts">
        <span>
          <strong>{money(today, locale)}</strong> {words.offer.glance.today}
        </span>{' '}
        <span>{words.offer.glance.rest(count - 1, money(each, locale))}</span>
      </p>
    </div>
  );
}
