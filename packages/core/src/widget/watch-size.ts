import type { WidgetLayout } from '@svc/contract/frame';
import { emit, fail } from '../emit.ts';
import { checkIdentity } from '../identity.ts';
import type { Running } from '../running.ts';

/**
 * Watches the widget and its container, before paint, so nothing flashes: WIDGET_READY with the
 * first size, ERROR 1002 each time the container becomes smaller than 320 by 250 px.
 */
export function watchSize(at: Running, host: HTMLElement): void {
  let container: Element | null = null;
  const observer = new ResizeObserver((entries) => {
    const { offsetWidth: width, offsetHeight: height, parentElement } = host;
    if (width && !container && parentElement) {
      container = parentElement;
      observer.observe(container);
      emit(at, 'WIDGET_READY', { width, height, layout: layoutOf(width) });
      // A task later: the widget is painted, and the request can't hold it back.
      setTimeout(() => void checkIdentity(at));
    }
    for (const { target, contentRect } of entries) {
      if (target !== container) continue;
      const small = contentRect.width < 320 || contentRect.height < 250;
      if (small && !at.small) fail(at, 1002, 'container_too_small', false);
      at.small = small;
    }
  });
  at.observer = observer;
  observer.observe(host);
}

function layoutOf(width: number): WidgetLayout {
  return width < 400 ? 'stacked' : width < 520 ? 'roomy' : width < 760 ? 'columns' : 'large';
}
