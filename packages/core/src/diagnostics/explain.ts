import type { ErrorEventCode } from '@svc/contract/frame';
import type { Instance } from '../instance.ts';
import type { Finding } from './diagnostics.ts';

/** A problem that the page's developer should know of. */
export interface Problem {
  /** Of the ERROR event; null for one that is not an error of the page. */
  code: ErrorEventCode | null;
  error_code: string;
  msg: string;
  /** The error that the page's own code threw. */
  thrown?: unknown;
  /** Several causes look the same from here: the service's diagnostics tell them apart. */
  isUnclear?: boolean;
}

/** Each problem once per page, however many widgets have it. */
const explainedKeys = new Set<string>();

/**
 * Writes one line about the problem to the console of a sandbox page. Nothing waits for it. In
 * production the page's own exceptions are the only thing that is written.
 */
export function explain(instance: Instance, problem: Problem): void {
  const { settings, serviceOrigin, session } = instance;
  const { code, error_code, msg, thrown, isUnclear } = problem;
  if (settings.environment !== 'sandbox') {
    if (thrown) console.error(thrown);
    return;
  }
  const key = serviceOrigin + error_code + msg;
  if (explainedKeys.has(key) && !thrown) return;
  explainedKeys.add(key);
  const say = ({ error_code, msg }: Finding) => {
    const line = `Svc ${code ?? ''}`.trim();
    console[code ? 'error' : 'warn'](
      `${line} ${error_code}: ${msg} ${serviceOrigin}/docs/errors#${error_code}`,
      ...(thrown ? [thrown] : []),
    );
  };
  if (!isUnclear) {
    say(problem);
    return;
  }
  // In a file of the service, so that a production page carries none of it. A page whose script-src
  // allows no script of the service still gets the line.
  void import(
    /* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ `${serviceOrigin}/sdk/diagnostics.js`
  )
    .then(({ findCause }: typeof import('./diagnostics.ts')) => {
      const { pms, externalId, signature } = settings;
      const availableOn = session?.available_on ?? null;
      return findCause({
        code,
        error_code,
        msg,
        serviceOrigin,
        pms,
        externalId,
        signature,
        availableOn,
      });
    })
    .catch(() => problem)
    .then(say);
}
