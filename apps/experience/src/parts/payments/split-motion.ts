const motion: KeyframeAnimationOptions = { duration: 320, easing: 'cubic-bezier(0.2, 0, 0, 1)' };

/** The previous screen's bar: its place, and when that screen was left. */
let lastBar: { box: DOMRect; leftAt: number } | null = null;

/** Stores the bar's place. Call it before the bar's screen is removed. */
export function rememberBar(bar: HTMLElement): void {
  lastBar = { box: bar.getBoundingClientRect(), leftAt: performance.now() };
}

/** Animates the bar from its place on the previous screen, if that was left less than 100 ms ago. */
export function moveFromLastBar(bar: HTMLElement): void {
  if (lastBar === null || performance.now() - lastBar.leftAt > 100 || prefersStill()) return;
  const { box } = lastBar;
  const now = bar.getBoundingClientRect();
  if (now.width === 0) return;
  const from = `translate(${box.left - now.left}px, ${box.top - now.top}px) scaleX(${box.width / now.width})`;
  bar.animate([{ transform: from }, { transform: 'none' }], motion);
}

/** Animates how the segments split or join, if their number was another `countBefore`. */
export function splitSegments(bar: HTMLElement, countBefore: number): void {
  const segments = [...bar.children];
  if (segments.length === countBefore || prefersStill()) return;
  for (const [index, segment] of segments.entries()) {
    const transform = originOf(index, segments.length, countBefore);
    segment.animate([{ transform }, { transform: 'none' }], motion);
  }
}

/** Returns the transform that shows a segment where it comes from: the part of the old bar that it was in. */
export function originOf(index: number, count: number, countBefore: number): string {
  const origin = Math.floor((index * countBefore) / count);
  const distance = (origin / countBefore - index / count) * count;
  return `translateX(${100 * distance}%) scaleX(${count / countBefore})`;
}

function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
