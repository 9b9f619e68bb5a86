import { defineCommand } from '../command.ts';
import { distribute } from '../distribute.ts';
import { recordDistribution } from '../grant-to-service.ts';
import { misplacedIn, nothingToMove, withDistribution } from './db-distribute-plan.ts';

export const dbDistributeApply = defineCommand({
  name: 'db distribute apply',
  summary: 'distribute the tables by partner over the servers of a Citus cluster',
  effect: 'change',
  scope: 'schema',
  run: (ctx) =>
    withDistribution(ctx, async ({ db, where }, distribution) => {
      const tables = misplacedIn(distribution).map(({ name }) => name);
      const moved = await distribute(db, distribution, ctx.report);
      if (moved > 0) await recordDistribution(db, ctx.by, { tables });
      return { where, moved };
    }),
  describe: ({ where, moved }) =>
    moved === 0
      ? nothingToMove(where)
      : `Moved ${moved} tables. Start the service again: it reads at the start that this is a cluster.\n`,
});
