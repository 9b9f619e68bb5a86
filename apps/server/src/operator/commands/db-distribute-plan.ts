import { defineCommand, type SchemaContext } from '../command.ts';
import { type Distribution, readDistribution } from '../distribute.ts';
import { refusePending, type Schema, withSchema } from '../schema.ts';

export const dbDistributePlan = defineCommand({
  name: 'db distribute plan',
  summary:
    'list the tables that "db distribute apply" would move over the servers of a Citus cluster',
  effect: 'report',
  scope: 'schema',
  run: (ctx) =>
    withDistribution(ctx, async ({ where }, distribution) => ({ where, ...distribution })),
  hasFailed: ({ problems }) => problems.length > 0,
  describe({ where, tables, lostKeys, workers, problems }) {
    if (problems.length > 0) {
      return `The tables of ${where} cannot be moved:\n${problems.map((it) => `  ${it}\n`).join('')}`;
    }
    const misplaced = misplacedIn({ tables });
    if (misplaced.length === 0) return nothingToMove(where);
    const namesOf = (wanted: string) =>
      misplaced
        .filter((it) => it.wanted === wanted)
        .map(({ name }) => name)
        .join(', ') || 'none';
    return [
      `"apply" moves ${misplaced.length} tables of ${where}. Stop the service first.`,
      `By partner to ${workers.length} workers (${workers.join(', ')}):`,
      `  ${namesOf('distributed')}`,
      'To every server:',
      `  ${namesOf('reference')}`,
      'Back to the coordinator:',
      `  ${namesOf('coordinator')}`,
      'Foreign keys that a cluster cannot check, and that are dropped:',
      ...lostKeys.map(({ table: from, to, name }) => `  ${name}: ${from} to ${to}`),
      'While a worker is down, calls and jobs of its partners wait: give each worker a standby. Read',
      '/docs/operate/cluster first.',
      '',
    ].join('\n');
  },
});

/** Opens the database, reads where its tables are, and refuses it while migrations are pending. */
export function withDistribution<R>(
  ctx: SchemaContext,
  run: (schema: Schema, distribution: Distribution) => Promise<R>,
): Promise<R> {
  return withSchema(ctx, async (schema) => {
    // Read before the migrations are checked: on one server there is nothing to distribute, whatever they are.
    const distribution = await readDistribution(schema.db);
    refusePending(schema);
    return run(schema, distribution);
  });
}

export function misplacedIn({ tables }: Pick<Distribution, 'tables'>) {
  return tables.filter(({ is, wanted }) => is !== wanted);
}

export function nothingToMove(where: string): string {
  return `Nothing to move: every table of ${where} is where it belongs.\n`;
}
