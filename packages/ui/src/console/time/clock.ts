import { useSyncExternalStore } from 'react';

/** The current time in milliseconds since 1970. Nothing else in the console reads the system clock. */
export function currentTime(): number {
  return Date.now();
}

/** Derives a value from the current time, checked every second. Re-renders only if the value changes. */
export function useClock<T extends string | number | boolean>(read: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => read(currentTime()));
}

/** The current time in milliseconds, rounded down to a multiple of `everyMs`. */
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
