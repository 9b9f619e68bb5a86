import { expect, test, vi } from 'vitest';
import { afterChanges, signal } from './signal.ts';

test('a run of changes draws once, after the last of them', async () => {
  const [a, b] = [signal(1), signal('x')];
  const seen: string[] = [];
  afterChanges(() => seen.push(`${a.value}${b.value}`));
  a.value = 2;
  b.value = 'y';
  a.value = 3;
  expect(seen).toEqual([]);
  await Promise.resolve();
  expect(seen).toEqual(['3y']);
});

test('the same value is no change, and who has stopped hears of none', async () => {
  const a = signal(1);
  const run = vi.fn<() => void>();
  const stop = afterChanges(run);
  a.value = 1;
  await Promise.resolve();
  a.value = 2;
  stop();
  await Promise.resolve();
  expect(run).not.toHaveBeenCalled();
});
