import { useEffect } from 'preact/hooks';

/**
 * Calls `poll` at an interval while the page is visible, and at once when it becomes visible again.
 * The tenant often comes back from a tab of the bank. Pass a stable function: a new one restarts
 * the interval.
 */
export function usePoll(poll: () => Promise<void>, intervalMs: number): void {
  useEffect(() => {
    const pollIfVisible = () => {
      if (!document.hidden) void poll();
    };
    const timer = setInterval(pollIfVisible, intervalMs);
    document.addEventListener('visibilitychange', pollIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', pollIfVisible);
    };
  }, [poll, intervalMs]);
}
