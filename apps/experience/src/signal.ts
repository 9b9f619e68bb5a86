/** A value that is drawn on screen: setting another one draws again. */
export interface Signal<T> {
  value: T;
}

const listeners = new Set<() => void>();

/** Every change renders from the root, so no reader is tracked: 0.2 kB instead of a library's 3.7. */
export function signal<T>(first: T): Signal<T> {
  let value = first;
  return {
    get value() {
      return value;
    },
    set value(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
  };
}

/** Calls once after each run of changes, until it is stopped. */
export function afterChanges(run: () => void): () => void {
  let isQueued = false;
  let isOver = false;
  const queue = () => {
    if (isQueued) return;
    isQueued = true;
    queueMicrotask(() => {
      isQueued = false;
      if (!isOver) run();
    });
  };
  listeners.add(queue);
  return () => {
    isOver = true;
    listeners.delete(queue);
  };
}
