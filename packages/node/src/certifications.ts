import type {
  CertificationCaseOutput,
  CertificationOutput,
  CertificationSummaryOutput,
} from '@svc/contract';
import { type List, listOf } from './http/pages.ts';
import type { Call, CallOptions } from './http/request.ts';
import type { PageResults, ServiceCaseName, StartCertification } from './types.ts';

/** Timeout of one case, in milliseconds: it may wait for a slow receiver several times. */
const caseTimeoutMs = 90_000;

/** Sandbox only: proves your integration, case by case. `svc certify` makes these calls. */
export function certificationCalls(call: Call) {
  return {
    /** Starts a run. Only one can run at a time: the error names the one in progress. */
    start: (body: StartCertification = {}, options?: CallOptions): Promise<CertificationOutput> =>
      call({ method: 'POST', path: '/certifications', body }, options),

    /** Lists runs without their cases, newest first. */
    list: (
      filter: { limit?: number } = {},
      options?: CallOptions,
    ): List<CertificationSummaryOutput> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/certifications', query: { ...filter, cursor } }, options),
      ),

    get: (id: string, options?: CallOptions): Promise<CertificationOutput> =>
      call({ method: 'GET', path: '/certifications/{id}', params: { id } }, options),

    /** Runs one case now and returns its result. Repeating a call runs it again, with new tenants. */
    runCase: (
      id: string,
      name: ServiceCaseName,
      options?: CallOptions,
    ): Promise<CertificationCaseOutput> =>
      call(
        { method: 'POST', path: '/certifications/{id}/cases/{name}', params: { id, name } },
        { timeoutMs: caseTimeoutMs, ...options },
      ),

    /** Reports what a browser saw on your page. */
    reportPage: (
      id: string,
      body: PageResults,
      options?: CallOptions,
    ): Promise<CertificationOutput> =>
      call(
        { method: 'PUT', path: '/certifications/{id}/page_results', params: { id }, body },
        options,
      ),

    /** Ends the run, and returns it with its verdict and the signed report. */
    finish: (id: string, options?: CallOptions): Promise<CertificationOutput> =>
      call({ method: 'POST', path: '/certifications/{id}/finish', params: { id } }, options),
  };
}
