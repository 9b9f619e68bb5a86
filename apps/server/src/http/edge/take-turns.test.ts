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

test('three rounds pass between two turns, and callers alternate however many calls one sends', async () => {
  const takeTurn = createTurns(systemClock);
  const served: { caller: string; round: number }[] = [];
  let round = 0;
  const countRound = () => {
    round += 1;
    if (served.length < 6) setImmediate(countRound);
  };
  setImmediate(countRound);
  const call = async (caller: string) => {
    await takeTurn(caller);
    served.push({ caller, round });
  };
  await Promise.all([...Array.from({ length: 5 }, () => call('hostile')), call('quiet')]);
  expect(served.map(({ caller }) => caller)).toEqual([
    'hostile',
    'hostile',
    'quiet',
    'hostile',
    'hostile',
    'hostile',
  ]);
  expect(served.map(({ round }) => round - (served[0]?.round ?? 0))).toEqual([0, 3, 6, 9, 12, 15]);
});
