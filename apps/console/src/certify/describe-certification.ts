import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import type {
  Certification,
  CertificationCase,
  CertificationSummary,
} from '../api/certifications.ts';
import type { Endpoint } from '../api/endpoints.ts';
import { shellQuote } from '../requests/write-curl.ts';

export interface Mark {
  readonly tone: Tone;
  readonly word: string;
}

const stateMarks: Readonly<Record<string, Mark>> = {
  running: { tone: 'info', word: 'Not finished' },
  passed: { tone: 'good', word: 'Passed' },
  incomplete: { tone: 'warn', word: 'Incomplete' },
  failed: { tone: 'bad', word: 'Failed' },
  abandoned: { tone: 'neutral', word: 'Abandoned' },
};

/** Returns a state's mark. A newer service may have states that the table lacks; they are shown by name. */
export function markOfState(state: string): Mark {
  return stateMarks[state] ?? { tone: 'neutral', word: state };
}

export const statusMarks: Record<CertificationCase['status'], Mark> = {
  pending: { tone: 'neutral', word: 'Not run' },
  pass: { tone: 'good', word: 'Passed' },
  warn: { tone: 'warn', word: 'Warning' },
  fail: { tone: 'bad', word: 'Failed' },
  skipped: { tone: 'neutral', word: 'Skipped' },
};

export const areas: readonly { readonly area: string; readonly title: string }[] = [
  { area: 'receiver', title: 'Receiver' },
  { area: 'life', title: 'Life of a plan' },
  { area: 'money', title: 'Money' },
  { area: 'page', title: 'Your page' },
];

/** Returns the cases that the service runs. The others need a browser, so the CLI runs them. */
export function casesOfService({ cases }: Pick<Certification, 'cases'>): CertificationCase[] {
  return cases.filter(({ area }) => area !== 'page');
}

/** Returns whether cases of the page are left for the CLI to run. */
export function hasPageLeft({ cases }: Pick<Certification, 'cases'>): boolean {
  return cases.some(({ area, status }) => area === 'page' && status === 'pending');
}

/**
 * Returns the names of the service's cases that are left, in order. The handshake is among them until it has
 * passed, because nothing else is sent before.
 */
export function casesToRun(run: Pick<Certification, 'cases'>): string[] {
  return casesOfService(run)
    .filter(({ name, status }) => (name === 'handshake' ? status !== 'pass' : status === 'pending'))
    .map(({ name }) => name);
}

/** Returns the names of the service's cases that failed, to run them again after the receiver was changed. */
export function failedCases(run: Pick<Certification, 'cases'>): string[] {
  return casesOfService(run)
    .filter(({ status }) => status === 'fail')
    .map(({ name }) => name);
}

/** Describes the progress: "12 of 32 cases have run: 10 passed, 1 failed, 1 skipped." */
export function describeProgress(cases: readonly CertificationCase[]): string {
  const count = (of: CertificationCase['status']) =>
    cases.filter(({ status }) => status === of).length;
  const done = cases.length - count('pending');
  const results = [
    [count('pass'), 'passed'],
    [count('warn'), count('warn') === 1 ? 'warning' : 'warnings'],
    [count('fail'), 'failed'],
    [count('skipped'), 'skipped'],
  ] as const;
  const words = results.filter(([many]) => many > 0).map(([many, word]) => `${many} ${word}`);
  const all = `${done} of ${countCases(cases.length)} ${done === 1 ? 'has' : 'have'} run`;
  return words.length === 0 ? `${all}.` : `${all}: ${words.join(', ')}.`;
}

/** Formats a count: "1 case", "32 cases". */
export function countCases(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** A case can still be running this many milliseconds after its last step. */
const longestCaseMs = 100_000;

/** Returns whether a case may be running, in another tab or in the CLI. */
export function mayBeRunning(
  { state, last_step_at }: Pick<CertificationSummary, 'state' | 'last_step_at'>,
  now: number,
): boolean {
  return state === 'running' && now - Date.parse(last_step_at) < longestCaseMs;
}

/** Returns whether the endpoint is enabled and has the URL that the run certifies. */
export function isEndpointOf(
  run: Pick<CertificationSummary, 'endpoint_url'>,
  { state, url }: Pick<Endpoint, 'state' | 'url'>,
): boolean {
  const { origin, pathname } = new URL(url);
  return state === 'enabled' && origin + pathname === run.endpoint_url;
}

/** Returns why an endpoint cannot be certified, or null if it can. */
export function unfitReason({
  state,
  filter,
  channels,
}: Pick<Endpoint, 'state' | 'filter' | 'channels'>): string | null {
  if (state !== 'enabled') return 'disabled';
  if (filter !== null) return 'has a filter';
  return channels === null ? null : 'has channels';
}

/** Returns the command that runs the cases of the page and then finishes the run. */
export function pageCommand({ id, endpoint_url }: CertificationSummary): string {
  const page = `${new URL(endpoint_url).origin}/rent`;
  return `svc certify --resume ${id} \\\n  --page ${shellQuote(page)}`;
}
