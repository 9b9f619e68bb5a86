import { defineCommand, type SchemaContext } from '../command.ts';
import { countOf } from '../format.ts';
import { megabytes, type Rebalance, readRebalance } from '../rebalance.ts';
import type { Schema } from '../schema.ts';
import { table } from '../table.ts';
import { misplacedIn, withDistribution } from './db-distribute-plan.ts';

export const dbRebalancePlan = defineCommand({
  name: 'db rebalance plan',
  summary:
    'list the partners that "db rebalance apply" would move to other workers of a Citus cluster',
  effect: 'report',
  scope: 'schema',
  run: readMoves,
  hasFailed: ({ problems }) => problems.length > 0,
  describe(rebalance) {
    const { where, moves, problems } = rebalance;
    if (problems.length > 0) {
      return `Partners of ${where} cannot be moved:\n${problems.map((it) => `  ${it}\n`).join('')}`;
    }
    if (moves.length === 0) return nothingToRebalance(rebalance);
    return `"apply" moves ${countOf(moves.length, 'shard group', 'shard groups')} of ${where} while partners are served:\n${listMoves(moves)}At the end of each move, writes of its partners wait for some seconds: /docs/operate/cluster.\n`;
  },
});

/** The output of `db rebalance plan` and `db rebalance status`. */
export function readMoves(ctx: SchemaContext) {
  return withWorkers(ctx, async ({ db, where }, { problems, workers }) => ({
    where,
    workers,
    ...(await readRebalance(db, problems)),
  }));
}

export interface Workers {
  readonly workers: readonly string[];
  /** The reasons why nothing can be moved, as sentences. */
  readonly problems: readonly string[];
}

/** Opens the database, and reads whether the cluster allows moves. */
export function withWorkers<R>(
  ctx: SchemaContext,
  run: (schema: Schema, workers: Workers) => Promise<R>,
): Promise<R> {
  return withDistribution(ctx, (schema, distribution) => {
    const misplaced = misplacedIn(distribution).length;
    const { workers, problems } = distribution;
    const undistributed =
      misplaced === 0
        ? []
        : [
            `${countOf(misplaced, 'table is', 'tables are')} not where they belong. Run "svc-admin db distribute apply" first.`,
          ];
    return run(schema, { workers, problems: [...problems, ...undistributed] });
  });
}

export function nothingToRebalance({
  where,
  workers,
}: {
  where: string;
  workers: readonly string[];
}) {
  return `Nothing to move: the workers of ${where} (${workers.join(', ')}) store about as much as each other. To add one, see /docs/operate/cluster.\n`;
}

export function listMoves(moves: Rebalance['moves']): string {
  return table(
    'moves',
    ['group', 'partners', 'size', 'from', 'to'],
    moves.map(({ group, partners, bytes, from, to }) => [
      String(group),
      String(partners),
      megabytes(bytes),
      from,
      to,
    ]),
  );
}
