const motion: KeyframeAnimationOptions = { duration: 320, easing: 'cubic-bezier(0.2, 0, 0, 1)' };

/** Where the bar of the last screen was, and when that screen was left. */
let last: { box: DOMRect; leftAt: number } | null = null;

/** Called before the bar's screen is removed. */
export function rememberBar(bar: HTMLElement): void {
  last = { box: bar.getBoundingClientRect(), leftAt: performance.now() };
}

/** Moves the bar to its place from that of the screen before, if that was left just now. */
export function moveFromLastBar(bar: HTMLElement): void {
  if (last === null || performance.now() - last.leftAt > 100 || prefersStill()) return;
  const { box } = last;
  const now = bar.getBoundingClientRect();
  if (now.width === 0) return;
  const from = `translate(${box.left - now.left}px, ${box.top - now.top}px) scaleX(${box.width / now.width})`;
  bar.animate([{ transform: from }, { transform: 'none' }], motion);
}

/** Splits or joins the segments, which were `countBefore`. */
export function splitSegments(bar: HTMLElement, countBefore: number): void {
  const segments = [...bar.children];
  if (segments.length === countBefore || prefersStill()) return;
  for (const [index, segment] of segments.entries()) {
    const transform = originOf(index, segments.length, countBefore);
    segment.animate([{ transform }, { transform: 'none' }], motion);
  }
}

/** The transform that shows a segment where it comes from: the part of the old bar that it was in. */
export function originOf(index: number, count: number, countBefore: number): string {
  const origin = Math.floor((index * countBefore) / count);
  const distance = (origin / countBefore - index / count) * count;
  return `translateX(${100 * distance}%) scaleX(${count / countBefore})`;
}

function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
