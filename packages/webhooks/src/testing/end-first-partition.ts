import { type Database, raw } from '@svc/db';
import { firstId } from '../kernel/ids.ts';
import { partitionedTables } from '../partitions/list-partitions.ts';

/**
 * Lets the first partitions end at `time`, and removes the others. The migration lets them end a month
 * after today, which is far from the virtual clock.
 */
export async function endFirstPartition(db: Database, time: Date): Promise<void> {
  for (const { name } of partitionedTables) {
    await db.transaction(async (tx) => {
      await tx.run(raw(`alter table ${name} detach partition ${name}_first`));
      await tx.run(
        raw(
          `alter table ${name} attach partition ${name}_first
            for values from (minvalue) to ('${firstId('evt', time)}')`,
        ),
      );
    });
  }
}
