import { expect, test } from 'vitest';
import { describeMs, splitTiming } from './describe-attempt.ts';

test('waiting is the time to first byte minus opening the connection', () => {
  const timing_in_ms = { dns: 10, connect: 20, tls: 30, first_byte: 160, total: 200 };
  const parts = splitTiming({ timing_in_ms, error_class: null, url });
  expect(parts.map(({ className, ms }) => [className, ms])).toEqual([
    ['dns', 10],
    ['connect', 20],
    ['tls', 30],
    ['wait', 100],
    ['read', 40],
  ]);
});

test('a reused connection has no opening steps; without a response all time is waiting', () => {
  const parts = splitTiming({ timing_in_ms: unopened, error_class: 'timeout', url });
  expect(parts.map(({ className, ms }) => [className, ms])).toEqual([['wait', 15_000]]);
});

test.each([
  ['dns', {}, 'dns'],
  ['blocked_address', {}, 'dns'],
  ['connect', { dns: 0 }, 'connect'],
  ['tls', { dns: 0, connect: 0 }, 'tls'],
  ['timeout', { dns: 0 }, 'connect'],
  ['timeout', { dns: 0, connect: 0 }, 'tls'],
  ['timeout', { dns: 0, connect: 0, tls: 0 }, 'wait'],
  ['reset', { dns: 0, connect: 0, tls: 0 }, 'wait'],
] as const)('%s after %j spent its time in %s', (error_class, done, stage) => {
  const timing_in_ms = { ...unopened, ...done };
  const parts = splitTiming({ timing_in_ms, error_class, url });
  expect(parts.map(({ className, ms }) => [className, ms])).toEqual([[stage, 15_000]]);
});

const url = 'https://a.example/hook';
const unopened = { dns: null, connect: null, tls: null, first_byte: null, total: 15_000 };

test.each([
  [0.84, '0.8 ms'],
  [213.4, '213 ms'],
  [9.97, '10 ms'],
  [999.6, '1.0 s'],
  [15_003, '15.0 s'],
])('%d is %s', (ms, words) => expect(describeMs(ms)).toBe(words));
