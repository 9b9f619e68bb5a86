import { migrate } from '@svc/db';
import { migrations, version } from '../../migrations.ts';
import { defineCommand } from '../command.ts';
import { tablePlacementOptions } from '../distribute.ts';
import { countOf } from '../format.ts';
import { recordMigrations } from '../grant-to-service.ts';
import { hasLimitedRole, type PartitionChanges } from '../keep-partitions.ts';
import { describePartitions, partition, withSchema } from '../schema.ts';

export interface AppliedMigrations {
  readonly where: string;
  readonly version: string;
  readonly applied: readonly string[];
  /**
   * The changed partitions. Set only where the role of the service does not own the tables, and cannot create
   * partitions itself.
   */
  readonly partitions?: PartitionChanges;
}

export const migrateApply = defineCommand({
  name: 'migrate apply',
  summary: 'apply them while other processes serve',
  effect: 'change',
  scope: 'schema',
  run: (ctx) =>
    withSchema(ctx, async ({ db, where }): Promise<AppliedMigrations> => {
      const { by, report, signal } = ctx;
      const options = { version, wait: false, report, signal, ...tablePlacementOptions(db) };
      const applied = await migrate(db, migrations, options);
      if (applied.length > 0) await recordMigrations(db, by, { migrations: applied, version });
      const done = { where, version, applied };
      return (await hasLimitedRole(db)) ? { ...done, partitions: await partition(db, ctx) } : done;
    }),
  describe({ where, applied, partitions }) {
    const done =
      applied.length === 0
        ? nothingToApply(where)
        : `Applied ${countOf(applied.length, 'migration', 'migrations')} to ${where}.\n`;
    return partitions === undefined ? done : `${done}${describePartitions(partitions)}`;
  },
});

export function nothingToApply(where: string): string {
  return `Nothing to apply: ${where} has every migration of version ${version}.\n`;
}
