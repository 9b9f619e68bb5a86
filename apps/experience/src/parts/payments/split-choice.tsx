import type { ComponentChildren } from 'preact';
import { useFlow } from '../../flow/flow.ts';
import { formatMoney } from '../../format/money.ts';
import { useFirstWords } from '../../words/use-words.ts';
import { Option, RadioGroup } from '../option.tsx';
import { offeredSegments, SplitBar } from './split-bar.tsx';

interface SplitChoiceProps {
  counts: readonly number[];
  /** Null before the tenant has chosen: the bar shows the largest number. */
  chosen: number | null;
  /** Returns the cents that are paid today, including the fee. Undefined while they are loading. */
  todayOf: (count: number) => number | undefined;
  /** Returns why a number can't be chosen; undefined if it can. */
  whyNot?: (count: number) => string | undefined;
  children?: ComponentChildren;
}

/** The bar, and a tile for each number of payments with what it costs today. */
export function SplitChoice({ counts, chosen, todayOf, whyNot, children }: SplitChoiceProps) {
  const { installmentCount } = useFlow().store;
  const { words, locale } = useFirstWords();
  return (
    <section class="group">
      <h2 class="subtitle">{words.offer.choose}</h2>
      <SplitBar segments={offeredSegments(chosen ?? counts.at(-1) ?? 0)} />
      <RadioGroup legend={words.offer.count} layout="options--row" hidesLegend>
        {counts.map((count) => {
          const today = todayOf(count);
          const why = whyNot?.(count);
          return (
            <Option
              key={count}
              group="installment_count"
              value={String(count)}
              checked={chosen === count}
              onChoose={() => {
                installmentCount.value = count;
              }}
              title={count}
              unit={words.paymentsWord}
              disabled={why !== undefined}
              note={
                why ?? (
                  <>
                    {today === undefined ? '\u00a0' : formatMoney(today, locale)}{' '}
                    <span class="option__line">
                      {today === undefined ? '\u00a0' : words.offer.preview.today}
                    </span>
                  </>
                )
              }
            />
          );
        })}
      </RadioGroup>
      {children}
    </section>
  );
}
