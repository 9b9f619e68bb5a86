import { defineCommand } from '../command.ts';
import { table } from '../table.ts';
import { misplacedIn, withDistribution } from './db-distribute-plan.ts';

export const dbDistributeStatus = defineCommand({
  name: 'db distribute status',
  summary: 'say where each table of a Citus cluster is, and where it belongs',
  effect: 'report',
  scope: 'schema',
  run: (ctx) => withDistribution(ctx, async (_, distribution) => distribution),
  hasFailed: (distribution) => misplacedIn(distribution).length > 0,
  describe({ citus, workers, tables }) {
    const rows = tables.map(({ name, is, wanted }) => [
      name,
      is,
      is === wanted ? '' : `belongs: ${wanted}; run "svc-admin db distribute apply"`,
    ]);
    return `Citus ${citus}; workers: ${workers.join(', ')}\n${table('tables', ['table', 'place', ''], rows)}`;
  },
});
