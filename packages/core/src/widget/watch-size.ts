import { emit, fail } from '../emit.ts';
import { checkIdentity } from '../identity.ts';
import type { Running } from '../running.ts';

/**
 * Watches the widget's element, which is as large as its container lets it be, before paint, so
 * nothing flashes: WIDGET_READY with the first size, ERROR 1002 each time it becomes too small.
 */
export function watchSize(at: Running, host: HTMLElement): void {
  at.observer = new ResizeObserver(() => {
    const { offsetWidth: width, offsetHeight: height } = host;
    const small = width < 320 || height < 250;
    if (!width) return;
    if (at.small == null) {
      const layout =
        width < 400 ? 'stacked' : width < 520 ? 'roomy' : width < 760 ? 'columns' : 'large';
      emit(at, 'WIDGET_READY', { width, height, layout });
      // A task later: the widget is painted, and the request can't hold it back.
      setTimeout(() => checkIdentity(at));
    }
    if (small && !at.small) fail(at, 1002, 'container_too_small', false);
    at.small = small;
  });
  at.observer.observe(host);
}
