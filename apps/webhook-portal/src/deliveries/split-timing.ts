import { type Stage, stageOf, type Timed } from './describe-attempt.ts';

/** Where the time of an attempt went, in milliseconds, in order; steps that did not happen are left out. */
export function splitTiming(attempt: Timed): TimingPart[] {
  const timing = attempt.timing_in_ms;
  const opening = (timing.dns ?? 0) + (timing.connect ?? 0) + (timing.tls ?? 0);
  // `first_byte` counts from the start of the attempt, so it holds the opening as well.
  const answered = timing.first_byte ?? timing.total;
  // What no step accounts for passed in the one that the attempt did not get beyond.
  const rest = Math.max(0, answered - opening);
  const last = stageOf(attempt);
  const restOf = (stage: Stage) => (stage === last ? rest : 0);
  const parts: TimingPart[] = [
    { name: 'DNS', className: 'dns', ms: (timing.dns ?? 0) + restOf('dns') },
    { name: 'Connect', className: 'connect', ms: (timing.connect ?? 0) + restOf('connect') },
    { name: 'TLS', className: 'tls', ms: (timing.tls ?? 0) + restOf('tls') },
    { name: 'Waiting for your server', className: 'wait', ms: restOf('request') },
    { name: 'Reading the answer', className: 'read', ms: Math.max(0, timing.total - answered) },
  ];
  return parts.filter(({ ms }) => ms > 0);
}

export interface TimingPart {
  name: string;
  className: string;
  ms: number;
}

/** "0.8 ms", "213 ms", "15.0 s". */
export function describeMs(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  return Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
