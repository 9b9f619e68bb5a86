import { type Segment, SplitBar } from './split-bar.tsx';

interface ProgressProps {
  segments: readonly Segment[];
  /** The progress as text below the bar, such as "1 of 4 payments made". */
  label: string;
  left: string;
}

/** The plan's bar, and its progress in words. */
export function Progress({ segments, label, left }: ProgressProps) {
  return (
    <div class="plan-progress">
      <SplitBar segments={segments} />
      <p class="plan-progress__text">
        <span>{label}</span>
        <span>{left}</span>
      </p>
    </div>
  );
}
