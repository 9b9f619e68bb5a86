import type { CertificationOutput } from '@svc/contract';

/** The state of a finished run. */
export type Outcome = 'passed' | 'incomplete' | 'failed';

/** A state that only a newer service knows counts as incomplete. */
export function outcomeOf({ state }: CertificationOutput): Outcome {
  return state === 'passed' || state === 'failed' ? state : 'incomplete';
}
