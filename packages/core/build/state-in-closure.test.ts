import { expect, test } from 'vitest';
import { moveState } from './state-in-closure.ts';

const sources = `
  function add(at, more = 1) { at.sum += more; return read(at); }
  function read(at) { return at.sum; }
  function makeSum(start) {
    const at = { sum: start };
    return { add: (more) => add(at, more), next: () => add(at), read: () => read(at) };
  }
  export { makeSum };`;

async function load(code: string | undefined) {
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code ?? '')}`);
}

test('each instance keeps its own state in variables, and does what it did', async () => {
  const code = moveState(sources);
  expect(code).not.toMatch(/\bat\b/);
  const { makeSum } = await load(code);
  const [one, other] = [makeSum(1), makeSum(10)];
  expect([one.add(2), one.next(5), other.next(), one.read()]).toEqual([3, 4, 11, 4]);
});

test('code without such a state is left alone', () => {
  expect(moveState('export const a = 1;')).toBeUndefined();
});

test.for(['keep(at)', '({ ...at })', '(({ sum }) => sum)(at)'])(
  'all of it at once, %s, is refused',
  (use) => {
    const code = `${sources}\nfunction other(at) { return ${use}; }`;
    expect(() => moveState(code)).toThrow('as a whole');
  },
);
