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

/** A newer service may know more states. */
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

/** The cases that the service runs. The others need a browser, so the CLI runs them. */
export function casesOfService({ cases }: Pick<Certification, 'cases'>): CertificationCase[] {
  return cases.filter(({ area }) => area !== 'page');
}

/** Whether the CLI has not run all cases of the page. */
export function hasPageLeft({ cases }: Pick<Certification, 'cases'>): boolean {
  return cases.some(({ area, status }) => area === 'page' && status === 'pending');
}

/** The cases of the service that are left, in their order. Nothing else is sent before the handshake has passed. */
export function casesToRun(run: Pick<Certification, 'cases'>): string[] {
  return casesOfService(run)
    .filter(({ name, status }) => (name === 'handshake' ? status !== 'pass' : status === 'pending'))
    .map(({ name }) => name);
}

/** The cases of the service that failed, to run them again after a change of the receiver. */
export function failedCases(run: Pick<Certification, 'cases'>): string[] {
  return casesOfService(run)
    .filter(({ status }) => status === 'fail')
    .map(({ name }) => name);
}

/** "12 of 32 cases have run: 10 passed, 1 failed, 1 skipped." */
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

/** "1 case", "32 cases". */
export function countCases(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** How long after its last step a case may still be running. */
const longestCaseMs = 100_000;

/** Whether a case may be running, in another tab or in the CLI. */
export function mayBeRunning(
  { state, last_step_at }: Pick<CertificationSummary, 'state' | 'last_step_at'>,
  now: number,
): boolean {
  return state === 'running' && now - Date.parse(last_step_at) < longestCaseMs;
}

/** Whether the endpoint is enabled, at the address that the run certifies. */
export function isEndpointOf(
  run: Pick<CertificationSummary, 'endpoint_url'>,
  { state, url }: Pick<Endpoint, 'state' | 'url'>,
): boolean {
  const { origin, pathname } = new URL(url);
  return state === 'enabled' && origin + pathname === run.endpoint_url;
}

/** Why an endpoint cannot be certified, or null. */
export function unfitReason({
  state,
  filter,
  channels,
}: Pick<Endpoint, 'state' | 'filter' | 'channels'>): string | null {
  if (state !== 'enabled') return 'disabled';
  if (filter !== null) return 'has a filter';
  return channels === null ? null : 'has channels';
}

/** The command that runs the cases of the page and then finishes the run. */
export function pageCommand({ id, endpoint_url }: CertificationSummary): string {
  const page = `${new URL(endpoint_url).origin}/rent`;
  return `svc certify --resume ${id} \\\n  --page ${shellQuote(page)}`;
}
