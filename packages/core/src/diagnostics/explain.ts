import type { ErrorEventCode } from '@svc/contract/frame';
import type { Instance } from '../instance.ts';
import type { Finding } from './diagnostics.ts';

/** A problem that the page's developer should know about. */
export interface Problem {
  /** The ERROR event's code; null for a problem that is not an error of the page. */
  code: ErrorEventCode | null;
  error_code: string;
  msg: string;
  /** The error that the page's own code threw. */
  thrown?: unknown;
  /** True if several causes look the same from here, and only the service's diagnostics can tell them apart. */
  isUnclear?: boolean;
}

/** The problems that were explained. Each is explained once per page, however many widgets have it. */
const explainedKeys = new Set<string>();

/**
 * Writes one line about the problem to the console of a sandbox page, perhaps later: callers do not wait. In
 * production, only exceptions from the page's own code are written.
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
  const writeLine = ({ error_code, msg }: Finding) => {
    const line = `Svc ${code ?? ''}`.trim();
    console[code ? 'error' : 'warn'](
      `${line} ${error_code}: ${msg} ${serviceOrigin}/docs/errors#${error_code}`,
      ...(thrown ? [thrown] : []),
    );
  };
  if (!isUnclear) {
    writeLine(problem);
    return;
  }
  // The diagnostics are in a file of the service, so that production pages do not load them. If the page's
  // script-src blocks that file, the line is written without an exact cause.
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
    .then(writeLine);
}
