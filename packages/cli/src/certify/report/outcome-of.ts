import type { CertificationOutput } from '@svc/contract';

/**
 * `incomplete`: no case failed, and some were not run. The service calls such a run failed if the handshake
 * was not among its cases.
 */
export type Outcome = 'passed' | 'incomplete' | 'failed';

export function outcomeOf({ state, is_complete, cases }: CertificationOutput): Outcome {
  if (cases.some(({ status }) => status === 'fail')) return 'failed';
  return state === 'passed' && is_complete ? 'passed' : 'incomplete';
}
