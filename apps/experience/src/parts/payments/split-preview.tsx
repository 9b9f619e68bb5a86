import type { ExperienceState } from '@svc/contract';
import { useFlow } from '../../flow/flow.ts';
import { formatMoney } from '../../format/money.ts';
import { useFirstWords } from '../../words/use-words.ts';
import { offeredSegments, SplitBar } from './split-bar.tsx';
import { type SplitProps, useSplit } from './split-rest.tsx';

/** A preview of a split, before there is a quote: today's payment and the ones that follow. */
export function SplitPreview({ state }: { state: ExperienceState }) {
  const { words } = useFirstWords();
  const { installmentCount } = useFlow().store;
  const counts = state.terms.installment_counts;
  const count = installmentCount.value ?? counts.at(-1);
  if (count === undefined || state.cycle === null) return null;
  return (
    <section class="svc-card split-preview">
      <h2 class="subtitle-small">{words.offer.preview.title(count)}</h2>
      <SplitBar segments={offeredSegments(count)} />
      <SplitAmounts state={state} count={count} />
      <p class="quiet">{words.offer.preview.within(state.terms.span_days)}</p>
    </section>
  );
}

/** Today's payment and the ones that follow, in one line. */
function SplitAmounts({ state, count }: SplitProps) {
  const { words, locale } = useFirstWords();
  const { today, rest } = useSplit(state, count);
  return (
    <p class="split-amounts">
      <span>
        <strong>{formatMoney(today, locale)}</strong> {words.offer.preview.today}
      </span>{' '}
      <span>{rest}</span>
    </p>
  );
}
