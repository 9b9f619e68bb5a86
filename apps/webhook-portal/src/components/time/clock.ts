import { useSyncExternalStore } from 'react';

/** The only place of the portal that reads the system clock. Milliseconds since 1970. */
export function currentTime(): number {
  return Date.now();
}

/** What `read` says of the time now; renders again only when its answer changes. */
export function useClock<T extends string | number | boolean>(read: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => read(currentTime()));
}

/** The time now, in steps of `everyMs`. */
export function useNow(everyMs: number): number {
  return useClock((now) => Math.floor(now / everyMs) * everyMs);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const listener of listeners) listener();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
