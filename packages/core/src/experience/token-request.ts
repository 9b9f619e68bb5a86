import { explain } from '../diagnostics/explain.ts';
import { emitError } from '../events.ts';
import type { Instance } from '../instance.ts';

/** The time in milliseconds that the page has to open the experience. */
const pageTimeout = 30_000;

interface Handlers {
  /** The page's function returned a token, or a promise of one. */
  onToken(token: string): void;
  /** The page's function threw, or nothing opened in time. Not called once something has opened. */
  onFailure(): void;
}

/**
 * Calls `onWidgetClickCallback` or `fetchToken`. The page either returns a token or calls
 * `openExperienceAndSetToken` itself, which ends the request. Results that come later are ignored.
 */
export async function requestToken(
  instance: Instance,
  setting: 'onWidgetClickCallback' | 'fetchToken',
  { onToken, onFailure }: Handlers,
): Promise<void> {
  endTokenRequest(instance);
  const request = setTimeout(() => {
    endTokenRequest(instance, { openFailed: true });
    onFailure();
    emitError(instance, {
      code: 1400,
      error_code: 'callback_opened_nothing',
      msg: `${setting} opened nothing within 30 seconds. Return the token, or call openExperienceAndSetToken.`,
    });
  }, pageTimeout);
  instance.tokenRequest = request;
  const isCurrent = () => instance.tokenRequest === request;
  try {
    setBusy(instance, true);
    const returned = instance.settings[setting]?.();
    const token = await returned;
    if (!isCurrent()) return;
    const wasPromise = token !== returned;
    if (typeof token === 'string') onToken(token);
    else if (isInsteadOfToken(token)) {
      endTokenRequest(instance, { openFailed: true });
      onFailure();
      const [got, fix] =
        token === null
          ? ['null', 'portal_info answers null with dry_run only.']
          : ['an object with a token', 'Return its token.'];
      const msg = `${setting} returned ${got} instead of the token that portal_info answered. ${fix}`;
      emitError(instance, { code: 1400, error_code: 'callback_opened_nothing', msg });
    } else if (wasPromise) {
      // The promise has resolved but nothing is open. The page may still open the experience before the
      // timeout, and the tenant may already click again. Without a promise, we cannot tell when the page is done.
      setBusy(instance, false);
      explain(instance, {
        code: null,
        error_code: 'callback_opened_nothing',
        msg: `${setting} has finished, but it returned no token and opened nothing. Return the token, or call openExperienceAndSetToken within 30 seconds.`,
      });
    }
  } catch (error) {
    if (isCurrent()) {
      endTokenRequest(instance, { openFailed: true });
      onFailure();
    }
    const msg = `${setting} threw an error. See the console for it.`;
    emitError(instance, { code: 1400, error_code: 'callback_threw', msg }, { thrown: error });
  }
}

/**
 * Returns whether the page meant to return a token. Other values say nothing: an arrow function returns
 * what its last call returned, and the page may still open the experience.
 */
function isInsteadOfToken(value: unknown): boolean {
  return value === null || (typeof value === 'object' && 'token' in value);
}

/** Ends the wait for the page, because something opened or because nothing will. */
export function endTokenRequest(instance: Instance, { openFailed = false } = {}): void {
  clearTimeout(instance.tokenRequest);
  instance.tokenRequest = undefined;
  instance.openFailed = openFailed;
  setBusy(instance, false);
}

function setBusy(instance: Instance, busy: boolean): void {
  instance.busy = busy;
  instance.widget?.render();
}
