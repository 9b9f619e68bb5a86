/** The next token is requested this many milliseconds before the current one ends. */
const renewalMs = 60_000;
/** The shortest delay, in milliseconds. A wrong clock would otherwise request tokens in a loop. */
const minimumDelayMs = 30_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let stopWaiting: (() => void) | undefined;

/** Calls `renew` before the token ends in `leftMs`. If the page is hidden then, waits until it is visible. */
export function scheduleRenewal(leftMs: number, renew: () => void): void {
  clearTimeout(timer);
  stopWaiting?.();
  timer = setTimeout(
    () => {
      if (!document.hidden) {
        renew();
        return;
      }
      const onVisible = () => {
        stopWaiting?.();
        renew();
      };
      document.addEventListener('visibilitychange', onVisible);
      stopWaiting = () => document.removeEventListener('visibilitychange', onVisible);
    },
    Math.max(leftMs - renewalMs, minimumDelayMs),
  );
}
