import { Icon, type IconName } from '../icons.tsx';
import type { Segment } from './split-bar.tsx';

interface SplitRingProps {
  segments: readonly Segment[];
  icon: IconName;
}

/** The share of a segment that is its gap to the next one, round ends included. */
const gap = 0.22;

/**
 * The plan's bar, closed to a ring around an icon: shown above the title when something important has
 * happened. If it is bad, the ring is next to the title, so that what to do stays in view. Its segments
 * appear one after the other. Hidden from screen readers, like the bar.
 */
export function SplitRing({ segments, icon }: SplitRingProps) {
  const count = segments.length;
  return (
    <span class="split-ring" data-icon={icon} aria-hidden="true">
      <svg viewBox="0 0 80 80" aria-hidden="true">
        {segments.map((segment, index) => (
          <circle
            key={index}
            cx="40"
            cy="40"
            r="35"
            pathLength={count}
            stroke-dasharray={`${dashesOf(segment)} ${count}`}
            stroke-dashoffset={-index - gap / 2}
            data-state={segment}
            style={{ '--place': index }}
          />
        ))}
      </svg>
      <Icon name={icon} />
    </span>
  );
}

/** Returns a segment's dashes. A late payment is a broken segment, and one that a credit has paid is dotted. */
function dashesOf(segment: Segment): string {
  const whole = 1 - gap;
  if (segment === 'failed' || segment === 'overdue') {
    return `${0.3 * whole} ${0.4 * whole} ${0.3 * whole}`;
  }
  if (segment === 'credited' || segment === 'canceled') return `0.01 ${whole / 2} 0.01`;
  return String(whole);
}
