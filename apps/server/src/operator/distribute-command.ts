import { openDatabase, readSchemaState } from '@svc/db';
import { type Config, ConfigError } from '../config.ts';
import type { Log } from '../context.ts';
import { migrationFiles, version } from '../migrations.ts';
import { type Distribution, distribute, readDistribution } from './distribute.ts';
import { recordDistribution } from './grant-to-service.ts';
import { placeOf, refuseMissingFolder } from './open-for-command.ts';
import type { Operator } from './record-by-operator.ts';
import { table } from './table.ts';

export interface DistributeRequest {
  readonly command: 'db distribute';
  readonly action: 'plan' | 'apply' | 'status';
}

interface Context {
  readonly config: Config;
  readonly by: Operator;
  readonly log: Log;
  readonly write: (text: string) => void;
}

/**
 * Runs `db distribute plan`, `apply` or `status`. Resolves with the exit code: 1 when `status` finds a table
 * that is not where it belongs.
 */
export async function runDistributeCommand(
  { action }: DistributeRequest,
  { config, by, log, write }: Context,
): Promise<0 | 1> {
  refuseMissingFolder(config, false);
  const db = await openDatabase(config.database, { log });
  try {
    const { applied, pending } = await readSchemaState(db, migrationFiles, version);
    const distribution = await readDistribution(db);
    if (applied.length === 0 || pending.length > 0) {
      throw new ConfigError(
        `Some migrations are not applied to ${placeOf(config)}. Run "svc migrate apply" first.`,
      );
    }
    const moved = distribution.tables.filter(({ is, wanted }) => is !== wanted);
    if (action === 'status') {
      write(describeStatus(distribution));
      return moved.length > 0 ? 1 : 0;
    }
    if (action === 'plan') {
      write(describePlan(distribution, placeOf(config)));
      return 0;
    }
    const count = await distribute(db, distribution, (line) => write(`${line}\n`));
    if (count > 0) await recordDistribution(db, by, { tables: moved.map(({ name }) => name) });
    write(
      count === 0
        ? `Nothing to move: every table of ${placeOf(config)} is where it belongs.\n`
        : `Moved ${count} tables. Start the service again: it reads at the start that this is a cluster.\n`,
    );
    return 0;
  } finally {
    await db.close();
  }
}

function describePlan({ tables, lostKeys, workers }: Distribution, place: string): string {
  const moved = tables.filter(({ is, wanted }) => is !== wanted);
  if (moved.length === 0) return `Nothing to move: every table of ${place} is where it belongs.\n`;
  const named = (wanted: string) =>
    moved.filter((it) => it.wanted === wanted).map(({ name }) => name);
  return [
    `"apply" moves ${moved.length} tables of ${place}. Stop the service first.`,
    `By partner to ${workers.length} workers (${workers.join(', ')}):`,
    `  ${named('distributed').join(', ') || 'none'}`,
    'To every server:',
    `  ${named('reference').join(', ') || 'none'}`,
    'Back to the coordinator:',
    `  ${named('coordinator').join(', ') || 'none'}`,
    'Foreign keys that a cluster cannot check, and that are dropped:',
    ...lostKeys.map(({ table: from, to, name }) => `  ${name}: ${from} to ${to}`),
    'While a worker is down, most calls of every partner fail: give each worker a standby. Payouts do not work',
    'on a cluster, and later migrations are not tested. Read /docs/operate/cluster first.',
    '',
  ].join('\n');
}

function describeStatus({ citus, workers, tables }: Distribution): string {
  const rows = tables.map(({ name, is, wanted }) => [
    name,
    is,
    is === wanted ? '' : `belongs: ${wanted}; run "svc db distribute apply"`,
  ]);
  return `Citus ${citus}; workers: ${workers.join(', ')}\n${table('tables', ['table', 'place', ''], rows)}`;
}
