import { defineCommand } from '../command.ts';
import { describePartitions, partition, refusePending, withSchema } from '../schema.ts';

export const migratePartitions = defineCommand({
  name: 'migrate partitions',
  summary: 'create partitions ahead and drop expired ones, each month, as the tables’ owner',
  effect: 'change',
  scope: 'schema',
  run: (ctx) =>
    withSchema(ctx, (schema) => {
      refusePending(schema);
      return partition(schema.db, ctx);
    }),
  hasFailed: ({ complete }) => !complete,
  describe: describePartitions,
});
