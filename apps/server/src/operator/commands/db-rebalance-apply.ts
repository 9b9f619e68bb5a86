import { defineCommand } from '../command.ts';
import { countOf } from '../format.ts';
import { recordRebalance } from '../grant-to-service.ts';
import { type Move, rebalance } from '../rebalance.ts';
import { nothingToRebalance, withWorkers } from './db-rebalance-plan.ts';

export const dbRebalanceApply = defineCommand({
  name: 'db rebalance apply',
  summary: 'spread partners evenly over the workers of a Citus cluster, or continue to',
  effect: 'change',
  scope: 'schema',
  run: (ctx) =>
    withWorkers(ctx, async ({ db, where }, { problems, workers }) => {
      const { report, signal, by } = ctx;
      const record = ({ group, from, to }: Move) => recordRebalance(db, by, { group, from, to });
      return {
        where,
        workers,
        ...(await rebalance(db, { known: problems, report, signal, record })),
      };
    }),
  hasFailed: ({ left }) => left > 0,
  describe({ moved, left, ...rest }) {
    if (moved.length + left === 0) return nothingToRebalance(rest);
    const groups = (count: number) => countOf(count, 'shard group', 'shard groups');
    if (left > 0)
      return `Moved ${groups(moved.length)}, and stopped before ${left} others. Run it again to continue.\n`;
    const longest = Math.max(...moved.map((it) => it.blocked_ms));
    return `Moved ${groups(moved.length)}. Writes of a partner were blocked for ${longest} ms at most.\n`;
  },
});
