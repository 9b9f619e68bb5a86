import { systemClock } from '@svc/runtime';
import { expect, test } from 'vitest';
import { createTurns } from './take-turns.ts';

test('a caller that is alone does not wait for the next round of the event loop', async () => {
  const takeTurn = createTurns(systemClock);
  let hasPassed = false;
  setImmediate(() => {
    hasPassed = true;
  });
  await takeTurn('maple');
  expect(hasPassed).toBe(false);
});

test('one call has its turn in each round, and callers alternate however many calls one sends', async () => {
  const takeTurn = createTurns(systemClock);
  const served: string[] = [];
  let round = 0;
  const countRound = () => {
    round += 1;
    if (served.length < 6) setImmediate(countRound);
  };
  setImmediate(countRound);
  const call = async (caller: string) => {
    await takeTurn(caller);
    served.push(`${caller} ${round}`);
  };
  await Promise.all([...Array.from({ length: 5 }, () => call('hostile')), call('quiet')]);
  expect(served.map((it) => it.split(' ')[0])).toEqual([
    'hostile',
    'hostile',
    'quiet',
    'hostile',
    'hostile',
    'hostile',
  ]);
  expect(new Set(served.map((it) => it.split(' ')[1])).size).toBe(6);
});
