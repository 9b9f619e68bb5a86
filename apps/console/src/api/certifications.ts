import type {
  CertificationCaseOutput,
  CertificationInput,
  CertificationOutput,
  CertificationStep,
  CertificationSummaryOutput,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { apiList, call } from './call.ts';

export type {
  CertificationCaseOutput as CertificationCase,
  CertificationInput,
  CertificationOutput as Certification,
  CertificationStep,
  CertificationSummaryOutput as CertificationSummary,
};

export const certificationList = apiList({
  key: ['certifications', 'list'],
  path: '/certifications',
  filterNames: [],
});

export function certificationQuery(id: string) {
  return queryOptions({
    queryKey: ['certifications', 'one', id],
    queryFn: ({ signal }) =>
      // The response contains every request and response of the run, which can be several megabytes.
      call('GET', '/certifications/{id}', { params: { id }, signal, timeoutMs: 60_000 }),
  });
}

export function startCertification(input: CertificationInput): Promise<CertificationOutput> {
  return call('POST', '/certifications', { body: input });
}

/** A timeout. The service ends a case after 50 s, and may then wait for one more response from the partner. */
const caseTimeoutMs = 90_000;

export function runCertificationCase(id: string, name: string): Promise<CertificationCaseOutput> {
  return call('POST', '/certifications/{id}/cases/{name}', {
    params: { id, name },
    timeoutMs: caseTimeoutMs,
  });
}

/** Finishes a run. The service also ends the plans of the run's tenants, which takes a while. */
export function finishCertification(id: string): Promise<CertificationOutput> {
  return call('POST', '/certifications/{id}/finish', { params: { id }, timeoutMs: caseTimeoutMs });
}
