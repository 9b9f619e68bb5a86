import { useEffect } from 'preact/hooks';

const firstIntervalMs = 1000;

/**
 * Calls `poll` while the page is visible, and at once when it becomes visible again: the tenant often
 * comes back from a tab of the bank. The first interval is a second, since most decisions arrive by
 * then, and each is twice as long as the one before, up to `longestIntervalMs`. Pass a stable
 * function: a new one starts over.
 */
export function usePoll(poll: () => Promise<void>, longestIntervalMs: number): void {
  useEffect(() => {
    const pollIfVisible = () => {
      if (!document.hidden) void poll();
    };
    let timer: ReturnType<typeof setTimeout>;
    const pollAfter = (intervalMs: number) => {
      timer = setTimeout(() => {
        pollIfVisible();
        pollAfter(Math.min(intervalMs * 2, longestIntervalMs));
      }, intervalMs);
    };
    pollAfter(firstIntervalMs);
    document.addEventListener('visibilitychange', pollIfVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollIfVisible);
    };
  }, [poll, longestIntervalMs]);
}
