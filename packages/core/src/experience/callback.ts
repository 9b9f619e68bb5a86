import { fail } from '../emit.ts';
import type { Running } from '../running.ts';

/** After this time a callback that opened nothing is over (contract: ERROR 1400). */
const patience = 30_000;

/**
 * Runs the page's callback: busy until something opens, the callback fails, or patience ends.
 * @param brought it returned a token instead of opening by itself
 * @param missed it is over, and nothing has opened
 */
export function runCallback(
  at: Running,
  callback: () => unknown,
  brought: (token: string) => void,
  missed: () => void,
): void {
  const mine = endRun(at);
  const giveUp = (error_code: string) => {
    if (mine === at.run) {
      endRun(at, true);
      missed();
    }
    fail(at, 1400, error_code);
  };
  const busy = (isBusy: boolean) => {
    at.busy = isBusy;
    at.widget?.paint();
  };
  let returned: unknown;
  at.patience = setTimeout(() => giveUp('callback_opened_nothing'), patience);
  busy(true);
  (async () => {
    returned = callback();
    return returned;
  })().then(
    (token) => {
      if (mine !== at.run) return;
      if (typeof token === 'string') brought(token);
      // Its promise is done: the tenant may click again, though the page still has its time.
      else if (returned !== token) busy(false);
    },
    (error) => {
      console.error(error);
      giveUp('callback_threw');
    },
  );
}

/** Something opened, or nothing will: what the run still brings is late. Returns the next run. */
export function endRun(at: Running, missed = false): number {
  clearTimeout(at.patience);
  at.busy = false;
  at.missed = missed;
  at.widget?.paint();
  return ++at.run;
}
