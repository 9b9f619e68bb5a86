import { afterEach, expect, test, vi } from 'vitest';
import { warnOfAccent } from './warn-of-accent.ts';

afterEach(() => void vi.restoreAllMocks());

test.each([
  ['light', []],
  ['dark', ['dark']],
  ['auto', ['dark']],
] as const)('a dark red on a page with the theme %s is reported for %j', (theme, reported) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  warnOfAccent('#9a3412', theme);
  expect(warn.mock.calls.map(([text]) => /on (\w+) pages/.exec(text as string)?.[1])).toEqual(
    reported,
  );
});
