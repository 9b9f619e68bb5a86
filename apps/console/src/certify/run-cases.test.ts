import { ApiError } from '@svc/ui/console/api/client.ts';
import { expect, test } from 'vitest';
import type { CertificationCase } from '../api/certifications.ts';
import { type CaseCalls, runCases } from './run-cases.ts';

/** Each call for a case takes the next of `answers`: a status, or the code of a refusal. */
function callsThat(answers: string[], options: Partial<CaseCalls> = {}) {
  const log: string[] = [];
  const calls: CaseCalls = {
    async runCase(name) {
      const answer = answers.shift() ?? 'pass';
      log.push(`${name} ${answer}`);
      if (['pass', 'warn', 'fail', 'skipped'].includes(answer)) {
        return { name, status: answer } as CertificationCase;
      }
      const details = { status: 409, code: answer, fields: [], requestId: null };
      throw new ApiError(answer, details);
    },
    readRun: async () => ({ last_step_at: '2026-03-01T16:00:00.000Z' }),
    isEndpointReady: async () => true,
    wait: async (ms) => void log.push(`wait ${ms}`),
    onCase: () => {},
    onResult: ({ name }) => void log.push(`${name} stored`),
    isStopped: () => false,
    ...options,
  };
  return { calls, log };
}

test('runs each case in order, also after one has failed', async () => {
  const { calls, log } = callsThat(['pass', 'fail', 'skipped']);
  expect(await runCases(['handshake', 'duplicates', 'late'], calls)).toBe('done');
  expect(log.filter((line) => line.endsWith('stored'))).toEqual([
    'handshake stored',
    'duplicates stored',
    'late stored',
  ]);
});

test('sends nothing else if the handshake does not pass', async () => {
  const { calls, log } = callsThat(['fail']);
  expect(await runCases(['handshake', 'duplicates'], calls)).toBe('handshake');
  expect(log).toEqual(['handshake fail', 'handshake stored']);
});

test('stops between two cases', async () => {
  let isStopped = false;
  const onResult = () => {
    isStopped = true;
  };
  const { calls, log } = callsThat([], { onResult, isStopped: () => isStopped });
  expect(await runCases(['burst', 'late'], calls)).toBe('stopped');
  expect(log).toEqual(['burst pass']);
});

test('ends if the endpoint was disabled or changed, and not for a case that is skipped otherwise', async () => {
  const { calls } = callsThat(['skipped'], { isEndpointReady: async () => false });
  expect(await runCases(['burst', 'late'], calls)).toBe('endpoint');
});

test('waits for a case that a closed tab has left, or whose response was lost', async () => {
  const busy = ['certification_running', 'idempotency_key_in_progress'];
  const { calls, log } = callsThat([...busy, 'pass']);
  expect(await runCases(['burst'], calls)).toBe('done');
  expect(log.filter((line) => line === 'wait 2000')).toHaveLength(2);
});

test('leaves the run to another tab or the CLI if more of its cases begin there', async () => {
  let minute = 0;
  const { calls } = callsThat(['certification_running', 'certification_running'], {
    readRun: async () => ({ last_step_at: `2026-03-01T16:0${minute++}:00.000Z` }),
  });
  expect(await runCases(['burst'], calls)).toBe('elsewhere');
});

test('gives up waiting once the service would have freed a crashed case', async () => {
  const { calls, log } = callsThat(Array.from({ length: 100 }, () => 'certification_running'));
  await expect(runCases(['burst'], calls)).rejects.toMatchObject({ code: 'certification_running' });
  expect(log.filter((line) => line === 'wait 2000')).toHaveLength(50);
});

test('another refusal ends the run with it', async () => {
  const { calls } = callsThat(['certification_finished']);
  await expect(runCases(['burst'], calls)).rejects.toMatchObject({
    code: 'certification_finished',
  });
});
