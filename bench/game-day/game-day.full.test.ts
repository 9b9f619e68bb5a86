import { findCitus } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { playGameDay } from './play-game-day.ts';

const bin = findCitus();

// The short version of `npm run gameday`. Each worker has more partners than a process has connections, so that the
// calls that wait for a frozen worker could leave no connection for other partners.
test.skipIf(bin === undefined)(
  'a game day loses no acknowledged write, pays nothing twice, and keeps other partners served (set SVC_TEST_CITUS_BIN)',
  async () => {
    const day = { bin: bin ?? '', partners: 30, outageMs: 15_000, pauseMs: 2_000 };
    const { steps, restore, totals, faults } = await playGameDay(day, () => {});
    expect(faults).toEqual([]);
    expect(totals.acknowledged).toBeGreaterThan(100);
    expect(restore.kept).toBeGreaterThan(0);
    expect(restore.gone).toBeGreaterThan(0);
    for (const { name, othersCallMs, lastedMs } of steps) {
      // If calls to a hanging server were not refused, other partners would wait until it recovers.
      if (name.includes('frozen')) expect(othersCallMs).toBeLessThan(lastedMs);
    }
  },
  1_800_000,
);
