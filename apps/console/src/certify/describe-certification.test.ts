import { expect, test } from 'vitest';
import type { CertificationCase, CertificationSummary } from '../api/certifications.ts';
import {
  casesToRun,
  describeProgress,
  failedCases,
  isEndpointOf,
  mayBeRunning,
  pageCommand,
  unfitReason,
} from './describe-certification.ts';

function caseOf(name: string, status: CertificationCase['status'], area = 'receiver') {
  return { name, status, area } as CertificationCase;
}

const cases = [
  caseOf('handshake', 'fail'),
  caseOf('burst', 'pass'),
  caseOf('late', 'skipped'),
  caseOf('outage', 'pending'),
  caseOf('csp', 'pending', 'page'),
];

test('a run continues with the handshake until it has passed, and leaves the page to the CLI', () => {
  expect(casesToRun({ cases })).toEqual(['handshake', 'outage']);
  const passed = [caseOf('handshake', 'pass'), ...cases.slice(1)];
  expect(casesToRun({ cases: passed })).toEqual(['outage']);
});

test('failed cases can be repeated, except those of the page', () => {
  expect(failedCases({ cases: [...cases, caseOf('sizes', 'fail', 'page')] })).toEqual([
    'handshake',
  ]);
});

test.each([
  [cases, '3 of 5 cases have run: 1 passed, 1 failed, 1 skipped.'],
  [[caseOf('csp', 'pending'), caseOf('late', 'pending')], '0 of 2 cases have run.'],
  [[caseOf('csp', 'warn'), caseOf('late', 'pending')], '1 of 2 cases has run: 1 warning.'],
])('progress in words, %#', (of, words) => {
  expect(describeProgress(of)).toBe(words);
});

test('a run may be running elsewhere until its longest case would have ended', () => {
  const run = { state: 'running', last_step_at: '2026-03-01T16:00:00.000Z' } as const;
  const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);
  expect(mayBeRunning(run, at('16:01:30'))).toBe(true);
  expect(mayBeRunning(run, at('16:02:00'))).toBe(false);
  expect(mayBeRunning({ ...run, state: 'passed' }, at('16:00:01'))).toBe(false);
});

test('the endpoint of a run is the enabled one at its address, whatever its query', () => {
  const run = { endpoint_url: 'https://portal.example/hook' };
  expect(isEndpointOf(run, { state: 'enabled', url: 'https://portal.example/hook?key=1' })).toBe(
    true,
  );
  expect(isEndpointOf(run, { state: 'disabled', url: 'https://portal.example/hook' })).toBe(false);
  expect(isEndpointOf(run, { state: 'enabled', url: 'https://portal.example/other' })).toBe(false);
});

test('says why an endpoint cannot be certified', () => {
  const fit = { state: 'enabled', filter: null, channels: null } as const;
  expect(unfitReason(fit)).toBeNull();
  expect(unfitReason({ ...fit, state: 'disabled' })).toBe('disabled');
  expect(unfitReason({ ...fit, channels: ['a'] })).toBe('has channels');
});

test('the command for the page is safe to paste, whatever the endpoint’s host', () => {
  const run = { id: 'crt_1', endpoint_url: "http://a'$(x).example:80/hook" };
  expect(pageCommand(run as CertificationSummary)).toBe(
    `svc certify --resume crt_1 \\\n  --page 'http://a'\\''$(x).example/rent'`,
  );
});
