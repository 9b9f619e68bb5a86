import { expect, test } from 'vitest';
import type { HealthItem } from '../api/health.ts';
import { summarizeHealth, worstFirst } from './describe-health.ts';

const part = (name: HealthItem['name'], state: HealthItem['state']): HealthItem => ({
  name,
  state,
  sentence: '',
  runbook: '',
});

test.each([
  [['ok', 'ok'], 'All 2 parts of the service run.'],
  [['ok', 'warning'], '1 of 2 parts to look at.'],
  [['ok', 'failed'], '1 of 2 parts needs you now.'],
  [['failed', 'failed', 'warning'], '2 of 3 parts need you now, 1 to look at.'],
] as const)('%j is "%s"', (states, sentence) => {
  expect(summarizeHealth(states.map((state) => part('mail', state)))).toBe(sentence);
});

test('what needs a person comes first, in the order of the service', () => {
  const items = [part('lanes', 'ok'), part('mail', 'warning'), part('money', 'failed')];
  expect(worstFirst([...items, part('backup', 'failed')]).map(({ name }) => name)).toEqual([
    'money',
    'backup',
    'mail',
    'lanes',
  ]);
});
