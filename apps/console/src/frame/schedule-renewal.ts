/** The time for the page to get the next token before this one ends, in milliseconds. */
const renewalMs = 60_000;
/** So that a clock that is wrong does not ask again and again. The service's answer decides in any case. */
const leastMs = 30_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let stopWaiting: (() => void) | undefined;

/** Calls `renew` before the token ends, but not while no one can see the page. */
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
    Math.max(leftMs - renewalMs, leastMs),
  );
}
