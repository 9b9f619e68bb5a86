import type { WidgetLayout } from '@svc/contract/frame';
import { explain } from '../diagnostics/explain.ts';
import { emit, emitError } from '../events.ts';
import type { Instance } from '../instance.ts';
import { refreshSession } from './widget-session.ts';

const minimumWidth = 320;
const minimumHeight = 250;
/** Milliseconds. A page appends the element in the same task, or once its framework has rendered. */
const attachTimeout = 5_000;

/**
 * Observes the widget's size: WIDGET_READY at the first one, ERROR 1002 each time it becomes too
 * small. The observer runs before paint, so the page never shows a state that it has not heard of.
 * Returns a function that stops observing.
 */
export function watchSize(instance: Instance, element: HTMLElement): () => void {
  let isReady = false;
  let wasTooSmall = false;
  const observer = new ResizeObserver(() => {
    const { offsetWidth: width, offsetHeight: height } = element;
    // The element is in a hidden container, or was removed from the page.
    if (width === 0) return;
    if (!isReady) {
      isReady = true;
      emit(instance, 'WIDGET_READY', { width, height, layout: layoutFor(width) });
      // In the next task, after the paint that the request must not delay.
      setTimeout(() => refreshSession(instance));
    }
    const isTooSmall = width < minimumWidth || height < minimumHeight;
    if (isTooSmall && !wasTooSmall) {
      emitError(instance, {
        code: 1002,
        error_code: 'container_too_small',
        msg: `The widget is ${width} × ${height} px. Give its container at least ${minimumWidth} × ${minimumHeight} px.`,
        retryable: false,
      });
    }
    wasTooSmall = isTooSmall;
  });
  observer.observe(element);
  const timer = setTimeout(() => {
    if (isReady || element.isConnected) return;
    const error_code = 'widget_not_attached';
    const msg = 'The widget was created, and is not in the page.';
    explain(instance, { code: null, error_code, msg, isUnclear: true });
  }, attachTimeout);
  return () => {
    observer.disconnect();
    // A timer would keep the element of a destroyed widget in memory.
    clearTimeout(timer);
  };
}

/** Returns the layout's name for the page. The two columns come from a container query in widget.css. */
function layoutFor(width: number): WidgetLayout {
  if (width < 400) return 'stacked';
  if (width < 520) return 'roomy';
  return width < 760 ? 'columns' : 'large';
}
