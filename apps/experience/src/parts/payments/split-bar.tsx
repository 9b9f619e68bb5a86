import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Payment } from '../../format/payments.ts';
import { moveFromLastBar, rememberBar, splitSegments } from './split-motion.ts';

/** `next`: the payment that comes next. `credited` and `moved` are drawn instead of `scheduled`. */
export type Segment = Payment['state'] | 'next' | 'next-moved' | 'credited' | 'moved';

interface SplitBarProps {
  segments: readonly Segment[];
  /** True if the paid segments fill up when the bar appears. */
  fills?: boolean;
}

/**
 * The product's picture: one segment for each payment, in the order of their dates. It moves to its
 * place from the bar of the screen before, and splits when the number of payments changes. Hidden
 * from screen readers, so the screen has to say the same in words.
 */
export function SplitBar({ segments, fills = false }: SplitBarProps) {
  const bar = useRef<HTMLSpanElement>(null);
  const before = useRef(segments.length);
  useLayoutEffect(() => {
    const element = bar.current;
    if (element === null) return undefined;
    moveFromLastBar(element);
    return () => rememberBar(element);
  }, []);
  useLayoutEffect(() => {
    if (bar.current !== null) splitSegments(bar.current, before.current);
    before.current = segments.length;
  }, [segments.length]);
  return (
    <span class="split-bar" data-fills={fills} aria-hidden="true" ref={bar}>
      {segments.map((segment, index) => (
        // New elements when their number changes: moved ones would count as a layout shift.
        <i key={`${index} of ${segments.length}`} data-state={segment} />
      ))}
    </span>
  );
}

/** Returns the bar of a plan that does not exist yet: the first payment is made when the tenant agrees. */
export function offeredSegments(count: number): Segment[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? 'paid' : 'scheduled'));
}
